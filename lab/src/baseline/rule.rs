//! A published clock: a rule that computes an offset from timestamps.

use std::collections::VecDeque;

/// The stamps of an exchange (s). `t0` and `t3` count from the moment the first exchange was sent, `t1` and
/// `t2` from the moment the server received it. The offset between the two origins is added at the end of a
/// calculation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stamps {
    /// Client: sent.
    pub(super) t0: f64,
    /// Server: received.
    pub(super) t1: f64,
    /// Server: answered.
    pub(super) t2: f64,
    /// Client: received.
    pub(super) t3: f64,
}

impl Stamps {
    /// The round trip including the time on the server, as a two-stamp system sees it.
    pub(super) fn delta(&self) -> f64 {
        self.t3 - self.t0
    }

    /// The round trip on the network.
    pub(super) fn trip(&self) -> f64 {
        self.delta() - (self.t2 - self.t1)
    }

    /// The offset, if both directions took equally long.
    pub(super) fn middle(&self) -> f64 {
        ((self.t1 - self.t0) + (self.t2 - self.t3)) / 2.0
    }
}

/// A clock's schedule: a series of `count` probes, `gap_s` apart, every `every_s`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Probes in a series.
    pub(super) count: u32,
    /// Time between the probes of a series (s).
    pub(super) gap_s: f64,
    /// Time from the start of one series to the start of the next (s); infinite: only one series.
    pub(super) every_s: f64,
}

impl Pace {
    /// Single probes, one every `every_s` seconds.
    pub(super) const fn each(every_s: f64) -> Self {
        Self { count: 1, gap_s: 0.0, every_s }
    }
}

/// How a published clock turns stamps into an offset.
pub(super) trait Rule {
    /// Learns from an exchange at time `t3`.
    fn take(&mut self, x: &Stamps);

    /// The estimate of theta used at `now` (s, client).
    fn offset(&self, now: f64) -> Option<f64>;
}

/// Adds a value, and drops the oldest values beyond `most`.
pub(super) fn keep<T>(last: &mut VecDeque<T>, value: T, most: usize) {
    if last.len() == most {
        last.pop_front();
    }
    last.push_back(value);
}

/// The median of sorted values. If their number is even, this is the mean of the two middle values.
pub(super) fn middle(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some((sorted[half - 1] + sorted[half]) / 2.0),
    }
}

/// The mean; `None` without values.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// An exchange that was sent at `t0` (s), took `forward_ms` and `reverse_ms`, and was answered at once.
    /// `theta_ms` is server minus client.
    pub(crate) fn exchange(t0: f64, forward_ms: f64, reverse_ms: f64, theta_ms: f64) -> Stamps {
        let t1 = t0 + (forward_ms + theta_ms) * 1e-3;
        Stamps { t0, t1, t2: t1, t3: t0 + (forward_ms + reverse_ms) * 1e-3 }
    }

    /// The rule's offset at `now` in ms, rounded to 1 ns.
    pub(crate) fn offset_ms(rule: &impl Rule, now: f64) -> f64 {
        (rule.offset(now).expect("synchronised") * 1e9).round() / 1e6
    }
}
