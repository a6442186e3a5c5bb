//! True delays of real kernel queues, recorded by `lab study netns` and embedded in the program.
//!
//! Studies can use each recording like a scenario. Half of the recordings are for tuning. The other half is
//! held out, so look at its figures only after a change to the clock is complete. Published figures include
//! both halves.

pub mod codec;

use std::path::Path;

use anyhow::{Context, Result};

use netclock_sim::{Case, Split, TICKS_PER_S, Trace};

const APART_S: f64 = 0.02;
/// A run starts at most this far into a recording. The seed determines where. Every run thus includes the
/// start of all queues and the loads that begin after 20 s.
const BEGIN_WITHIN_S: f64 = 15.0;
/// The length of a run, so short that the recording does not repeat.
const RUN_S: f64 = 220.0;
const CLIENT_PPM: f64 = 50.0;

const BASE_S: f64 = 0.050;
const BUFFER_S: f64 = 0.250;

pub const HALVES: [&str; 2] = ["real", "held_out"];

macro_rules! recordings {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../recordings/", $name, ".delays")).as_slice())),*]
    };
}

/// `lab study netns --list` describes each recording.
const REAL: [(&str, &[u8]); 11] = recordings![
    "idle" "up_before" "up_after" "down_with" "both_before" "bbr_up_before" "bbr_both_after" "on_off" "route"
    "stopped" "two_queues"
];

const HELD_OUT: [(&str, &[u8]); 11] = recordings![
    "up_with" "down_before" "down_after" "both_with" "both_after" "bbr_down_before" "unequal" "nat" "blocked"
    "busy" "mark_dropped"
];

pub fn half(name: &str) -> Result<Vec<Case>> {
    let files = if name == HALVES[0] { REAL } else { HELD_OUT };
    files.iter().map(|(name, bytes)| converted(name, bytes, |delays| delays)).collect()
}

/// Returns the delays of the recording with this name (`real_NAME`), or of the file at this path.
pub fn trace(name: &str) -> Result<Trace> {
    let recordings = REAL.iter().chain(&HELD_OUT);
    let found = recordings.into_iter().find(|(other, _)| name.strip_prefix("real_") == Some(other));
    let Some((name, bytes)) = found else { return Trace::read(Path::new(name)) };
    traced(name, bytes, |delays| delays)
}

/// Scales the recording `up_before` to a base round-trip time of `base_s`. CUBIC's window, and therefore its
/// round-trip time, is proportional to the sum of the base delay and the buffer's delay.
pub fn up_before_at(base_s: f64) -> Result<Case> {
    let [_, (name, bytes), ..] = REAL;
    let stretch = (base_s + BUFFER_S) / (BASE_S + BUFFER_S);
    let delays = move |(up, down): (f64, f64)| {
        ((up + BASE_S / 2.0) * stretch - base_s / 2.0, down - BASE_S / 2.0 + base_s / 2.0)
    };
    converted(name, bytes, delays)
}

fn converted(name: &str, bytes: &[u8], change: impl Fn((f64, f64)) -> (f64, f64)) -> Result<Case> {
    let mut case = Case::recorded(traced(name, bytes, change)?, Split::Forward, CLIENT_PPM);
    (case.about, case.seconds) = ("recorded kernel queues".to_owned(), Some(RUN_S));
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
        for (name, bytes) in REAL.iter().chain(&HELD_OUT) {
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
