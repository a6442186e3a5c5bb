//! Delays of real kernel queues with the truth, recorded by `lab study netns` and built into the program.
//!
//! Each recording is a case for the studies, beside the scenarios. One half of the recordings is for tuning.
//! The other half is held out: look at its figures only when a change to the clock is finished. Published
//! figures come from both halves.

pub mod codec;

use std::path::Path;

use anyhow::{Context, Result};

use netclock_sim::case::Case;
use netclock_sim::clock::TICKS_PER_S;
use netclock_sim::trace::{Split, Trace};

/// Time between probes (s).
const APART_S: f64 = 0.02;
/// A run begins up to this much later than the recording, depending on its seed (s). That is less than the 20
/// s after which a queue or a busy machine appears.
const BEGIN_WITHIN_S: f64 = 15.0;
/// Length of a run (s), short enough that the recording does not wrap around.
const RUN_S: f64 = 220.0;
/// The rate error of the clients' clocks, as in the recordings (ppm).
const CLIENT_PPM: f64 = 50.0;

/// Base round trip of the recordings, and the delay of their buffers when full (s).
const BASE_S: f64 = 0.050;
const BUFFER_S: f64 = 0.250;

/// The halves, by their command-line names.
pub const HALVES: [&str; 2] = ["real", "held_out"];

macro_rules! recordings {
    ($($name:literal: $about:literal),* $(,)?) => {
        [$(($name, $about, include_bytes!(concat!("../../recordings/", $name, ".delays")).as_slice())),*]
    };
}

/// The recordings for tuning.
const REAL: [(&str, &str, &[u8]); 11] = recordings![
    "idle": "real: nothing else is on the path",
    "up_before": "real: a CUBIC queue up stands before the client",
    "up_after": "real: a CUBIC queue up begins after the client",
    "down_with": "real: a CUBIC queue down begins with the client",
    "both_before": "real: CUBIC queues both ways stand before the client",
    "bbr_up_before": "real: a BBR queue up stands before the client",
    "bbr_both_after": "real: BBR queues both ways begin after the client",
    "on_off": "real: a CUBIC queue up, 12 s on and 12 s off",
    "route": "real: 40 ms longer up for 50 s",
    "stopped": "real: the client's processes are stopped for 20 s",
    "two_queues": "real: a CUBIC queue up that marked packets need not join",
];

/// The recordings held out of tuning.
const HELD_OUT: [(&str, &str, &[u8]); 11] = recordings![
    "up_with": "held out: a CUBIC queue up begins with the client",
    "down_before": "held out: a CUBIC queue down stands before the client",
    "down_after": "held out: a CUBIC queue down begins after the client",
    "both_with": "held out: CUBIC queues both ways begin with the client",
    "both_after": "held out: CUBIC queues both ways begin after the client",
    "bbr_down_before": "held out: a BBR queue down stands before the client",
    "unequal": "held out: 45 ms up, 5 ms down",
    "nat": "held out: the NAT forgets every 25 s",
    "blocked": "held out: no UDP for 40 s, then none down for 20 s",
    "busy": "held out: all cores busy from second 20",
    "mark_dropped": "held out: marked packets are dropped from second 60",
];

/// The recordings of one of the [`HALVES`].
pub fn half(name: &str) -> Result<Vec<Case>> {
    let files = if name == HALVES[0] { REAL } else { HELD_OUT };
    files.iter().map(|(name, about, bytes)| changed(name, about, bytes, |delays| delays)).collect()
}

/// The delays from the recording `real_NAME`, or else from the file with that path.
pub fn trace(name: &str) -> Result<Trace> {
    let recordings = REAL.iter().chain(&HELD_OUT);
    let found = recordings.into_iter().find(|(other, ..)| name.strip_prefix("real_") == Some(other));
    let Some((name, _, bytes)) = found else { return Trace::read(Path::new(name)) };
    traced(name, bytes, |delays| delays)
}

/// The recording `up_before` on a path with a base round trip of `base_s`. CUBIC's window, and therefore its
/// round trips, are proportional to the sum of base and buffer.
pub fn up_before_at(base_s: f64) -> Result<Case> {
    let [_, (name, about, bytes), ..] = REAL;
    let stretch = (base_s + BUFFER_S) / (BASE_S + BUFFER_S);
    let delays = move |(up, down): (f64, f64)| {
        ((up + BASE_S / 2.0) * stretch - base_s / 2.0, down - BASE_S / 2.0 + base_s / 2.0)
    };
    changed(name, about, bytes, delays)
}

/// A recording whose delays up and down (s) are the recorded ones, converted by `change`.
fn changed(name: &str, about: &str, bytes: &[u8], change: impl Fn((f64, f64)) -> (f64, f64)) -> Result<Case> {
    let mut case = Case::recorded(traced(name, bytes, change)?, Split::Forward, CLIENT_PPM);
    (case.about, case.seconds) = (about.to_owned(), Some(RUN_S));
    Ok(case)
}

fn traced(name: &str, bytes: &[u8], change: impl Fn((f64, f64)) -> (f64, f64)) -> Result<Trace> {
    let probes = codec::decode(bytes).with_context(|| format!("recording {name}"))?;
    let seconds = |ticks: i64| ticks as f64 / TICKS_PER_S;
    let delays = probes.iter().map(|probe| probe.map(|(up, down)| change((seconds(up), seconds(down)))));
    Ok(Trace::of_probes(&format!("real_{name}"), APART_S, delays, BEGIN_WITHIN_S))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_are_long_enough_for_a_run() {
        for (name, _, bytes) in REAL.iter().chain(&HELD_OUT) {
            let probes = codec::decode(bytes).unwrap_or_default();
            assert!(
                probes.len() as f64 * APART_S > RUN_S + BEGIN_WITHIN_S,
                "{name}: {} probes",
                probes.len()
            );
            assert!(probes.iter().flatten().count() > probes.len() / 5, "{name}");
        }
    }
}
