//! A Kalman filter for offset and drift, in microseconds. Source: Sendspin's time filter.
//!
//! The filter measures the offset of each exchange under the assumption of equal delays. The error bound e is
//! half the round-trip time, and the variance is (e / 2)^2. The drift noise is 1e-22 per us. After 100
//! measurements, a residual of more than 3 e multiplies the covariance by 4. The drift is used only if
//! drift^2 > 4 P_drift.

use super::rule::{Rule, Stamps};

const DRIFT_NOISE: f64 = 1e-22;
const SETTLED_COUNT: u32 = 100;
const SURPRISE: f64 = 3.0;
const FORGETTING: f64 = 4.0;
const BURST: usize = 8;
const US_PER_S: f64 = 1e6;

/// The estimates and covariances as of the last measurement (us).
#[derive(Default)]
pub(super) struct Sendspin {
    count: u32,
    at: f64,
    offset: f64,
    drift: f64,
    p_offset: f64,
    p_both: f64,
    p_drift: f64,
}

impl Sendspin {
    fn measure(&mut self, x: &Stamps) {
        let (at, measured) = (x.t3 * US_PER_S, x.symmetric_offset() * US_PER_S);
        let bound = x.trip() / 2.0 * US_PER_S;
        let noise = (bound / 2.0).powi(2).max(1e-6);
        let passed = at - self.at;
        if self.count > 0 && passed <= 0.0 {
            return;
        }
        self.at = at;
        self.count += 1;
        match self.count {
            1 => (self.offset, self.p_offset) = (measured, noise),
            2 => {
                self.drift = (measured - self.offset) / passed;
                self.p_drift = (self.p_offset + noise) / passed.powi(2);
                (self.offset, self.p_offset, self.p_both) = (measured, noise, noise / passed);
            }
            _ => self.correct(passed, measured, bound, noise),
        }
    }

    fn correct(&mut self, passed: f64, measured: f64, bound: f64, noise: f64) {
        let predicted = self.offset + self.drift * passed;
        let mut p_drift = self.p_drift + DRIFT_NOISE * passed;
        let mut p_both = self.p_both + self.p_drift * passed;
        let mut p_offset = self.p_offset + 2.0 * self.p_both * passed + self.p_drift * passed.powi(2);
        let residual = measured - predicted;
        if self.count > SETTLED_COUNT && residual.abs() > SURPRISE * bound {
            (p_drift, p_both, p_offset) = (p_drift * FORGETTING, p_both * FORGETTING, p_offset * FORGETTING);
        }
        let total = p_offset + noise;
        let (gain_offset, gain_drift) = (p_offset / total, p_both / total);
        self.offset = predicted + gain_offset * residual;
        self.drift += gain_drift * residual;
        self.p_drift = p_drift - gain_drift * p_both;
        self.p_both = p_both * (1.0 - gain_offset);
        self.p_offset = p_offset * (1.0 - gain_offset);
    }

    fn offset_at(&self, now: f64) -> Option<f64> {
        let significant = self.drift.powi(2) > 4.0 * self.p_drift;
        let drift = if significant { self.drift } else { 0.0 };
        (self.count > 0).then(|| (self.offset + drift * (now * US_PER_S - self.at)) / US_PER_S)
    }
}

impl Rule for Sendspin {
    fn update(&mut self, x: &Stamps) {
        self.measure(x);
    }

    fn offset(&self, now: f64) -> Option<f64> {
        self.offset_at(now)
    }
}

/// Passes only the exchange with the shortest round trip out of every eight to the filter.
#[derive(Default)]
pub(super) struct Burst {
    filter: Sendspin,
    burst: Vec<Stamps>,
}

impl Rule for Burst {
    fn update(&mut self, x: &Stamps) {
        self.burst.push(*x);
        if self.burst.len() == BURST {
            if let Some(best) = self.burst.iter().min_by(|a, b| a.trip().total_cmp(&b.trip())) {
                self.filter.measure(best);
            }
            self.burst.clear();
        }
    }

    fn offset(&self, now: f64) -> Option<f64> {
        self.filter.offset_at(now)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule::testing::{exchange, offset_ms};
    use super::*;

    #[test]
    fn second_measurement_sets_the_drift() {
        let mut filter = Sendspin::default();
        filter.update(&exchange(0.0, 20.0, 20.0, 5.0));
        assert_eq!(offset_ms(&filter, 1.0), 5.0);
        filter.update(&exchange(1.0, 20.0, 20.0, 6.0));
        assert!((filter.drift - 1e-3).abs() < 1e-12);
        assert_eq!(offset_ms(&filter, 2.0), 6.0, "the drift is not yet significant");
    }
}
