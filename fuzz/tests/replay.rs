//! Replays the committed corpora through the fuzz targets, without any tool.

use std::fs;
use std::path::Path;

fn replay(target: &str, run: impl Fn(&[u8])) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(&dir)
        .unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
        .map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", dir.display())).path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no inputs in {}", dir.display());
    for file in &files {
        // The last line before a failure names the input.
        println!("{}", file.display());
        run(&fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
    }
}

macro_rules! replays {
    ($($target:ident)*) => {
        $(#[test]
        fn $target() {
            replay(stringify!($target), netclock_fuzz::$target::run);
        })*
    };
}

replays!(wire client saved abi timeline rate_watch order start handover latency peer utc keyed link);
