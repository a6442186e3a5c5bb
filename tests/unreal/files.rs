//! Locates the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// The directory of an unpacked plugin. `cargo xtask dist` tests it instead of the repository's plugin.
const UNPACKED: &str = "NETCLOCK_UNREAL_PLUGIN";
/// The third-party module of an unpacked plugin, with the header and the libraries.
pub(crate) const THIRD_PARTY: &str = "Source/ThirdParty/NetClockLibrary";

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The unpacked plugin to test, or `None` to test the repository's plugin.
fn unpacked() -> Option<PathBuf> {
    std::env::var_os(UNPACKED).map(PathBuf::from)
}

/// The directory of the C header.
pub(crate) fn include() -> PathBuf {
    match unpacked() {
        Some(plugin) => plugin.join(THIRD_PARTY).join("include"),
        None => root().join("include"),
    }
}

/// Returns the directories of an unpacked plugin that contain this machine's shared library, for the linker
/// and for the loader, or `None` if this build's library is linked.
pub(crate) fn packed_library() -> Option<[PathBuf; 2]> {
    let name = if cfg!(target_arch = "aarch64") { "LinuxArm64" } else { "Linux" };
    let places = [&format!("{THIRD_PARTY}/lib"), "Binaries/ThirdParty/NetClockLibrary"];
    unpacked().map(|plugin| places.map(|place| plugin.join(place).join(name)))
}

/// Returns the plugin, unpacked or from the repository.
pub(crate) fn plugin() -> PathBuf {
    unpacked().unwrap_or_else(|| repositorys("NetClock"))
}

/// Returns one of the repository's folders that Unreal builds: a plugin or the sample project.
pub(crate) fn repositorys(name: &str) -> PathBuf {
    root().join("unreal_plugin").join(name)
}

/// Returns all modules of the plugin, of the Gameplay Abilities plugin, and of the sample.
pub(crate) fn modules() -> Vec<PathBuf> {
    let folders = [plugin(), repositorys("NetClockGAS"), repositorys("Sample")];
    folders.iter().flat_map(|folder| modules_of(folder)).collect()
}

/// Returns the modules of a plugin or project, sorted by name.
pub(crate) fn modules_of(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        entries(&folder.join("Source")).filter(|it| it.join("Private").is_dir()).collect();
    found.sort();
    found
}

pub(crate) fn here(part: &str) -> PathBuf {
    root().join("tests/unreal").join(part)
}

/// Returns all files below a folder, sorted.
pub(crate) fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        entries(dir).flat_map(|it| if it.is_dir() { files_below(&it) } else { vec![it] }).collect();
    found.sort();
    found
}

fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    entries.map(|it| it.expect("an entry of a readable folder").path())
}

/// Returns all files below a folder with one of these extensions, sorted.
pub(crate) fn sources(dir: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = files_below(dir);
    found.retain(|it| it.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending)));
    found
}

/// Returns the canonical path of an existing file or folder. Omits the `\\?\` prefix of Windows, because cl
/// would then not find headers whose paths contain slashes.
pub(crate) fn canonical(path: &Path) -> Option<PathBuf> {
    let found = fs::canonicalize(path).ok()?;
    let plain = found.to_str().and_then(|it| it.strip_prefix(r"\\?\")).map(PathBuf::from);
    Some(plain.unwrap_or(found))
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes a file only if its text has changed, because clang compares the file's time with that of the
/// precompiled header.
pub(crate) fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
