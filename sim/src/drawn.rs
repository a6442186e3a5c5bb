//! Draws random networks, so that a clock cannot be tuned to a specific one.

use serde::Deserialize;

use super::frames::FrameConfig;
use super::leg::{BurstLoss, Drain, Outage};
use super::network::NetworkConfig;
use super::random::Random;

/// The properties that depend on the seed. Delays and the constant part of the client's rate error are always
/// drawn, except with [`Nothing`](Self::Nothing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    #[default]
    Nothing,
    Loops,
    Joins,
    Crystals,
    Hints,
    Intervals,
    /// The loss rate, up to one half.
    Losses,
}

impl NetworkConfig {
    /// Returns the network and a description of the form "kind: details".
    pub fn draw(&self, seed: u64) -> (Self, String) {
        let random = &mut Random::new(seed, "frame loops and path");
        let mut network = NetworkConfig { drawn: Drawn::Nothing, ..self.clone() };
        let about = match self.drawn {
            Drawn::Nothing => return (network, String::new()),
            Drawn::Loops => {
                let (client, server, about) = FrameConfig::draw(random);
                (network.client, network.server) = (Some(client), Some(server));
                about
            }
            Drawn::Joins => network.draw_join(random),
            Drawn::Crystals => network.draw_crystal(random),
            Drawn::Losses => {
                let percent = random.between(0.0, 50.0);
                (network.forward.loss, network.reverse.loss) = (percent / 100.0, percent / 100.0);
                format!("loss: {percent:.0} % each way")
            }
            Drawn::Hints | Drawn::Intervals => String::new(),
        };
        let (base_ms, jitter_ms) = (logarithmic(random, 5.0, 80.0), logarithmic(random, 0.3, 10.0));
        for leg in [&mut network.forward, &mut network.reverse] {
            (leg.base_ms, leg.jitter_ms) = (base_ms, jitter_ms);
        }
        network.clock.drift_ppm = random.normal(20.0).clamp(-80.0, 80.0);
        let about = match self.drawn {
            Drawn::Hints => network.draw_hint(random),
            Drawn::Intervals => network.draw_interval(random),
            _ => about,
        };
        (network, format!("{about}; {base_ms:.0} ms each way, {jitter_ms:.1} ms jitter"))
    }

    /// Adds a draining queue, loss, or initially held packets in one direction.
    fn draw_join(&mut self, random: &mut Random) -> String {
        let (leg, way) =
            if random.chance(0.3) { (&mut self.forward, "up") } else { (&mut self.reverse, "down") };
        match random.below(6) {
            0 => {
                let to_s = random.between(0.2, 3.0);
                leg.outages = vec![Outage { from_s: 0.1, to_s }];
                format!("an outage: all packets {way} are lost until {to_s:.1} s")
            }
            1 => {
                leg.burst_loss = Some(BurstLoss { good_s: 0.5, bad_s: 0.5, loss: 0.9 });
                format!("bursts of loss: {way}")
            }
            2 => {
                let held_s = random.between(0.2, 2.0);
                leg.drain = Some(Drain { queue_ms: 1e3 * held_s, lasts_s: held_s });
                format!("held packets: {way}, until {held_s:.1} s")
            }
            _ => {
                let (queue_ms, lasts_s) = (logarithmic(random, 100.0, 1000.0), logarithmic(random, 2.0, 8.0));
                leg.drain = Some(Drain { queue_ms, lasts_s });
                format!("a draining queue: {queue_ms:.0} ms {way} within {lasts_s:.1} s")
            }
        }
    }

    /// Adds a hint that is correct, wrong, or meant for a different machine.
    fn draw_hint(&mut self, random: &mut Random) -> String {
        let (off_ppm, kind) = match random.below(3) {
            0 => (0.0, "a true hint"),
            1 => {
                let ppm = logarithmic(random, 1.0, 100_000.0);
                let kind = if ppm < 100.0 { "a hint wrong by up to 100 ppm" } else { "a hint wrong by more" };
                (if random.chance(0.5) { -ppm } else { ppm }, kind)
            }
            _ => (random.normal(20.0) - self.clock.drift_ppm, "a hint of another machine"),
        };
        self.hint_ppm = Some((self.clock.drift_ppm + off_ppm).clamp(-100_000.0, 100_000.0));
        format!("{kind}: off by {off_ppm:.0} ppm")
    }

    fn draw_interval(&mut self, random: &mut Random) -> String {
        let every_s = logarithmic(random, 0.25, 600.0);
        self.every_s = Some(every_s);
        let kind = match every_s {
            ..4.0 => "intervals up to 4 s",
            ..60.0 => "intervals up to a minute",
            _ => "longer intervals",
        };
        format!("{kind}: an exchange every {every_s:.1} s")
    }

    fn draw_crystal(&mut self, random: &mut Random) -> String {
        let (clock, falls) = (&mut self.clock, random.chance(0.5));
        (clock.wander_ppm, clock.walk_ppm) = (0.0, 0.0);
        match random.below(4) {
            0 => "a constant rate".into(),
            1 => {
                let ppm = logarithmic(random, 0.05, 1.0);
                clock.ramp_ppm_per_minute = if falls { -ppm } else { ppm };
                format!("a ramp: {:.2} ppm per minute", clock.ramp_ppm_per_minute)
            }
            2 => {
                clock.walk_ppm = logarithmic(random, 0.003, 0.1);
                format!("a random walk: {:.3} ppm per second", clock.walk_ppm)
            }
            _ => {
                clock.wander_ppm = logarithmic(random, 0.1, 3.0);
                clock.wander_period_s = logarithmic(random, 300.0, 2400.0);
                format!(
                    "a swing: {:.1} ppm with a period of {:.0} s",
                    clock.wander_ppm, clock.wander_period_s
                )
            }
        }
    }
}

fn logarithmic(random: &mut Random, least: f64, most: f64) -> f64 {
    random.between(least.ln(), most.ln()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(what: Drawn) -> impl Iterator<Item = NetworkConfig> {
        (0..300).map(move |seed| NetworkConfig { drawn: what, ..NetworkConfig::default() }.draw(seed).0)
    }

    #[test]
    fn hints_are_true_wrong_or_of_another_machine() {
        let off = |network: NetworkConfig| {
            let hint = network.hint_ppm.expect("a hint should be drawn");
            assert!(hint.abs() <= 100_000.0, "{hint} ppm");
            (hint - network.clock.drift_ppm).abs()
        };
        let off: Vec<f64> = drawn(Drawn::Hints).map(off).collect();
        let share = |is: fn(f64) -> bool| off.iter().filter(|ppm| is(**ppm)).count();
        assert!(share(|ppm| ppm == 0.0) > 80 && share(|ppm| ppm > 1_000.0) > 25, "{off:?}");
        assert!(share(|ppm| (1.0..100.0).contains(&ppm)) > 80, "{off:?}");
    }

    #[test]
    fn intervals_are_spread_over_three_orders_of_magnitude() {
        let every: Vec<f64> = drawn(Drawn::Intervals).filter_map(|network| network.every_s).collect();
        let (short, long) = (every.iter().filter(|s| **s < 1.0), every.iter().filter(|s| **s > 150.0));
        assert!(every.len() == 300 && short.count() > 30 && long.count() > 30, "{every:?}");
        assert!(every.iter().all(|every| (0.25..=600.0).contains(every)), "{every:?}");
    }
}
