//! A smoothed round trip r (weight 1/12, outliers clamped) and its deviation v (weight 1/6). Each answer
//! gives raw = S + r / 2 - t3. The offset follows raw with a weight that falls from 0.10 to 0.02 as the
//! jitter v / 2 grows from 1 to 10 ms.
//! Source: lightyear, networking for the Bevy game engine.

use super::rule::{Pace, Rule, Stamps, Terms};

const TRIP_WEIGHT: f64 = 1.0 / 12.0;
const DEVIATION_WEIGHT: f64 = 1.0 / 6.0;
/// A trip beyond r + 3 v is an outlier, unless it is within 1.2 r.
const OUTLIER: f64 = 3.0;
/// See [`OUTLIER`].
const NEVER_OUTLIER: f64 = 1.2;
/// A jitter (s) and its weight of a new value. Between this and [`NOISY`], the weight is interpolated.
const CALM: (f64, f64) = (0.001, 0.10);
/// As [`CALM`], at the noisy end.
const NOISY: (f64, f64) = (0.010, 0.02);

/// The state: smoothed trip, its deviation, the offset (s).
#[derive(Default)]
pub(super) struct Lightyear {
    smoothed: Option<(f64, f64)>,
    offset: Option<f64>,
}

impl Rule for Lightyear {
    fn terms(&self) -> Terms {
        Terms::four_stamps("lightyear", Pace::each(0.1))
    }

    fn take(&mut self, x: &Stamps) {
        let (trip, deviation) = match self.smoothed {
            None => (x.trip(), x.trip() / 2.0),
            Some((trip, deviation)) => {
                let limit = (trip + OUTLIER * deviation).max(NEVER_OUTLIER * trip);
                let sample = x.trip().min(limit);
                (
                    trip + TRIP_WEIGHT * (sample - trip),
                    deviation + DEVIATION_WEIGHT * ((sample - trip).abs() - deviation),
                )
            }
        };
        self.smoothed = Some((trip, deviation));
        let raw = x.t2 + trip / 2.0 - x.t3;
        let noisiness = ((deviation / 2.0 - CALM.0) / (NOISY.0 - CALM.0)).clamp(0.0, 1.0);
        let weight = CALM.1 + (NOISY.1 - CALM.1) * noisiness;
        self.offset = Some(self.offset.map_or(raw, |offset| offset + weight * (raw - offset)));
    }

    fn offset(&mut self, _now: f64) -> Option<f64> {
        self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule::testing::exchange;
    use super::*;

    #[test]
    fn outliers_are_clamped() {
        let mut rule = Lightyear::default();
        rule.take(&exchange(0.0, 20.0, 20.0, 0.0));
        rule.take(&exchange(1.0, 20.0, 980.0, 0.0));
        let (trip, _) = rule.smoothed.unwrap();
        assert!((trip - (0.040 + 0.060 / 12.0)).abs() < 1e-12, "1000 ms count as 40 + 3 * 20: {trip}");
    }
}
