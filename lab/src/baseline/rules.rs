//! Rules whose offset changes only when an exchange arrives.

use std::collections::VecDeque;

use super::rule::{Rule, Stamps, mean, median, push_bounded};
use netclock_sim::sorted;

struct Held<F> {
    rule: F,
    offset: Option<f64>,
}

impl<F: FnMut(&Stamps) -> Option<f64>> Rule for Held<F> {
    fn update(&mut self, x: &Stamps) {
        self.offset = (self.rule)(x);
    }

    fn offset(&self, _now: f64) -> Option<f64> {
        self.offset
    }
}

fn held(rule: impl FnMut(&Stamps) -> Option<f64>) -> impl Rule {
    Held { rule, offset: None }
}

/// Measures the offset once, when the player joins: offset = S + (t3 - t0) / 2 - t3. Source: J. Sutphin's
/// synchronised clock for Unreal, 2018.
pub(super) fn one_shot() -> impl Rule {
    let mut first = None;
    held(move |x| Some(*first.get_or_insert(x.t1 + x.delta() / 2.0 - x.t3)))
}

/// Takes the median of the offsets ((t1 - t0) + (t2 - t3)) / 2 of the last 16 exchanges. Source: a
/// derivation of clock offsets for lockstep games.
pub(super) fn median_offset() -> impl Rule {
    let mut offsets = VecDeque::new();
    held(move |x| {
        push_bounded(&mut offsets, x.symmetric_offset(), 16);
        median(&sorted(offsets.iter().copied()))
    })
}

/// Takes the last 16 half round trips, but discards any that are more than one standard deviation from the
/// median. The mean of the others is the latency, and offset = S + latency - t3 for the newest exchange.
/// Source: P. Marquez, who synchronised two clients through the game server.
pub(super) fn trimmed_mean() -> impl Rule {
    let mut halves = VecDeque::new();
    held(move |x| {
        push_bounded(&mut halves, x.delta() / 2.0, 16);
        let halves = sorted(halves.iter().copied());
        let (centre, average) = (median(&halves)?, mean(&halves)?);
        let squares: f64 = halves.iter().map(|half| (half - average).powi(2)).sum();
        let deviation = (squares / (halves.len() as f64 - 1.0).max(1.0)).sqrt();
        let near = halves.iter().copied().filter(|half| (half - centre).abs() <= deviation);
        // The median of an even number of values may be far from all of them.
        Some(x.t1 + mean(&near.collect::<Vec<_>>()).unwrap_or(centre) - x.t3)
    })
}

/// The server pushes its time every 5 s, and the client does not correct for the delay: offset = S - t3.
/// Source: Unreal Engine 4's replicated world time.
pub(super) fn engine_push() -> impl Rule {
    const PUSH_S: f64 = 5.0;
    let mut last = None;
    held(move |x| {
        if last.is_none_or(|(_, pushed)| x.t2 - pushed >= PUSH_S) {
            last = Some((x.t2 - x.t3, x.t2));
        }
        last.map(|(offset, _)| offset)
    })
}

/// The server pushes its time. With each push, the offset moves halfway to the mean of all differences S -
/// t3. After 250 pushes, the accumulated differences are replaced with their mean. Source: Unreal Engine 5's
/// replicated world time.
pub(super) fn engine_average() -> impl Rule {
    let (mut sum, mut count, mut offset) = (0.0, 0.0, None);
    held(move |x| {
        sum += x.t2 - x.t3;
        count += 1.0;
        let mean = sum / count;
        if count >= 250.0 {
            (sum, count) = (mean, 1.0);
        }
        offset = Some(offset.map_or(mean, |offset: f64| (offset + mean) / 2.0));
        offset
    })
}

/// Uses the exchange with the smallest round-trip time so far: offset = S - t0 - delta / 2. Source: Vorixo's
/// network clock for Unreal.
pub(super) fn vorixo_min() -> impl Rule {
    let (mut smallest, mut offset) = (f64::INFINITY, 0.0);
    held(move |x| {
        if x.delta() < smallest {
            (smallest, offset) = (x.delta(), x.t1 - x.t0 - x.delta() / 2.0);
        }
        Some(offset)
    })
}

