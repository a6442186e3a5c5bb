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

#[test]
fn wire() {
    replay("wire", netclock_fuzz::wire::run);
}

#[test]
fn client() {
    replay("client", netclock_fuzz::client::run);
}

#[test]
fn saved() {
    replay("saved", netclock_fuzz::saved::run);
}

#[test]
fn abi() {
    replay("abi", netclock_fuzz::abi::run);
}

#[test]
fn timeline() {
    replay("timeline", netclock_fuzz::timeline::run);
}

#[test]
fn rate_watch() {
    replay("rate_watch", netclock_fuzz::rate_watch::run);
}

#[test]
fn order() {
    replay("order", netclock_fuzz::order::run);
}

#[test]
fn start() {
    replay("start", netclock_fuzz::start::run);
}

#[test]
fn handover() {
    replay("handover", netclock_fuzz::handover::run);
}

#[test]
fn latency() {
    replay("latency", netclock_fuzz::latency::run);
}

#[test]
fn peer() {
    replay("peer", netclock_fuzz::peer::run);
}

#[test]
fn utc() {
    replay("utc", netclock_fuzz::utc::run);
}

#[test]
fn keyed() {
    replay("keyed", netclock_fuzz::keyed::run);
}

#[test]
fn link() {
    replay("link", netclock_fuzz::link::run);
}
