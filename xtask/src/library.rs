//! Builds the library for users with Cargo, and defines its file names on each system.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::cargo;
use crate::command::cmd;

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// All paths are relative to the prefix. A file name without a directory refers to a file in `lib`.
pub(crate) struct Platform {
    pub(crate) built_shared: &'static str,
    pub(crate) shared: String,
    pub(crate) links: Vec<String>,
    /// The runtime name stored in the library, if there is one.
    pub(crate) soname: Option<String>,
    pub(crate) import_library: Option<&'static str>,
    pub(crate) archive: &'static str,
}

impl Platform {
    pub(crate) fn of_this_machine(abi: u32) -> Self {
        if cfg!(windows) {
            Self::windows(cfg!(target_env = "msvc"))
        } else if cfg!(target_vendor = "apple") {
            Self::apple(abi)
        } else {
            Self::elf(abi)
        }
    }

    pub(crate) fn elf(abi: u32) -> Self {
        let soname = format!("libnetclock.so.{abi}");
        Self::unix("libnetclock.so", format!("{soname}.{VERSION}"), &soname, &soname)
    }

    pub(crate) fn apple(abi: u32) -> Self {
        let (name, whole) =
            (format!("libnetclock.{abi}.dylib"), format!("libnetclock.{abi}.{VERSION}.dylib"));
        Self::unix("libnetclock.dylib", whole, &name, &format!("@rpath/{name}"))
    }

    fn unix(built_shared: &'static str, whole: String, name: &str, soname: &str) -> Self {
        Self {
            built_shared,
            shared: format!("lib/{whole}"),
            links: [name, built_shared].map(|name| format!("lib/{name}")).into(),
            soname: Some(soname.to_owned()),
            import_library: None,
            archive: "libnetclock.a",
        }
    }

    pub(crate) fn windows(msvc: bool) -> Self {
        Self {
            built_shared: "netclock.dll",
            shared: "bin/netclock.dll".to_owned(),
            links: Vec::new(),
            soname: None,
            import_library: Some(if msvc { "netclock.dll.lib" } else { "libnetclock.dll.a" }),
            archive: if msvc { "netclock.lib" } else { "libnetclock.a" },
        }
    }
}

/// rustc prints this before the list of system libraries that the archive needs.
const NATIVE_LIBRARIES: &str = "native-static-libs: ";

pub(crate) struct Built {
    files: Vec<PathBuf>,
    /// These are linker arguments, such as `-lpthread`, or `ws2_32.lib` for MSVC.
    pub(crate) native_libraries: Vec<String>,
}

impl Built {
    /// Development builds compile all kinds of libraries at once, so that other builds can reuse them.
    /// Release builds compile them one by one, because Cargo does not optimise across crates if it also
    /// builds a Rust library.
    pub(crate) fn build(release: bool) -> Result<Self> {
        let messages = if release {
            cargo_rustc(&["--profile", "dist", "--crate-type", "cdylib"])?
                + &cargo_rustc(&["--profile", "dist", "--crate-type", "staticlib"])?
        } else {
            cargo_rustc(&[])?
        };
        Self::from_messages(&messages)
    }

    pub(crate) fn from_messages(output: &str) -> Result<Self> {
        let files = cargo::messages(output)
            .filter(|message| {
                message["reason"] == "compiler-artifact" && message["target"]["name"] == "netclock"
            })
            .flat_map(|message| cargo::filenames(&message))
            .collect();
        let native_libraries = cargo::messages(output)
            .filter_map(|message| {
                let text = message["message"]["message"].as_str()?;
                Some(text.strip_prefix(NATIVE_LIBRARIES)?.split_whitespace().map(str::to_owned).collect())
            })
            .next()
            .context("rustc did not list the archive's system libraries")?;
        Ok(Self { files, native_libraries })
    }

    pub(crate) fn file(&self, name: &str) -> Result<PathBuf> {
        let named = |file: &&PathBuf| file.file_name().is_some_and(|actual| actual == name);
        let file = self.files.iter().find(named);
        file.cloned().with_context(|| format!("{name} was not built, only {:?}", self.files))
    }
}

fn cargo_rustc(options: &[&str]) -> Result<String> {
    // With the last argument, Cargo prints the list even if nothing has changed.
    cargo::built(&mut cmd!(
        "cargo rustc --package netclock --lib --message-format json {options...}
        -- --print native-static-libs"
    ))
}
