//! How unequal the directions of the present route are, as far as a change of route showed it.
//!
//! No exchange tells one direction's delay from the other's. But a clock that was known before a route changed is known after
//! it, too. So the middle of the new route's bounds shows by how much its directions differ more than those of the old route.
//! That outlives the clock: after a server has started again, and after the blocks of the old route are gone, bounds whose round
//! trip is that of the new route are off by the same amount.

/// A smaller difference between the directions is left alone (s).
const LEAST: f64 = 0.5e-3;

/// A difference counts beyond this many standard deviations.
const CERTAIN: f64 = 3.0;

/// The route may have changed while nobody looked, and its round trip hardly: this share of the difference is in doubt.
const DOUBT: f64 = 0.1;

/// The envelopes of one route (s), brought to local time zero along the best rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) upper: f64,
    pub(crate) lower: f64,
    /// Standard deviation of their middle from queueing (s).
    pub(crate) sigma: f64,
}

/// What is known of a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    round_trip: f64,
    /// How far the middle of its bounds lies beyond the offset (s).
    apart: f64,
    sigma: f64,
}

impl Level {
    /// What `route` shows if the middle of bounds is really at `middle`, give or take `sigma`. None if its directions may be
    /// as they were.
    pub(crate) fn of(route: &Route, middle: f64, sigma: f64) -> Option<Self> {
        let apart = (route.upper + route.lower) / 2.0 - middle;
        let sigma = sigma.hypot(route.sigma);
        let counts = apart.abs() > LEAST.max(CERTAIN * sigma);
        let sigma = sigma.hypot(DOUBT * apart);
        counts.then_some(Level { round_trip: route.upper - route.lower, apart, sigma })
    }

    /// How far the middle of bounds with this round trip (s) is beyond the offset, and its standard deviation. None if they are
    /// of another route: one direction alone would have to differ by twice what the middle does.
    pub(crate) fn of_round_trip(&self, round_trip: f64) -> Option<(f64, f64)> {
        let fits = (round_trip - self.round_trip).abs() < self.apart.abs();
        fits.then_some((self.apart, self.sigma))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_way_up_is_remembered_by_its_round_trip() {
        let route = Route { upper: 0.065, lower: -0.025, sigma: 0.1e-3 };
        let level = Level::of(&route, 0.0, 0.1e-3).expect("the directions are 40 ms apart");
        let (apart, sigma) = level.of_round_trip(0.092).expect("it is the same route");
        assert!((apart - 0.020).abs() < 1e-12 && (1e-3..4e-3).contains(&sigma));
        assert_eq!(level.of_round_trip(0.050), None, "the route of before");
        assert_eq!(level.of_round_trip(0.130), None, "a third one");
    }

    #[test]
    fn what_chance_explains_is_not_remembered() {
        let route = Route { upper: 0.0252, lower: -0.025, sigma: 0.1e-3 };
        assert_eq!(Level::of(&route, 0.0, 0.1e-3), None);
        let longer = Route { upper: 0.055, lower: -0.055, sigma: 0.1e-3 };
        assert_eq!(Level::of(&longer, 0.0, 0.1e-3), None, "both directions alike");
    }
}
