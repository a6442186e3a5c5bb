//! Families of networks: each seed draws one, so that nobody can tune a clock to it.

use serde::Deserialize;

use super::frames::FrameConfig;
use super::leg::{BurstLoss, Drain, Outage};
use super::network::NetworkConfig;
use super::random::Random;

/// What a seed draws of a network. All but [`Nothing`](Self::Nothing) draw the delays and the constant part
/// of the client's rate error, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    /// Nothing: all runs are of one network.
    #[default]
    Nothing,
    /// The frame loops of both sides.
    Loops,
    /// What is wrong with the path when the session begins.
    Joins,
    /// How the rate of the client's crystal changes.
    Crystals,
    /// Loss of up to one message of two.
    Losses,
}

impl NetworkConfig {
    /// The network that `seed` draws, with a line about it.
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
                format!("{percent:.0} % loss each way")
            }
        };
        let (base_ms, jitter_ms) = (logarithmic(random, 5.0, 80.0), logarithmic(random, 0.3, 10.0));
        for leg in [&mut network.forward, &mut network.reverse] {
            (leg.base_ms, leg.jitter_ms) = (base_ms, jitter_ms);
        }
        network.clock.drift_ppm = random.normal(20.0).clamp(-80.0, 80.0);
        (network, format!("{about}; {base_ms:.0} ms each way, {jitter_ms:.1} ms jitter"))
    }

    /// A queue in one direction that drains, loss, or packets that are held at first.
    fn draw_join(&mut self, random: &mut Random) -> String {
        let (leg, way) =
            if random.chance(0.3) { (&mut self.forward, "up") } else { (&mut self.reverse, "down") };
        match random.below(6) {
            0 => {
                let to_s = random.between(0.2, 3.0);
                leg.outages = vec![Outage { from_s: 0.1, to_s }];
                format!("nothing passes {way} until {to_s:.1} s")
            }
            1 => {
                leg.burst_loss = Some(BurstLoss { good_s: 0.5, bad_s: 0.5, loss: 0.9 });
                format!("bursts of loss {way}")
            }
            2 => {
                let held_s = random.between(0.2, 2.0);
                leg.drain = Some(Drain { queue_ms: 1e3 * held_s, lasts_s: held_s });
                format!("packets {way} are held until {held_s:.1} s")
            }
            _ => {
                let (queue_ms, lasts_s) = (logarithmic(random, 100.0, 1000.0), logarithmic(random, 2.0, 8.0));
                leg.drain = Some(Drain { queue_ms, lasts_s });
                format!("a queue of {queue_ms:.0} ms {way} drains within {lasts_s:.1} s")
            }
        }
    }

    /// A rate that is constant, rises or falls steadily, walks, or swings.
    fn draw_crystal(&mut self, random: &mut Random) -> String {
        let (clock, falls) = (&mut self.clock, random.chance(0.5));
        (clock.wander_ppm, clock.walk_ppm) = (0.0, 0.0);
        match random.below(4) {
            0 => "a constant rate".into(),
            1 => {
                let ppm = logarithmic(random, 0.05, 1.0);
                clock.ramp_ppm_per_minute = if falls { -ppm } else { ppm };
                format!("{:.2} ppm more each minute", clock.ramp_ppm_per_minute)
            }
            2 => {
                clock.walk_ppm = logarithmic(random, 0.003, 0.1);
                format!("a rate that walks by {:.3} ppm in a second", clock.walk_ppm)
            }
            _ => {
                clock.wander_ppm = logarithmic(random, 0.1, 3.0);
                clock.wander_period_s = logarithmic(random, 300.0, 2400.0);
                format!("{:.1} ppm of swing in {:.0} s", clock.wander_ppm, clock.wander_period_s)
            }
        }
    }
}

/// A number between these, of which each order of magnitude is as likely.
fn logarithmic(random: &mut Random, least: f64, most: f64) -> f64 {
    random.between(least.ln(), most.ln()).exp()
}
