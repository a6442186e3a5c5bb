//! The rooms of the lab: each uses only those above it, and no two files use each other.

use std::path::Path;

use crate::room_check::check;

/// From the ground up.
const ROOMS: [&str; 14] = [
    "sim: clocks, networks, frame loops, and their randomness",
    "recorded: delays of real queues, as cases",
    "measure: a clock under test: its exchanges, its reads, its score",
    "baseline: published clocks, and the limits of any clock",
    "game: messages about the time of a game's world",
    "recording: the file of a recorded session",
    "report: options, words, tables, pages, exit codes",
    "live: pages that show what happens now, by HTTP",
    "net: sockets and the machine's clock",
    "net/serve net/sync net/impair net/relay: programs on the network",
    "inspect: sessions looked at in hindsight: verdicts and reports",
    "study study/clock study/world study/start study/order study/handover study/latency study/peer study/watch: studies",
    "replay demo doctor export net/link net/chrony: recorded paths and sessions; all at once on one machine",
    "study/netns: clocks over real kernel queues",
];

#[test]
fn rooms_use_only_those_above_them() {
    let wrong = check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &ROOMS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_arrow_up_and_a_circle_are_found() {
    let root = std::env::temp_dir().join(format!("netclock-rooms-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("the folder is writable");
        std::fs::write(path, text).expect("the folder is writable");
    };
    write("lib.rs", "mod ground;\nmod top;\n");
    write(
        "ground.rs",
        "// Not crate::top::two, and not this: \"crate::top::two\".\nuse crate::top::Thing;\n",
    );
    write("top/mod.rs", "mod one;\nmod two;\npub use one::Thing;\n");
    write("top/one.rs", "pub struct Thing;\nfn one() {\n    super::two::two();\n}\n");
    write("top/two.rs", "use super::Thing;\npub fn two() -> Thing {\n    Thing\n}\n");
    let wrong = check(&root, &["ground: below", "top: above"]);
    let _ = std::fs::remove_dir_all(&root);
    assert_eq!(
        wrong,
        [
            "ground.rs:2: ground -> top, which is not above: crate::top::Thing",
            "a circle of files: top/one.rs -> top/two.rs -> top/one.rs",
        ]
    );
}
