//! Every bad value of every argument, really passed: what comes back, and that nothing changed.
//!
//! The test writes `docs/c-abi-bad-input.md` from what it saw and compares it with the committed one.

mod bench;
mod client;
mod config;
mod exchange;
mod handover;
mod keyed;
mod latency;
mod link;
mod messages;
mod order;
mod peer;
mod rate_watch;
mod saved;
mod start;
mod table;
mod utc;
mod world;

use crate::ffi::tests::{HEADERS, headers, written};
use table::Table;

/// They take nothing that could be bad.
const WITHOUT_ARGUMENTS: [&str; 6] = [
    "netclock_version_string",
    "netclock_abi_version",
    "netclock_abi_revision",
    "netclock_last_error",
    "netclock_boot_id",
    "netclock_monotonic_now",
];

const FILE: &str = "docs/c-abi-bad-input.md";

#[test]
fn bad_input_does_what_the_documentation_says() {
    let mut table = Table::default();
    config::rows(&mut table);
    saved::rows(&mut table);
    client::rows(&mut table);
    exchange::rows(&mut table);
    client::reading_rows(&mut table);
    messages::server_rows(&mut table);
    keyed::server_rows(&mut table);
    rate_watch::rows(&mut table);
    messages::rows(&mut table);
    keyed::message_rows(&mut table);
    world::rows(&mut table);
    order::rows(&mut table);
    start::rows(&mut table);
    start::participant::rows(&mut table);
    handover::rows(&mut table);
    handover::adoption::rows(&mut table);
    peer::relay::rows(&mut table);
    peer::rows(&mut table);
    latency::rows(&mut table);
    link::rows(&mut table);
    link::carried::rows(&mut table);
    utc::rows(&mut table);
    let functions: Vec<&str> = headers::functions(&HEADERS).collect();
    assert!(functions.contains(&"netclock_client_tick"), "no functions found in the headers");
    for function in functions.iter().filter(|function| !WITHOUT_ARGUMENTS.contains(function)) {
        assert!(table.has(function), "{function} is not in the table");
    }
    written::compare(FILE, &table.markdown());
}
