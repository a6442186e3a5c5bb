//! Tracks a participant and computes how early to announce a start to it (docs/theory.md, "When to start").

use super::config::StartConfig;
use super::message::{Claim, Fired};
use crate::clock::{ServerTime, Span};

/// Interval between copies of the same announcement.
pub(super) const INTERVAL: Span = Span::from_millis(50);
/// The lowest loss rate to assume, as a fraction of messages. Losses occur in bursts, and copies that take
/// longer than the smallest round trip count as lost.
const LEAST_LOSS: f64 = 0.2;
/// A participant counts as silent if no report has arrived for this long (six reporting intervals).
const SILENT_AFTER: Span = Span::from_millis(6 * 250);
/// The counts are halved whenever they reach this number, to give older messages less weight.
const COUNTED: u32 = 64;

#[derive(Clone, Copy, Debug)]
pub(super) struct Readiness {
    pub(super) claim: Claim,
    number: u32,
    at: ServerTime,
    sent: u32,
    arrived: u32,
    outages: Outages,
}

const OUTAGE: u32 = 2;
/// Outages are ignored if independent losses would cause that many with at least this probability.
const BY_CHANCE: f64 = 1e-5;
/// Longer outages are clamped to this, because the participant was probably away.
const LONGEST_OUTAGE: Span = Span::from_secs(10);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Outages {
    count: u32,
    /// `silent` and `observed` are in seconds.
    silent: f64,
    observed: f64,
    /// Independent losses typically affect a single message between two received ones.
    arrived: u32,
    single: u32,
}

impl Outages {
    fn add(&mut self, lost: u32, elapsed: Span) {
        let seconds = elapsed.min(LONGEST_OUTAGE).as_secs_f64().max(0.0);
        self.observed += seconds;
        self.arrived += 1;
        self.single += u32::from(lost == 1);
        if lost >= OUTAGE {
            self.count += 1;
            self.silent += seconds;
        }
    }

    /// Independent losses cause a Poisson-distributed number of outages, with a tail of at most `E^n / n!`.
    /// Laplace's rule of succession makes the loss rate usable after few messages.
    fn are_chance(&self) -> bool {
        let loss = f64::from(self.single + 1) / f64::from(self.arrived + 2);
        let expected = f64::from(self.arrived) * loss * loss;
        let tail: f64 = (1..=self.count).map(|count| expected / f64::from(count)).product();
        tail >= BY_CHANCE
    }

    /// Returns the duration that an ongoing outage exceeds with probability `missed`, assuming exponentially
    /// distributed durations. If there were few outages, this overestimates their mean duration.
    fn allowance(&self, missed: f64) -> Span {
        if self.are_chance() {
            return Span::ZERO;
        }
        let count = f64::from(self.count);
        let mean = self.silent / count * (1.0 + 1.0 / count.sqrt());
        let share = count * mean / self.observed.max(self.silent);
        Span::from_secs_f64(mean * (share / missed).ln().max(0.0)).min(LONGEST_OUTAGE)
    }
}

impl Readiness {
    /// Applies Laplace's rule of succession, because there may be few messages.
    pub(super) fn loss(&self) -> f64 {
        let lost = f64::from(self.sent - self.arrived + 1) / f64::from(self.sent + 2);
        lost.min(0.9)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) id: u64,
    pub(super) readiness: Option<Readiness>,
    pub(super) counted: bool,
    pub(super) acknowledged: u32,
    pub(super) fired: Option<Fired>,
}

impl Member {
    pub(super) fn new(id: u64) -> Self {
        Member { id, readiness: None, counted: false, acknowledged: 0, fired: None }
    }

    /// Returns false if the report is old or repeated, and otherwise stores its claim and counts the lost
    /// reports.
    pub(super) fn note_readiness(&mut self, number: u32, claim: Claim, now: ServerTime) -> bool {
        let Some(readiness) = &mut self.readiness else {
            let outages = Outages::default();
            self.readiness = Some(Readiness { claim, number, at: now, sent: 1, arrived: 1, outages });
            return true;
        };
        if number <= readiness.number {
            return false;
        }
        readiness.outages.add(number - readiness.number - 1, now - readiness.at);
        readiness.sent += (number - readiness.number).min(COUNTED);
        readiness.arrived += 1;
        if readiness.sent >= COUNTED {
            (readiness.sent, readiness.arrived) = (readiness.sent / 2, readiness.arrived / 2);
        }
        (readiness.number, readiness.claim, readiness.at) = (number, claim, now);
        true
    }

