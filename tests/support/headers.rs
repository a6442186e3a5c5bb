//! The C headers as text, for tests that look at what they declare.

use std::fs;
use std::path::Path;

/// The names of a folder's headers with this extension. `netclock.h` is the first.
pub(crate) fn names(folder: &Path, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("it was listed").path());
    let headers = paths.filter(|path| path.extension().is_some_and(|it| it == extension));
    let mut names: Vec<String> =
        headers.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    names.sort();
    assert_eq!(names.first(), Some(&format!("netclock.{extension}")), "{}", folder.display());
    names
}

/// A header, line endings as git may have made them on this machine.
pub(crate) fn read(folder: &Path, name: &str) -> String {
    let text = fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    text.replace("\r\n", "\n")
}

/// A folder's C headers, one after the other.
pub(crate) fn all(folder: &Path) -> String {
    names(folder, "h").iter().map(|name| read(folder, name)).collect()
}

/// The functions that headers declare.
pub(crate) fn functions(headers: &str) -> impl Iterator<Item = &str> {
    let lines = headers.lines().map(|line| line.trim_start_matches("NETCLOCK_NODISCARD "));
    let names = lines
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()) && !line.starts_with("typedef"));
    let names = names.filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next());
    names.filter(|name| name.starts_with("netclock_"))
}

/// The constants that headers define, with their values in C. Those for the preprocessor are left out.
pub(crate) fn constants(headers: &str) -> impl Iterator<Item = (&str, &str)> {
    let defines = headers.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
    defines.filter(|(name, _)| !name.starts_with("NETCLOCK_VERSION_") && *name != "NETCLOCK_NODISCARD")
}
