use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{fs, io};

pub(crate) struct Library {
    pub(crate) archive: PathBuf,
    /// On Windows, this is the import library.
    pub(crate) shared: PathBuf,
}

impl Library {
    /// Returns the library of the unpacked archive if there is one, and otherwise the library that Cargo
    /// built for the test.
    pub(crate) fn get() -> &'static Self {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        LIBRARY.get_or_init(|| {
            let program = || std::env::current_exe().expect("the system reports the path of the test");
            let beside = unpacked().map_or_else(program, |prefix| prefix.join("lib/library"));
            let pick = |names: &[&str]| {
                let mut files = names.iter().map(|name| beside.with_file_name(name));
                let found = files.find(|file| file.is_file());
                found.unwrap_or_else(|| panic!("no {names:?} beside {}", beside.display()))
            };
            Self {
                archive: pick(&["libnetclock.a", "netclock.lib"]),
                shared: pick(&[
                    "libnetclock.so",
                    "libnetclock.dylib",
                    "libnetclock.dll.a",
                    "netclock.dll.lib",
                ]),
            }
        })
    }

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
            std::env::join_paths(dirs).expect("these directories have no separator in their names"),
        );
    }

    /// Returns the directory from which programs load the library. On Unix, the library's runtime name
    /// differs from Cargo's file name.
    fn runtime_dir(&self) -> PathBuf {
        if cfg!(windows) || unpacked().is_some() {
            return self.shared.parent().unwrap_or(Path::new(".")).to_owned();
        }
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime");
        fs::create_dir_all(&dir).unwrap_or_else(|error| panic!("creating {}: {error}", dir.display()));
        // Tests run in parallel, so we create the link under a temporary name and rename it.
        let link = dir.join(env!("NETCLOCK_RUNTIME_NAME"));
        let new = dir.join(format!("{}-{:?}", std::process::id(), std::thread::current().id()));
        symlink(&self.shared, &new)
            .and_then(|()| fs::rename(&new, &link))
            .unwrap_or_else(|error| panic!("linking {}: {error}", link.display()));
        dir
    }
}

pub(crate) fn unpacked() -> Option<PathBuf> {
    std::env::var_os("NETCLOCK_PREFIX").map(PathBuf::from)
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The system libraries that a static build needs. `cargo rustc --lib --crate-type staticlib -- --print
/// native-static-libs` prints this list.
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

/// Returns the target directory and the profile of this test, which runs from `<target>/<profile>/deps`.
pub(crate) fn current_build() -> (PathBuf, String) {
    let exe = std::env::current_exe().expect("the system reports the path of the test");
    let (Some(target_dir), Some(profile_dir)) = (exe.ancestors().nth(3), exe.ancestors().nth(2)) else {
        panic!("{} is not in a target directory", exe.display());
    };
    let profile = profile_dir.file_name().unwrap_or_default().to_string_lossy();
    // Cargo puts builds with the profile `dev` into the directory `debug`.
    let profile = if profile == "debug" { "dev".into() } else { profile };
    (target_dir.to_owned(), profile.into_owned())
}
