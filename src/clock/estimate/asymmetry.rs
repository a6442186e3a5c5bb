//! Learns from route changes how much the delays of the two directions differ.
//!
//! A single exchange cannot separate the delays of the two directions. However, an offset known before a
//! route change remains valid. The new midpoint of the bounds therefore shows how the difference between the
//! directions has changed. All exchanges over the new route have the same error. The result is therefore
//! still valid after a server restart and in later sessions.

use super::{EVIDENT, SLIGHT, TINY};

/// We ignore smaller differences (s) between the directions, because they may be jitter.
pub(super) const NOTICEABLE: f64 = 0.5e-3;

/// A route's tightest bounds (s), projected to local time zero at the best rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) upper: f64,
    pub(crate) lower: f64,
    /// Standard deviation of the midpoint due to queueing (s).
    pub(crate) sigma: f64,
}

impl Route {
    pub(crate) fn round_trip(&self) -> f64 {
        self.upper - self.lower
    }
}

/// A route's round-trip time and, if known, the difference between the delays of its directions, all in
/// seconds. The resolution of `f32` is finer than that of any clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Asymmetry {
    round_trip: f32,
    /// How far the midpoint of the bounds exceeds the offset.
    apart: f32,
    sigma: f32,
    /// The asymmetry no longer applies if the round-trip time differs from `round_trip` by more than this.
    reach: f32,
}

impl Asymmetry {
    /// Computes the asymmetry of `route` from the true offset `middle` and its standard deviation `sigma`.
    /// Returns `None` if the asymmetry is not significant.
    pub(crate) fn of(route: &Route, middle: f64, sigma: f64) -> Option<Self> {
        let apart = (route.upper + route.lower) / 2.0 - middle;
        let sigma = sigma.hypot(route.sigma);
        let counts = apart.abs() > NOTICEABLE.max(EVIDENT * sigma);
        // This allows for route changes that barely change the round-trip time and therefore go unnoticed.
        let sigma = sigma.hypot(SLIGHT * apart) as f32;
        // A change smaller than `reach` in one direction moves the midpoint by less than half of `apart`.
        let (round_trip, apart) = (route.round_trip() as f32, apart as f32);
        counts.then_some(Asymmetry { round_trip, apart, sigma, reach: apart.abs() })
    }

    /// Returns whether this asymmetry applies to `route` and cannot be refuted by an estimate with this
    /// `sigma`.
    pub(crate) fn is_in_doubt(&self, route: &Route, sigma: f64) -> bool {
        let (apart, sigma) = (f64::from(self.apart).abs(), sigma.hypot(route.sigma));
        self.of_round_trip(route.round_trip()).is_some() && apart < EVIDENT * sigma
    }

    /// Restores an asymmetry that was saved `days` ago, unless its values are impossible or too uncertain.
    /// Exchanges cannot refute it, so it expires after about ten sessions without a new observation. The
    /// round trips must be nearly equal, because another path may have a similar round trip.
    pub(crate) fn earlier([round_trip, apart, sigma]: [f64; 3], days: f64) -> Option<Self> {
        // The uncertainty grows with age, because internet routes last for days or weeks.
        let sigma = sigma.hypot(SLIGHT * apart).hypot(TINY * days * apart);
        let is_unequal = NOTICEABLE.max(EVIDENT * sigma) < apart.abs() && apart.abs() < round_trip / 2.0;
        let is_possible = is_unequal || (apart == 0.0 && round_trip > 0.0);
        let [round_trip, apart, sigma] = [round_trip, apart, sigma].map(|seconds| seconds as f32);
        let reach = (EVIDENT * SLIGHT) as f32 * apart.abs();
        is_possible.then_some(Asymmetry { round_trip, apart, sigma, reach })
    }

    /// Creates an asymmetry of zero for a route whose `round_trip` (s) excludes queues that never empty.
    pub(crate) fn even(round_trip: f64) -> Self {
        Asymmetry { round_trip: round_trip as f32, apart: 0.0, sigma: 0.0, reach: 0.0 }
    }

    pub(crate) fn is_unequal(&self) -> bool {
        self.apart != 0.0
    }

