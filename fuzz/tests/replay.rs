//! Replays the committed corpora without libFuzzer.

use std::fs;
use std::path::{Path, PathBuf};

use netclock_fuzz::{TARGETS, run};

fn listed(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it was listed").path()).collect();
    paths.sort();
    paths
}

#[test]
fn the_corpora_pass() {
    let corpora = listed(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"));
    assert!(corpora.iter().map(|corpus| corpus.file_name()).eq(TARGETS.map(|(name, _)| Some(name.as_ref()))));
    for (corpus, target) in corpora.iter().zip(TARGETS) {
        let files = listed(corpus);
        assert!(!files.is_empty(), "{} has no inputs", target.0);
        for file in files {
            // If the target panics, the last printed line names the input.
            println!("{}", file.display());
            run(target, &fs::read(file).expect("it was listed"));
        }
    }
}
