use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::cargo;

/// rustc prints this before the system libraries that the archive needs.
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
    let mut command = cargo();
    command.args(["rustc", "--package", "netclock", "--lib", "--message-format", "json"]).args(options);
    // With this argument, Cargo prints the list even if nothing has changed.
    command.args(["--", "--print", "native-static-libs"]);
    cargo::built(&mut command)
}
