//! Examines this machine's clock, services that adjust the wall clock, and thread wake-up delays.

use std::thread::JoinHandle;
use std::time::Duration;

use netclock::Span;
use serde::Serialize;

use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;

const READS: usize = 50_000;
const NAP: Span = Span::from_millis(2);
const STALL: Span = Span::from_millis(20);
/// A change of the wall clock is a step if it is larger than this and faster than [`SLEWED_PPM`].
const SET: Span = Span::from_millis(5);
/// Time services slew clocks more slowly than this.
const SLEWED_PPM: f64 = 1_000.0;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Machine {
    pub(super) step_us: f64,
    pub(super) backwards: usize,
    pub(super) wall_slew_ppm: Option<f64>,
    pub(super) wall_set_ms: Option<f64>,
    pub(super) stalls: usize,
    pub(super) longest_stall_ms: f64,
}

pub(super) struct Examination {
    start: (Span, MachineTime),
    stop: Stop,
    stalls: JoinHandle<(usize, Span)>,
}

impl Examination {
    pub(super) fn begin() -> Self {
        let stop = Stop::default();
        let until = stop.clone();
        let stalls = std::thread::spawn(move || watch_for_stalls(&until));
        Examination { start: clock::pairing(), stop, stalls }
    }

    pub(super) fn end(self) -> Machine {
        let (step, backwards) = steps(|| clock::now().ticks(), READS);
        let (pairing, now) = clock::pairing();
        self.stop.set();
        // If the thread has panicked, no stalls are reported.
        let (stalls, longest) = self.stalls.join().unwrap_or_default();
        let (set, slew) = wall(pairing - self.start.0, now - self.start.1);
        Machine {
            step_us: step.as_millis_f64() * 1e3,
            backwards,
            wall_slew_ppm: slew,
            wall_set_ms: set,
            stalls,
            longest_stall_ms: longest.as_millis_f64(),
        }
    }
}

fn steps(mut read: impl FnMut() -> i64, reads: usize) -> (Span, usize) {
    let (mut least, mut backwards, mut last) = (i64::MAX, 0, read());
    for _ in 0..reads {
        let now = read();
        match now - last {
            0 => {}
            back if back < 0 => backwards += 1,
            step => least = least.min(step),
        }
        last = now;
    }
    (Span::from_ticks(if least == i64::MAX { 0 } else { least }), backwards)
}

/// Returns the step (ms) or the slew rate (ppm) relative to the monotonic clock.
fn wall(moved: Span, elapsed: Span) -> (Option<f64>, Option<f64>) {
    let ppm = moved.as_secs_f64() / elapsed.as_secs_f64().max(1e-3) * 1e6;
    if moved.abs() > SET && ppm.abs() > SLEWED_PPM {
        (Some(moved.as_millis_f64()), None)
    } else {
        (None, Some(ppm))
    }
}

fn watch_for_stalls(until: &Stop) -> (usize, Span) {
    let (mut stalls, mut longest) = (0, Span::ZERO);
    while !until.is_set() {
        let due = clock::now() + NAP;
        std::thread::sleep(Duration::from_millis(2));
        let late = clock::now() - due;
        stalls += usize::from(late > STALL);
        longest = longest.max(late);
    }
    (stalls, longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_backward_reads_are_detected() {
        let mut shown = [0, 0, 300, 300, 400, 390, 800].into_iter();
        let found = steps(|| shown.next().unwrap_or(0), 6);
        assert_eq!(found, (Span::from_ticks(100), 1));
        assert_eq!(steps(|| 7, 10), (Span::ZERO, 0), "a stopped clock has no step");
    }

    #[test]
    fn a_stepped_wall_clock_is_distinguished_from_a_slewed_one() {
        let ten = Span::from_secs(10);
        assert_eq!(wall(Span::from_micros(5_000), ten), (None, Some(500.0)));
        assert_eq!(wall(Span::from_millis(-2_000), ten), (Some(-2_000.0), None));
    }
}