    /// Returns the shortest known round-trip time (s). An asymmetry means that one direction has become
    /// longer, so the round-trip time was shorter before.
    pub(crate) fn shortest(&self) -> f64 {
        f64::from(self.round_trip - 2.0 * self.apart.abs())
    }

    /// Returns three values (s) to save for a later session: the round-trip time, how far the midpoint of the
    /// bounds exceeds the offset, and the standard deviation of that excess.
    pub(crate) fn parts(&self) -> [f64; 3] {
        [self.round_trip, self.apart, self.sigma].map(f64::from)
    }

    /// Returns how far the midpoint of the bounds exceeds the offset, and the standard deviation of that
    /// excess (s). Returns `None` if the round-trip time belongs to another route.
    pub(crate) fn of_round_trip(&self, round_trip: f64) -> Option<(f64, f64)> {
        let changed = round_trip - f64::from(self.round_trip);
        // A change in one direction moves the midpoint half as far.
        let sigma = f64::from(self.sigma).hypot(changed / 2.0);
        (changed.abs() < f64::from(self.reach)).then_some((f64::from(self.apart), sigma))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_way_up_is_remembered_by_its_round_trip() {
        let route = Route { upper: 0.065, lower: -0.025, sigma: 0.1e-3 };
        let asymmetry = Asymmetry::of(&route, 0.0, 0.1e-3).expect("the directions are 40 ms apart");
        let (apart, sigma) = asymmetry.of_round_trip(0.092).expect("it is the same route");
        assert!((apart - 0.020).abs() < 1e-9 && (1e-3..4e-3).contains(&sigma));
        let (_, less_sure) = asymmetry.of_round_trip(0.100).expect("it may be the same route");
        assert!(less_sure > 4e-3, "{less_sure}");
        assert_eq!(asymmetry.of_round_trip(0.050), None, "the route of before");
        assert_eq!(asymmetry.of_round_trip(0.130), None, "a third one");
    }

    #[test]
    fn asymmetry_that_may_be_chance_is_not_remembered() {
        let route = Route { upper: 0.0252, lower: -0.025, sigma: 0.1e-3 };
        assert_eq!(Asymmetry::of(&route, 0.0, 0.1e-3), None);
        let longer = Route { upper: 0.055, lower: -0.055, sigma: 0.1e-3 };
        assert_eq!(Asymmetry::of(&longer, 0.0, 0.1e-3), None, "both directions alike");
    }

    #[test]
    fn trust_in_an_earlier_session_decays() {
        let route = Route { upper: 0.065, lower: -0.025, sigma: 0.1e-3 };
        let now = Asymmetry::of(&route, 0.0, 0.1e-3).expect("the directions are 40 ms apart");
        let next = Asymmetry::earlier(now.parts(), 1.0).expect("that was yesterday");
        assert!(next.sigma > now.sigma && next.apart == now.apart);
        assert!(next.of_round_trip(0.095).is_some());
        assert_eq!(next.of_round_trip(0.097), None, "too far from it after a day");
        assert_eq!(Asymmetry::earlier(now.parts(), 30.0), None, "too old");
        let mut sessions = 0;
        let mut asymmetry = Some(now);
        while let Some(known) = asymmetry {
            sessions += 1;
            asymmetry = Asymmetry::earlier(known.parts(), 0.1);
        }
        assert!((5..15).contains(&sessions), "{sessions}");
    }

    #[test]
    fn impossible_asymmetries_are_rejected() {
        let possible = [0.090, 0.020, 0.001];
        assert!(
            Asymmetry::earlier(possible, 0.0).is_some_and(|asymmetry| asymmetry.sigma > 0.002),
            "never surer than that"
        );
        for impossible in [
            [0.090, 0.046, 0.0],
            [0.090, -0.046, 0.0],
            [0.0, 0.0, 0.0],
            [-1.0, 0.2, 0.0],
            [0.090, 0.0004, 0.0],
            [0.090, 0.020, 0.010],
        ] {
            assert_eq!(Asymmetry::earlier(impossible, 0.0), None, "{impossible:?}");
        }
    }
}