    pub(super) fn is_silent(&self, now: ServerTime) -> bool {
        self.readiness.is_none_or(|readiness| (now - readiness.at).abs() > SILENT_AFTER)
    }

    /// Returns how early to announce a start so that the participant misses the start with probability
    /// `missed` at most.
    pub(super) fn lead_time(&self, config: &StartConfig, missed: f64) -> Span {
        let Some(readiness) = &self.readiness else { return Span::MAX };
        let repeats = copies(readiness.loss().max(LEAST_LOSS), missed) - 1;
        // Copies are sent in frames, and a copy may become due just after a frame.
        let spacing = INTERVAL + config.frame;
        // All copies sent during an outage are lost. Limit the allowance, so that outages alone never make a
        // participant too slow for a start.
        let outage = readiness.outages.allowance(missed).min(Span::from_ticks(config.patience.ticks() / 4));
        let sending = Span::from_ticks(spacing.ticks() * repeats).max(outage);
        sending + readiness.claim.round_trip + readiness.claim.error_bound + config.frame + config.frame
    }
}

fn copies(loss: f64, missed: f64) -> i64 {
    let (mut copies, mut all_lost) = (1, loss);
    // The loop takes at most 175 iterations, with a `loss` of 0.9 and `missed` of 10^-8.
    while all_lost > missed {
        all_lost *= loss;
        copies += 1;
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lead_times_cover_outages() {
        // Each case starts with the mean durations in seconds of a Gilbert-Elliott channel's good and bad
        // periods. Without an allowance for outages, a lead time of 0.5 s would make at least the stated
        // fraction of announcements late.
        for (good, bad, ignorant) in [(30.0, 0.5, 4e-3), (10.0, 1.0, 4e-2), (30.0, 2.0, 4e-2)] {
            let mut word = 1_u64;
            let mut exponential = |mean: f64| {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                -mean * (1.0 - (word >> 11) as f64 / (1_u64 << 53) as f64).ln()
            };
            let mut outages = Outages::default();
            let (mut at, mut end, mut late, mut unaware, mut seen) = (0.0, exponential(good), 0.0, 0.0, 0.0);
            for _ in 0..20_000 {
                let length = exponential(bad);
                // The remainder of an outage has the same distribution as the whole.
                let lead = outages.allowance(1e-3).as_secs_f64();
                if outages.count >= 20 {
                    late += (length - lead).max(0.0);
                    unaware += (length - 0.5_f64).max(0.0);
                    seen += length + end;
                }
                let lost = (length / 0.25) as u32;
                outages.add(0, Span::from_secs_f64(end));
                outages.add(lost, Span::from_secs_f64(length));
                at += end + length;
                end = exponential(good);
                if outages.count == 40 {
                    outages = Outages::default();
                }
            }
            assert!(at > 0.0 && unaware / seen > ignorant, "{good} s, {bad} s: {}", unaware / seen);
            assert!(late / seen < 2e-3, "{good} s, {bad} s: {}", late / seen);
        }
        assert_eq!(Outages::default().allowance(1e-5), Span::ZERO);
    }

    #[test]
    fn no_more_copies_than_necessary_are_sent() {
        for (loss, missed) in [(0.01_f64, 0.4), (0.1, 1e-3), (0.2, 1e-5), (0.5, 1e-6), (0.9, 1e-8)] {
            let copies = copies(loss, missed) as i32;
            assert!(loss.powi(copies) <= missed * 1.000_001, "{loss}: {copies}");
            assert!(
                copies == 1 || loss.powi(copies - 1) > missed,
                "{loss}: {copies} are more than necessary"
            );
        }
    }
}
