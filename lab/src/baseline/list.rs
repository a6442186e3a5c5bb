//! Lists the clocks that we compare with NetClock, and the limits that no clock can beat.

use netclock::{Refusal, Sample};

use super::anchored::{four_stamps, pushed, two_stamps};
use super::faded::{Ircam, MinRttForever};
use super::learner::{Learner, Prior};
use super::oracle::Oracle;
use super::rule::Pace;
use super::rules;
use super::sendspin::{Burst, Sendspin};
use netclock_sim::{Clocks, Estimator, Exchange, Network};

/// Unreal Engine 5's replicated world time, which averages the times pushed by the server.
pub(crate) const ENGINE: &str = "engine_average";
/// The published clock with the best results over all paths. In `cargo lab study bench --scenario all --trace
/// TRACES --seeds 25`, its p99 averages 1.31 times the p99 of each path's best clock. The runner-up's p99
/// averages 1.59 times as much.
pub(crate) const BEST_RIVAL: &str = "sendspin_burst";
/// The published clock with the smallest error on its worst client in the demo. To compare the clocks, run
/// `cargo lab demo --runs 3 --seed 11 --against CLOCK` for each.
pub(crate) const BEST_ON_DEMO: &str = "min_rtt_forever";
pub(crate) const RIVALS: [(&str, &str); 2] = [("Engine's clock", ENGINE), ("Best rival", BEST_ON_DEMO)];

pub type Maker = fn() -> Box<dyn Estimator>;

const SECOND: Pace = Pace::each(1.0);
const TENTH: Pace = Pace::each(0.1);
const ONCE: Pace = Pace::each(f64::INFINITY);
const SIXTEEN: Pace = Pace { count: 16, gap_s: 0.020, every_s: f64::INFINITY };
const NTP: Pace = Pace { count: 8, gap_s: 2.0, every_s: 64.0 };

pub static PUBLISHED: [(&str, Maker); 16] = [
    ("one_shot", || two_stamps(ONCE, rules::one_shot())),
    ("min_rtt_forever", || two_stamps(Pace::each(5.0), MinRttForever::default())),
    ("median", || four_stamps(SECOND, rules::median_offset())),
    ("trimmed_mean", || two_stamps(SIXTEEN, rules::trimmed_mean())),
    ("engine_push", || pushed(Pace::each(5.0), rules::engine_push())),
    ("engine_average", || pushed(TENTH, rules::engine_average())),
    ("vorixo_min", || two_stamps(SECOND, rules::vorixo_min())),
    ("vorixo_trim", || two_stamps(SECOND, rules::vorixo_trim())),
    ("ntp_min8", || four_stamps(NTP, rules::smallest_of(8))),
    ("beatsync", || four_stamps(SECOND, rules::smallest_of(16))),
    ("min_per_leg", || four_stamps(TENTH, rules::min_per_leg())),
    ("netfox", || four_stamps(Pace::each(0.25), rules::netfox())),
    ("lightyear", || four_stamps(TENTH, rules::lightyear())),
    ("ircam", || four_stamps(Pace { count: 10, gap_s: 0.25, every_s: 10.0 }, Ircam::default())),
    ("sendspin", || four_stamps(SECOND, Sendspin::default())),
    ("sendspin_burst", || four_stamps(Pace { count: 8, gap_s: 0.05, every_s: 10.0 }, Burst::default())),
];

pub(crate) fn maker(name: &str) -> Option<Maker> {
    PUBLISHED.iter().find(|known| known.0 == name).map(|known| known.1)
}

/// Returns `None` if the timestamps are unusable.
pub(crate) fn exchange(id: u64, sample: &Sample) -> Option<Exchange> {
    let is_usable = matches!(sample.outcome, Ok(()) | Err(Refusal::Contradiction));
    let stamps = sample.exchange().filter(|_| is_usable)?;
    let (received, sent) = (stamps.server_received.ticks(), stamps.server_sent.ticks());
    let times = [stamps.client_sent.ticks(), received, sent, stamps.client_received.ticks()];
    Some(Exchange::of_stamps(id, times))
}

pub fn oracle(clocks: &Clocks) -> Box<dyn Estimator> {
    Box::new(Oracle::new(clocks.clone()))
}

/// Returns `None` unless queueing is exponential and there are no frame loops.
pub fn learner(network: &Network) -> Option<Box<dyn Estimator>> {
    learner_with(network, Prior::crystals(&network.clocks))
}

/// `ppm` is the rate hint, and `doubt_ppm` its uncertainty (one sigma).
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

    /// The engine's clocks lag by the path's delay, because they do not correct for it.
    #[test]
    fn all_are_exact_on_an_ideal_path() {
        for (name, make) in &PUBLISHED {
            let mut estimator = make();
            for i in 0..200 {
                let t0 = 5_000_000_000 + i * 10_000_000;
                let received = t0 + 77_000_000_000 + 250_000;
                let times = [t0, received, received + 500, t0 + 500_500];
                estimator.on_exchange(&Exchange::of_stamps(i as u64, times));
            }
            let now = 5_000_000_000 + 200 * 10_000_000;
            let error = estimator.shown(now).expect("synchronised") - now - 77_000_000_000;
            let uncorrected = if name.starts_with("engine") { -250_000 } else { 0 };
            assert!((error - uncorrected).abs() <= 600, "{name}: {error}");
        }
    }
}
