//! The library as a C program gets it: the archive and the shared object of this build.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::{fs, io};

use serde_json::Value;

/// The files of the library, as `cargo xtask test` hands them down.
const TOLD: &str = "NETCLOCK_TEST_LIBRARY";

/// What C code links against.
pub(crate) struct Library {
    /// `libnetclock.a`, or `netclock.lib` for MSVC.
    pub(crate) archive: PathBuf,
    /// What the linker takes for the shared library; on Windows, its import library.
    pub(crate) shared: PathBuf,
}

impl Library {
    /// Where Cargo put them, built once for all tests of a program. `cargo xtask test` says where; otherwise
    /// Cargo is asked.
    pub(crate) fn get() -> &'static Self {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        LIBRARY.get_or_init(|| match std::env::var_os(TOLD) {
            Some(files) => Self::among(&std::env::split_paths(&files).collect::<Vec<_>>()),
            None => Self::build(),
        })
    }

    /// Cargo is asked for the library that the running program was built with. What `cargo build` makes
    /// would be another: tests give the dependencies other features.
    fn build() -> Self {
        let (target_dir, profile) = current_build();
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        // The whole workspace, as `cargo xtask test` does: the members decide together which
        // features dependencies have, and a build of one alone would rebuild the library.
        command.args(["test", "--no-run", "--workspace", "--test", env!("CARGO_CRATE_NAME")]);
        command.args(["--message-format", "json-render-diagnostics"]);
        command.arg("--profile").arg(profile).arg("--target-dir").arg(target_dir);
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .unwrap_or_else(|error| panic!("{command:?} could not be started: {error}"));
        assert!(output.status.success(), "{command:?} failed: see its errors above");

        Self::among(&built_files(&String::from_utf8_lossy(&output.stdout)))
    }

    fn among(files: &[PathBuf]) -> Self {
        let pick = |endings: &[&str]| {
            let chosen = files.iter().find(|file| endings.iter().any(|end| ends_with(file, end)));
            chosen.cloned().unwrap_or_else(|| panic!("no {endings:?} among {files:?}"))
        };
        Self {
            archive: pick(&["libnetclock.a", "netclock.lib"]),
            shared: pick(&["libnetclock.so", "libnetclock.dylib", "libnetclock.dll.a", "netclock.dll.lib"]),
        }
    }

    /// Sets the variable that leads a program to the shared library.
    pub(crate) fn lead(&self, program: &mut Command) {
        let variable = if cfg!(windows) {
            "PATH"
        } else if cfg!(target_os = "macos") {
            "DYLD_LIBRARY_PATH"
        } else {
            "LD_LIBRARY_PATH"
        };
        let inherited = std::env::var_os(variable).unwrap_or_default();
        let dirs = std::iter::once(self.runtime_dir()).chain(std::env::split_paths(&inherited));
        program.env(
            variable,
            std::env::join_paths(dirs).expect("no directory of these has a separator in its name"),
        );
    }

    /// A directory with the shared library under the name that programs ask for, which on Unix is not the one
    /// that Cargo gives it.
    fn runtime_dir(&self) -> PathBuf {
        if cfg!(windows) {
            return self.shared.parent().unwrap_or(Path::new(".")).to_owned();
        }
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime");
        fs::create_dir_all(&dir).unwrap_or_else(|error| panic!("creating {}: {error}", dir.display()));
        // Tests and programs run side by side; the last one to link wins, with the same link.
        let link = dir.join(env!("NETCLOCK_RUNTIME_NAME"));
        let new = dir.join(format!("{}-{:?}", std::process::id(), std::thread::current().id()));
        symlink(&self.shared, &new)
            .and_then(|()| fs::rename(&new, &link))
            .unwrap_or_else(|error| panic!("linking {}: {error}", link.display()));
        dir
    }
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The system libraries that the archive needs, as arguments of the linking compiler.
/// `cargo rustc --lib --crate-type staticlib -- --print native-static-libs` lists them.
pub(crate) const fn native_libraries() -> &'static [&'static str] {
    if cfg!(target_env = "msvc") {
        &["kernel32.lib", "ntdll.lib", "userenv.lib", "ws2_32.lib", "dbghelp.lib"]
    } else if cfg!(windows) {
        &["-lkernel32", "-lntdll", "-luserenv", "-lws2_32", "-ldbghelp"]
    } else if cfg!(target_os = "macos") {
        &["-lSystem", "-lc", "-lm"]
    } else {
        &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]
    }
}

/// The target directory and the profile of this very test: it runs from
/// `<target>/<profile>/deps`.
pub(crate) fn current_build() -> (PathBuf, String) {
    let exe = std::env::current_exe().expect("the system knows what it is running");
    let (Some(target_dir), Some(profile_dir)) = (exe.ancestors().nth(3), exe.ancestors().nth(2)) else {
        panic!("{} does not lie in a target directory", exe.display());
    };
    let profile = profile_dir.file_name().unwrap_or_default().to_string_lossy();
    // The directory of the profile `dev` is called `debug`.
    let profile = if profile == "debug" { "dev".into() } else { profile };
    (target_dir.to_owned(), profile.into_owned())
}

/// The files of the library among Cargo's messages, one JSON object a line.
fn built_files(messages: &str) -> Vec<PathBuf> {
    let artifact =
        |message: &Value| message["reason"] == "compiler-artifact" && message["target"]["name"] == "netclock";
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(artifact)
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .collect()
}

fn ends_with(file: &Path, name: &str) -> bool {
    file.file_name().is_some_and(|actual| actual == name)
}
