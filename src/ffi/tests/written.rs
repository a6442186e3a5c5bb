//! Files that tests generate and compare with the committed files.

use std::path::Path;

/// If `cargo xtask tables` sets this variable, the file is written instead of compared.
const WRITE: &str = "NETCLOCK_WRITE_TABLES";

/// Reads a file of the repository, whose line endings Git may have converted.
pub(super) fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

/// Checks that `file` contains `text` and nothing else.
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
