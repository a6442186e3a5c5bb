//! Detects unreported frame loops from timestamps alone.
//!
//! A frame loop takes timestamps at the starts of its frames, so they are whole frames apart. Let `d` be the
//! distances between neighbouring timestamps. If `f` is the loop's frequency or a multiple of it, the mean of
//! `cos(2 pi f d)` is near 1. For timestamps taken on arrival, it is near 0. Requests must be sent at random
//! times, because this method would otherwise detect their rhythm. A client's frame loop may send requests
//! whose delays vary by less than a frame. A server that timestamps them on arrival then looks as if it had a
//! loop at the same rate.

use core::f64::consts::TAU;
use core::ops::Range;

use super::{ENOUGH, POINTS, SLIGHT, TINY};

/// We ignore distances outside this range (s). Shorter distances come from bursts, whose timestamps are
/// evenly spaced, and longer distances would require a more precise frequency.
const DISTANCES: Range<f64> = 0.06..1.3;

const LEAST: usize = 12;

/// Range of loop frequencies (Hz). A frequency just below this range is attributed to the rhythm of requests.
const FREQUENCIES: Range<f64> = 8.0..250.0;

struct Distances {
    /// The distances (s), newest first.
    known: [f32; 6 * POINTS],
    count: usize,
}

impl Distances {
    /// Measures the distances between `stamps`, which must be ordered from newest to oldest.
    fn of(stamps: impl Iterator<Item = f64>) -> Self {
        let mut distances = Distances { known: [0.0; 6 * POINTS], count: 0 };
        let mut later = None;
        for stamp in stamps {
            let distance = later.replace(stamp).map_or(0.0, |later: f64| later - stamp);
            if DISTANCES.contains(&distance) && distances.count < distances.known.len() {
                distances.known[distances.count] = distance as f32;
                distances.count += 1;
            }
        }
        distances
    }

    fn known(&self) -> impl Iterator<Item = f64> + '_ {
        self.known[..self.count].iter().map(|&distance| f64::from(distance))
    }

    /// Returns 1 if all distances are whole periods of `frequency`. The worse the match, the smaller the
    /// result.
    fn aligned(&self, frequency: f64) -> f64 {
        mean_cosine(self.known().map(|distance| distance * frequency))
    }

    fn frequency(&self) -> Option<f64> {
        if self.count < LEAST {
            return None;
        }
        let (mut best, mut at) = (0.0, FREQUENCIES.end);
        // Over the longest distance, a step changes the phase by an eighth of a period.
        let step = 1.0 / (8.0 * DISTANCES.end);
        let mut from = FREQUENCIES.start;
        while from < FREQUENCIES.end {
            for (k, sum) in self.sums(from, step).into_iter().enumerate() {
                if sum > best {
                    (best, at) = (sum, from + k as f64 * step);
                }
            }
            from += POINTS as f64 * step;
        }
        let mut aligned = self.aligned(at);
        for k in -4..=4 {
            let near = at + f64::from(k) * step / 8.0;
            let there = self.aligned(near);
            if there > aligned {
                (aligned, at) = (there, near);
            }
        }
        // Fewer than one in 1,000 sessions without a loop meet this condition by chance.
        let is_sure = aligned > 1.0 - SLIGHT || aligned * aligned * (self.count as f64) > ENOUGH as f64;
        if !is_sure {
            return None;
        }
        // Multiples of the loop's frequency match as well. Use the lowest fraction that matches almost as
        // well.
        let lowest = FREQUENCIES.start;
        let mut parts = (1..=(2.0 * at / lowest) as u32).rev().map(|part| at / f64::from(part));
        parts.find(|&part| self.aligned(part) > aligned - SLIGHT).filter(|&part| part > lowest)
    }

    fn sums(&self, from: f64, step: f64) -> [f64; POINTS] {
        let mut sums = [0.0; POINTS];
        for distance in self.known() {
            let (mut sine, mut cosine) = (TAU * from * distance).sin_cos();
            let (sine_of_step, cosine_of_step) = (TAU * step * distance).sin_cos();
            for sum in &mut sums {
                *sum += cosine;
                (sine, cosine) = (
                    sine * cosine_of_step + cosine * sine_of_step,
                    cosine * cosine_of_step - sine * sine_of_step,
                );
            }
        }
        sums
    }
}

fn mean_cosine(turns: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = turns.fold((0.0, 0.0), |(count, sum), turn| (count + 1.0, sum + (TAU * turn).cos()));
    sum / count
}

