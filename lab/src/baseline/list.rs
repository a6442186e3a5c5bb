//! The clocks to measure beside the product, and the limits of any clock.

use super::anchored::Anchored;
use super::learner::{Learner, Prior};
use super::oracle::Oracle;
use super::{
    beatsync, engine_average, engine_push, ircam, lightyear, max_margin_hull, median, min_per_leg,
    min_rtt_forever, netfox, one_shot, sendspin, smallest_trip, trimmed_mean, vorixo,
};
use netclock_sim::clock::Clocks;
use netclock_sim::measure::estimator::Estimator;
use netclock_sim::network::Network;

/// Makes a new clock.
pub type Maker = fn() -> Box<dyn Estimator>;

/// All published clocks, in the order of the tables.
pub static PUBLISHED: [(&str, Maker); 16] = [
    ("one_shot", || Anchored::boxed(one_shot::OneShot::default())),
    ("min_rtt_forever", || Anchored::boxed(min_rtt_forever::MinRttForever::default())),
    ("median", || Anchored::boxed(median::Median::default())),
    ("trimmed_mean", || Anchored::boxed(trimmed_mean::TrimmedMean::default())),
    ("engine_push", || Anchored::boxed(engine_push::EnginePush::default())),
    ("engine_average", || Anchored::boxed(engine_average::EngineAverage::default())),
    ("vorixo_min", || Anchored::boxed(vorixo::Smallest::default())),
    ("vorixo_trim", || Anchored::boxed(vorixo::Trimmed::default())),
    ("ntp_min8", || Anchored::boxed(smallest_trip::ntp_min8())),
    ("beatsync", || Anchored::boxed(beatsync::beatsync())),
    ("min_per_leg", || Anchored::boxed(min_per_leg::MinPerLeg::default())),
    ("netfox", || Anchored::boxed(netfox::Netfox::default())),
    ("lightyear", || Anchored::boxed(lightyear::Lightyear::default())),
    ("ircam", || Anchored::boxed(ircam::Ircam::default())),
    ("sendspin", || Anchored::boxed(sendspin::Sendspin::default())),
    ("sendspin_burst", || Anchored::boxed(sendspin::Burst::default())),
];

/// Methods from the literature that no known game clock uses. They do not count as published clocks.
static TEXTBOOK: [(&str, Maker); 2] = [
    ("hull_60s", || Anchored::boxed(max_margin_hull::MaxMarginHull::new("hull_60s", 60.0))),
    ("hull_300s", || Anchored::boxed(max_margin_hull::MaxMarginHull::new("hull_300s", 300.0))),
];

/// All of these.
pub fn all() -> impl Iterator<Item = &'static (&'static str, Maker)> {
    PUBLISHED.iter().chain(&TEXTBOOK)
}

/// The limit of any clock that knows the rate, for a run with these clocks.
pub fn oracle(clocks: &Clocks) -> Box<dyn Estimator> {
    Box::new(Oracle::new(clocks.clone()))
}

/// The limit of any clock that learns the rate; none if `network` has more than exponential queueing.
pub fn learner(network: &Network) -> Option<Box<dyn Estimator>> {
    learner_with(network, Prior::crystals(&network.clocks))
}

/// The limit of any clock that has a hint of the rate of `ppm`, right within `doubt_ppm` (one sigma).
pub fn hinted_learner(network: &Network, ppm: f64, doubt_ppm: f64) -> Option<Box<dyn Estimator>> {
    learner_with(network, Prior::hint(&network.clocks, ppm, doubt_ppm))
}

fn learner_with(network: &Network, prior: Prior) -> Option<Box<dyn Estimator>> {
    let queueing_ms = network.exponential_queueing_ms()?;
    Some(Box::new(Learner::new(network.clocks.clone(), queueing_ms, prior)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match() {
        for (name, make) in all() {
            assert_eq!(make().name(), *name);
        }
    }

    /// On a constant symmetric path without drift, every clock that corrects for the path is exact.
    #[test]
    fn all_are_exact_on_an_ideal_path() {
        for (name, make) in all() {
            let mut estimator = make();
            for i in 0..200 {
                let t0 = 5_000_000_000 + i * 10_000_000;
                let exchange = netclock_sim::network::Exchange {
                    id: i as u64,
                    t0,
                    t1: t0 + 77_000_000_000 + 250_000,
                    t2: t0 + 77_000_000_000 + 250_500,
                    t3: t0 + 500_500,
                    arrived_s: 0.0,
                    copy: false,
                };
                estimator.on_exchange(&exchange);
            }
            let now = 5_000_000_000 + 200 * 10_000_000;
            let error = estimator.shown(now).expect("synchronised") - now - 77_000_000_000;
            let uncorrected = if name.starts_with("engine") { -250_000 } else { 0 };
            assert!((error - uncorrected).abs() <= 600, "{name}: {error}");
        }
    }
}