/// Corrects the newest exchange with a trimmed mean: offset = S - t0 - a / 2, where a is the mean of the
/// middle 8 of the last 10 round-trip times. Source: Vorixo, like [`vorixo_min`].
pub(super) fn vorixo_trim() -> impl Rule {
    let mut trips = VecDeque::new();
    held(move |x| {
        push_bounded(&mut trips, x.delta(), 10);
        let trips = sorted(trips.iter().copied());
        let kept = if trips.len() == 10 { &trips[1..9] } else { &trips[..] };
        mean(kept).map(|trip| x.t1 - x.t0 - trip / 2.0)
    })
}

/// Uses the exchange with the smallest round-trip time among the last `most`. With 8, this is NTP's clock
/// filter. Sources: Mills, RFC 5905 section 10; Beatsync, which synchronises music between browsers and uses
/// 16.
pub(super) fn smallest_of(most: usize) -> impl Rule {
    let mut last = VecDeque::new();
    held(move |x| {
        push_bounded(&mut last, *x, most);
        last.iter().min_by(|a, b| a.trip().total_cmp(&b.trip())).map(Stamps::symmetric_offset)
    })
}

/// Uses the smallest delay in each direction over the last 10 s: offset = (min(t1 - t0) - min(t3 - t2)) / 2.
/// Source: catid's TimeSync.
pub(super) fn min_per_leg() -> impl Rule {
    let mut last = VecDeque::<Stamps>::new();
    held(move |x| {
        last.retain(|old| old.t3 >= x.t3 - 10.0);
        last.push_back(*x);
        let forward = last.iter().map(|x| x.t1 - x.t0).reduce(f64::min)?;
        let reverse = last.iter().map(|x| x.t3 - x.t2).reduce(f64::min)?;
        Some((forward - reverse) / 2.0)
    })
}

/// Limits each round trip to the larger of r + 3 v and 1.2 r. Then smooths the round-trip time r with a
/// weight of 1/12, and its deviation v with 1/6. The offset follows raw = S + r / 2 - t3 with a weight that
/// falls from 0.10 to 0.02 as the jitter v / 2 grows from 1 to 10 ms. Source: lightyear, networking for the
/// Bevy game engine.
pub(super) fn lightyear() -> impl Rule {
    let (mut smoothed, mut offset) = (None, None);
    held(move |x| {
        let (trip, deviation) =
            smoothed.map_or((x.trip(), x.trip() / 2.0), |(trip, deviation): (f64, f64)| {
                let off = x.trip().min((trip + 3.0 * deviation).max(1.2 * trip)) - trip;
                (trip + 1.0 / 12.0 * off, deviation + 1.0 / 6.0 * (off.abs() - deviation))
            });
        smoothed = Some((trip, deviation));
        let raw = x.t2 + trip / 2.0 - x.t3;
        let noisiness = ((deviation / 2.0 - 0.001) / (0.010 - 0.001)).clamp(0.0, 1.0);
        let weight = 0.10 + (0.02 - 0.10) * noisiness;
        offset = Some(offset.map_or(raw, |offset: f64| offset + weight * (raw - offset)));
        offset
    })
}

/// Each sample moves a reference clock by an eighth of the last 8 samples' mean offset. If the mean exceeds 2
/// s, the clock steps. Samples are relative to the reference clock, and are not adjusted when it moves. The
/// weight of a sample is ln(1 + round trip), so long round trips count more. Source: netfox, multiplayer
/// addons for Godot.
pub(super) fn netfox() -> impl Rule {
    // `moves` stores (client time, offset before the move), and `samples` stores (offset, weight).
    let (mut moves, mut samples) = (VecDeque::<(f64, f64)>::new(), VecDeque::<(f64, f64)>::new());
    let mut offset = None;
    held(move |x| {
        let Some(current) = offset else {
            moves.push_back((x.t3, 0.0));
            offset = Some(x.symmetric_offset());
            return offset;
        };
        let then = moves.iter().find(|(at, _)| *at > x.t0).map_or(current, |(_, before)| *before);
        let (sent, received) = (x.t0 + then, x.t3 + current);
        let sample = ((x.t1 - sent) + (x.t2 - received)) / 2.0;
        push_bounded(&mut samples, (sample, (1.0 + (received - sent)).ln()), 8);
        let add = |(sum, weights), (offset, weight): &(f64, f64)| (sum + offset * weight, weights + weight);
        let (sum, weights) = samples.iter().fold((0.0, 0.0), add);
        let mut by = if weights > 0.0 { sum / weights } else { 0.0 };
        if by.abs() > 2.0 {
            samples.clear();
        } else {
            by /= 8.0;
        }
        push_bounded(&mut moves, (x.t3, current), 64);
        offset = Some(current + by);
        offset
    })
}
