//! Tests of the public Rust API in simulated time.

mod asking;
mod asymmetry;
mod crystals;
mod faults;
mod handover;
mod hints;
mod link;
mod peer;
mod peer_refusals;
mod sample_counter;
mod security;
mod session;
mod slew;
mod timeline_publisher;
mod timeline_reads;

#[path = "../support/relayed.rs"]
mod relayed;

use netclock_sim::pair::{Link, Pair, RunRecord};

/// Runs for `seconds` and asserts that all readings are within their bounds and never go backwards.
#[track_caller]
fn assert_run(pair: &mut Pair, seconds: f64) -> RunRecord {
    let seen = pair.run(seconds);
    assert_eq!((seen.account.outside, seen.account.backwards), (0, 0));
    seen
}

/// Returns a client that has followed its server for 20 s.
fn settled(link: Link) -> Pair {
    let mut pair = Pair::new(link);
    assert_run(&mut pair, 20.0);
    assert!(pair.client.is_time_synced());
    pair
}
