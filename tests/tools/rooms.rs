//! The rooms of the library: each uses only those above it, and no two files use each other.

use std::path::Path;

use crate::room_check::check;

/// From the ground up.
const ROOMS: [&str; 22] = [
    "time: instants, spans and rates",
    "ablation: mechanisms that the lab can switch off",
    "bytes direction range serial sync: numbers as bytes, directions, checks of settings, serial numbers, atomics",
    "memory: memory that may be missing",
    "index: the place of a number",
    "shared: a value with several owners",
    "exchange: four stamps and what they prove, datagrams, whose clock it is",
    "estimate: an exchange in, an estimate out",
    "clock: an estimate in, a monotone clock out",
    "client: follows one server, and the next",
    "server: answers, adopts a timescale, watches rates",
    "link: a transport of our own beside the game's, without its sockets",
    "game game/timeline game/order game/start game/latency game/peer game/utc: what games do with the clock",
    "ffi/base: what all of the C ABI needs",
    "net: the sockets and threads of the link",
    "ffi/exchange: datagrams, for C",
    "ffi ffi/client: the clock, for C",
    "ffi/server: answers, adoptions and rate watches, for C",
    "ffi/link: sockets and threads of a link, for C",
    "ffi/order: order and prediction, for C",
    "ffi/timeline ffi/utc ffi/start ffi/latency ffi/peer: what else games do with it, for C",
    "ffi/tests: what every call does with bad input",
];

#[test]
fn rooms_use_only_those_above_them() {
    let wrong = check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &ROOMS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
