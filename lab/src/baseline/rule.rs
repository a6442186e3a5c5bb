use std::collections::VecDeque;

/// The timestamps of an exchange (s). `t0` and `t3` are relative to the first request's departure, and `t1`
/// and `t2` to its arrival at the server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stamps {
    pub(super) t0: f64,
    pub(super) t1: f64,
    pub(super) t2: f64,
    pub(super) t3: f64,
}

impl Stamps {
    pub(super) fn delta(&self) -> f64 {
        self.t3 - self.t0
    }

    /// The round-trip time without the server's processing time.
    pub(super) fn trip(&self) -> f64 {
        self.delta() - (self.t2 - self.t1)
    }

    pub(super) fn symmetric_offset(&self) -> f64 {
        ((self.t1 - self.t0) + (self.t2 - self.t3)) / 2.0
    }
}

/// Every `every_s` seconds, a clock sends `count` probes, `gap_s` seconds apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) count: u32,
    pub(super) gap_s: f64,
    /// Infinite if the clock sends only one series.
    pub(super) every_s: f64,
}

impl Pace {
    pub(super) const fn each(every_s: f64) -> Self {
        Self { count: 1, gap_s: 0.0, every_s }
    }
}

pub(super) trait Rule {
    fn update(&mut self, x: &Stamps);

    fn offset(&self, now: f64) -> Option<f64>;
}

pub(super) fn push_bounded<T>(last: &mut VecDeque<T>, value: T, most: usize) {
    if last.len() == most {
        last.pop_front();
    }
    last.push_back(value);
}

pub(super) fn median(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some((sorted[half - 1] + sorted[half]) / 2.0),
    }
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// Creates an exchange with a request sent at `t0` (s) and an immediate reply. `theta_ms` is server minus
    /// client time.
    pub(crate) fn exchange(t0: f64, forward_ms: f64, reverse_ms: f64, theta_ms: f64) -> Stamps {
        let t1 = t0 + (forward_ms + theta_ms) * 1e-3;
        Stamps { t0, t1, t2: t1, t3: t0 + (forward_ms + reverse_ms) * 1e-3 }
    }

    /// Rounds to 1 ns so that tests can compare offsets for equality.
    pub(crate) fn offset_ms(rule: &impl Rule, now: f64) -> f64 {
        (rule.offset(now).expect("synchronised") * 1e9).round() / 1e6
    }
}
