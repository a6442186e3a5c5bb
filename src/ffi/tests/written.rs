//! Compares committed files with their generated text. A test fails if one of them is out of date.

use std::path::Path;

/// `cargo xtask tables` sets this variable so that the test writes the files instead of comparing them.
const WRITE: &str = "NETCLOCK_WRITE_TABLES";

/// Reads a committed file with `\n` line endings, because Git may have converted them on Windows.
pub(super) fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

pub(super) fn compare(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let committed = read(file);
    let lines = committed.lines().zip(text.lines());
    let differing = lines.clone().position(|(old, new)| old != new);
    assert!(
        committed == text,
        "{file} is not what the library does, from line {} on: run `cargo xtask tables`, look at what \
         changed, and commit it",
        1 + differing.unwrap_or(lines.count())
    );
}