/// Returns the frame periods of the server and the client (s), or zero for an end without a loop. `stamps`
/// contains `t0`, `t1` and `t3` of each exchange, newest first. `steps` are the clock resolutions (s), which
/// are needed because a coarse clock looks like a loop. Not inlined, so that a fit needs less stack.
#[inline(never)]
pub(super) fn periods(stamps: impl Iterator<Item = [f64; 3]> + Clone, steps: [f64; 2]) -> [f64; 2] {
    let period = |distances: &Distances, step: f64| {
        distances.frequency().map(|frequency| 1.0 / frequency).filter(|period| *period > 1.5 * step)
    };
    let sent = Distances::of(stamps.clone().map(|[sent, ..]| sent));
    // A client's frame loop sends requests and receives replies at the starts of frames, with equal
    // precision. A reply never arrives in the frame of its request.
    let finds_replies = |period: &f64| {
        let trips =
            stamps.clone().take(sent.known.len()).map(|[sent, _, received]| (received - sent) / period);
        let short = trips.clone().filter(|trip| *trip < 0.5).count();
        let is_short = 2 * short >= trips.clone().count();
        !is_short && 1.0 - mean_cosine(trips) < 2.0 * (1.0 - sent.aligned(1.0 / period)) + TINY
    };
    let client = period(&sent, steps[1]).filter(finds_replies);
    let received = Distances::of(stamps.clone().map(|[_, received, _]| received));
    // Requests sent by a timer also arrive in the timer's rhythm.
    let is_timer = |period: f64| client.is_none() && sent.aligned(1.0 / period) > 0.5;
    let server = period(&received, steps[0]).filter(|period| !is_timer(*period));
    [server, client].map(|period| period.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(i: usize, key: usize) -> f64 {
        let mut mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key as u64) << 32;
        for _ in 0..3 {
            mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns the periods detected in 40 exchanges, one per second. An end with a `period` handles messages
    /// at frame starts, with a random delay of up to `late` (s). The round-trip time is at least 40 ms.
    fn seen(period: [f64; 2], late: f64, steps: [f64; 2], sent: impl Fn(usize) -> f64) -> [f64; 2] {
        let found = |at: f64, period: f64, lateness: f64| {
            if period > 0.0 { (at / period).ceil() * period + late * lateness } else { at }
        };
        let exchange = |i: usize| {
            let sent = found(sent(i), period[1], share(i, 1));
            let received = found(sent + 0.020 + 0.004 * share(i, 2), period[0], share(i, 3));
            [sent, received + 1e3, found(received + 0.020 + 0.004 * share(i, 4), period[1], share(i, 5))]
        };
        periods((0..40).rev().map(exchange), steps)
    }

    fn at_random(i: usize) -> f64 {
        i as f64 + 0.2 * share(i, 6)
    }

    #[test]
    fn loops_at_either_end_are_found() {
        for (server, client) in [(60.0, 60.0), (20.0, 144.0), (128.0, 30.0), (30.0, 90.3), (60.0, 59.94)] {
            for late in [0.0, 1e-3] {
                let periods = seen([1.0 / server, 1.0 / client], late, [0.0; 2], at_random);
                let near = |period: f64, rate: f64| (period * rate - 1.0).abs() < 5e-3;
                let text = format!("{server} and {client}: {periods:?}");
                assert!(near(periods[0], server) && near(periods[1], client), "{text}");
            }
        }
        let one_end = seen([0.0, 1.0 / 144.0], 0.0, [0.0; 2], at_random);
        assert!(one_end[0] == 0.0 && (one_end[1] * 144.0 - 1.0).abs() < 5e-3, "{one_end:?}");
    }

    #[test]
    fn no_loop_is_found_in_arrival_timestamps_or_timed_requests() {
        assert_eq!(seen([0.0; 2], 0.0, [0.0; 2], at_random), [0.0; 2]);
        for every in [1.0, 0.25, 0.1] {
            assert_eq!(seen([0.0; 2], 0.0, [0.0; 2], |i| i as f64 * every), [0.0; 2]);
        }
    }

    #[test]
    fn a_coarse_clock_is_not_mistaken_for_a_loop() {
        let step = 1.0 / 64.0;
        assert!(seen([0.0, step], 0.0, [0.0; 2], at_random)[1] > 0.0);
        assert_eq!(seen([0.0, step], 0.0, [0.0, step], at_random)[1], 0.0);
    }
}
