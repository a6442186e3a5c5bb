//! Finds the plugin's and the tests' files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::compiler::run;

/// `cargo xtask dist` sets this to the directory of an unpacked plugin, to test that plugin.
const UNPACKED: &str = "NETCLOCK_UNREAL_PLUGIN";
pub(crate) const THIRD_PARTY: &str = "Source/ThirdParty/NetClockLibrary";

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Without an unpacked plugin, the tests use the repository's.
fn unpacked() -> Option<PathBuf> {
    std::env::var_os(UNPACKED).map(PathBuf::from)
}

pub(crate) fn include() -> PathBuf {
    match unpacked() {
        Some(plugin) => plugin.join(THIRD_PARTY).join("include"),
        None => root().join("include"),
    }
}

/// Returns where the linker and the loader find this machine's library in an unpacked plugin. If it is
/// `None`, they use this build's library.
pub(crate) fn packed_library() -> Option<[PathBuf; 2]> {
    let name = if cfg!(target_arch = "aarch64") { "LinuxArm64" } else { "Linux" };
    let places = [&format!("{THIRD_PARTY}/lib"), "Binaries/ThirdParty/NetClockLibrary"];
    unpacked().map(|plugin| places.map(|place| plugin.join(place).join(name)))
}

pub(crate) fn plugin() -> PathBuf {
    unpacked().unwrap_or_else(|| repositorys("NetClock"))
}

pub(crate) fn repositorys(name: &str) -> PathBuf {
    root().join("unreal_plugin").join(name)
}

pub(crate) fn modules() -> Vec<PathBuf> {
    let folders = [plugin(), repositorys("NetClockGAS"), repositorys("Sample")];
    folders.iter().flat_map(|folder| modules_of(folder)).collect()
}

pub(crate) fn modules_of(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        entries(&folder.join("Source")).filter(|it| it.join("Private").is_dir()).collect();
    found.sort();
    found
}

pub(crate) fn here(part: &str) -> PathBuf {
    root().join("tests/unreal").join(part)
}

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

pub(crate) fn sources(dir: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = files_below(dir);
    found.retain(|it| it.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending)));
    found
}

/// Returns `None` if the path does not exist. Removes the prefix `\\?\`, because cl does not find some
/// headers with it.
pub(crate) fn canonical(path: &Path) -> Option<PathBuf> {
    let found = fs::canonicalize(path).ok()?;
    let plain = found.to_str().and_then(|it| it.strip_prefix(r"\\?\")).map(PathBuf::from);
    Some(plain.unwrap_or(found))
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Does not rewrite an unchanged file, because clang compares its modification time with the precompiled
/// header's.
pub(crate) fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Panics if the program fails.
pub(crate) fn printed_by(program: &mut Command) -> String {
    let output = run(program).unwrap_or_else(|failure| panic!("{failure}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Creates the folder of the file.
pub(crate) fn in_its_folder(file: PathBuf) -> PathBuf {
    let folder = file.parent().expect("a file is in a folder");
    fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    file
}
