//! The rooms of the lab: each uses only those above it, and no two files use each other.

use std::path::Path;

#[path = "../../tests/support/rooms.rs"]
mod rooms;

/// From the ground up.
const ROOMS: [&str; 10] = [
    "sim: clocks, networks, frame loops, and their randomness",
    "measure: a clock under test: its exchanges, its reads, its score",
    "baseline: published clocks, and the limits of any clock",
    "game: messages about the time of a game's world",
    "recording: the file of a recorded session",
    "report: options, words, tables, plots, exit codes",
    "net: sockets and the machine's clock",
    "net/serve net/sync net/impair net/relay: programs on the network",
    "study study/clock study/world study/start study/order study/handover study/latency study/peer study/watch: studies",
    "replay demo: recorded paths and sessions; all at once on one machine",
];

#[test]
fn rooms_use_only_those_above_them() {
    let wrong = rooms::check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &ROOMS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
