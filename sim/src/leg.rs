//! Simulates one direction of a network path.
//!
//! Queues, stalls, handovers and loss states are functions of time, so they can be queried in any order.
//! Jitter, independent losses and duplicates are drawn for each packet, in the order of sending.

use serde::Deserialize;

use super::random::{Random, hashed_unit};

/// Impairments of one direction. The default has no impairments.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LegConfig {
    pub base_ms: f64,
    /// Mean of the exponential delay that is drawn for each packet (ms).
    pub jitter_ms: f64,
    pub loss: f64,
    /// Probability that a packet is duplicated. The copy has its own delay.
    pub duplicate: f64,
    /// Probability that a packet is held back so that later packets can overtake it.
    pub reorder: f64,
    pub reorder_ms: f64,
    pub burst_loss: Option<BurstLoss>,
    pub saw: Option<Saw>,
    pub drain: Option<Drain>,
    pub shifts: Vec<Shift>,
    pub outages: Vec<Outage>,
    pub stall: Option<Stall>,
    pub power_save: Option<PowerSave>,
    pub handover: Option<Handover>,
}

impl LegConfig {
    pub fn is_constant(&self) -> bool {
        let LegConfig { saw, drain, shifts, stall, power_save, handover, .. } = self;
        let is_still = saw.is_none() && drain.is_none() && shifts.is_empty() && stall.is_none();
        is_still && power_save.is_none() && handover.is_none()
    }
}

/// Gilbert-Elliott loss. No packets are lost in the good state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BurstLoss {
    pub good_s: f64,
    pub bad_s: f64,
    pub loss: f64,
}

/// A queue that grows linearly, empties suddenly, stays empty for a while, and then grows again.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saw {
    pub peak_ms: f64,
    /// Time that the queue takes to fill (s).
    pub period_s: f64,
    /// Time for which the queue stays empty (s).
    #[serde(default)]
    pub idle_s: f64,
    /// When the queue first starts to grow (s).
    #[serde(default)]
    pub from_s: f64,
}

/// A queue that drains at a constant rate from the start of the run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drain {
    pub queue_ms: f64,
    pub lasts_s: f64,
}

/// A permanent change of the base delay.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shift {
    pub at_s: f64,
    /// Positive if the path becomes longer (ms).
    pub ms: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outage {
    pub from_s: f64,
    pub to_s: f64,
}

/// Repeated stalls. Packets sent during a stall leave at its end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stall {
    /// Mean time from the end of a stall to the start of the next one (s).
    pub every_s: f64,
    pub length_s: f64,
}

/// Wi-Fi power save. Packets wait for the next beacon while the radio dozes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerSave {
    pub beacon_ms: f64,
    pub awake_s: f64,
    pub doze_s: f64,
}

/// Satellite handovers, which change the delay at fixed intervals.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    pub every_s: f64,
    /// The additional delay is uniformly distributed up to this maximum (ms).
    pub spread_ms: f64,
}

#[derive(Clone)]
pub struct Leg {
    /// Changes during a run apply to the next packet.
    pub config: LegConfig,
    packets: Random,
    burst_loss: Option<Alternation>,
    stall: Option<Alternation>,
    doze: Option<Alternation>,
    key: u64,
}

impl Leg {
    /// `name` selects the random streams, which also depend on `seed`.
    pub fn new(config: &LegConfig, seed: u64, name: &str) -> Self {
        let stream = |purpose: &str| Random::new(seed, &format!("{name} {purpose}"));
        let alternation = |purpose, lengths: Option<(f64, f64)>| {
            lengths.map(|(off_s, on_s)| Alternation {
                random: stream(purpose),
                off_s,
                on_s,
                fixed_length: false,
                changes: Vec::new(),
            })
        };
        Self {
            config: config.clone(),
            packets: stream("packets"),
            burst_loss: alternation("loss", config.burst_loss.as_ref().map(|b| (b.good_s, b.bad_s))),
            stall: alternation("stall", config.stall.as_ref().map(|s| (s.every_s, s.length_s)))
                .map(|stall| Alternation { fixed_length: true, ..stall }),
            doze: alternation("doze", config.power_save.as_ref().map(|p| (p.awake_s, p.doze_s))),
            key: stream("levels").word(),
        }
    }

    /// Returns the mean of the exponential delay (ms), if the rest of the delay is constant.
    pub fn exponential_ms(&self) -> Option<f64> {
        let LegConfig { reorder, jitter_ms, .. } = self.config;
        let is_undisturbed = reorder == 0.0 && self.config.is_constant();
        (is_undisturbed && jitter_ms > 0.0).then_some(jitter_ms)
    }

    /// Returns the arrival times (s) of a packet sent at `t`: none if it is lost, two if it is duplicated.
    pub fn arrivals(&mut self, t: f64) -> Vec<f64> {
        let copies = if self.packets.chance(self.config.duplicate) { 2 } else { 1 };
        let mut arrivals = Vec::with_capacity(copies);
        for _ in 0..copies {
            if !self.lost(t) {
                arrivals.push(self.arrival(t));
            }
        }
        arrivals
    }

    fn lost(&mut self, t: f64) -> bool {
        let in_burst = self.burst_loss.as_mut().and_then(|state| state.on_until(t)).is_some();
        let burst_loss = self.config.burst_loss.as_ref().filter(|_| in_burst).map_or(0.0, |burst| burst.loss);
        let out = self.config.outages.iter().any(|outage| (outage.from_s..outage.to_s).contains(&t));
        out || self.packets.chance(self.config.loss) || self.packets.chance(burst_loss)
    }

    fn arrival(&mut self, sent: f64) -> f64 {
        let config = &self.config;
        let mut t = sent;
        if let Some(end) = self.stall.as_mut().and_then(|stall| stall.on_until(t)) {
            t = end;
        }
        let mut delay_ms = config.base_ms + self.packets.exponential(config.jitter_ms);
        if self.packets.chance(config.reorder) {
            delay_ms += config.reorder_ms;
        }
        if let Some(saw) = &config.saw {
            let within_s = (t - saw.from_s).rem_euclid(saw.period_s + saw.idle_s);
            delay_ms += if t >= saw.from_s && within_s < saw.period_s {
                saw.peak_ms * within_s / saw.period_s
            } else {
                0.0
            };
        }
        let drain = config.drain.as_ref();
        delay_ms += drain.map_or(0.0, |drain| drain.queue_ms * (1.0 - t / drain.lasts_s).max(0.0));
        delay_ms += config.shifts.iter().filter(|shift| shift.at_s <= t).map(|shift| shift.ms).sum::<f64>();
        if let Some(handover) = &config.handover {
            let level = hashed_unit(self.key, (t / handover.every_s).floor() as u64);
            delay_ms += level * handover.spread_ms;
        }
        t += delay_ms * 1e-3;
        if let (Some(doze), Some(config)) = (&mut self.doze, &config.power_save) {
            if let Some(end) = doze.on_until(t) {
                let beacon = config.beacon_ms * 1e-3;
                t = ((t / beacon).ceil() * beacon).min(end);
            }
        }
        t
    }
}

#[derive(Clone)]
struct Alternation {
    random: Random,
    /// Mean length of the off state (s). Lengths are exponentially distributed, except that the on state may
    /// have a fixed length.
    off_s: f64,
    on_s: f64,
    fixed_length: bool,
    /// Times of the changes (s). The first change turns the state on.
    changes: Vec<f64>,
}

impl Alternation {
    /// Returns the time at which the state next turns off (s), or `None` if it is already off at `t`.
    fn on_until(&mut self, t: f64) -> Option<f64> {
        while self.changes.last().is_none_or(|&last| last <= t) {
            let start = self.changes.last().copied().unwrap_or(0.0) + self.random.exponential(self.off_s);
            let length = if self.fixed_length { self.on_s } else { self.random.exponential(self.on_s) };
            self.changes.extend([start, start + length]);
        }
        let passed = self.changes.partition_point(|&change| change <= t);
        if passed % 2 == 1 { Some(self.changes[passed]) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(config: &LegConfig, t: f64) -> f64 {
        (Leg::new(config, 1, "test").arrivals(t)[0] - t) * 1e3
    }

    #[test]
    fn deterministic_parts_add_up() {
        let mut config = LegConfig { base_ms: 10.0, ..Default::default() };
        config.saw = Some(Saw { peak_ms: 200.0, period_s: 8.0, idle_s: 0.0, from_s: 0.0 });
        config.shifts = vec![Shift { at_s: 100.0, ms: 40.0 }, Shift { at_s: 200.0, ms: -40.0 }];
        for (t, ms) in [(0.0, 10.0), (4.0, 110.0), (100.0, 10.0 + 100.0 + 40.0), (204.0, 110.0)] {
            assert!((one(&config, t) - ms).abs() < 1e-6, "at {t}: {}", one(&config, t));
        }
    }

    #[test]
    fn stalls_hold_packets_until_they_end() {
        let config = LegConfig { stall: Some(Stall { every_s: 20.0, length_s: 5.0 }), ..Default::default() };
        let mut leg = Leg::new(&config, 1, "test");
        let longest =
            (0..60_000).map(|i| f64::from(i) * 0.01).map(|t| leg.arrivals(t)[0] - t).fold(0.0, f64::max);
        assert!((4.98..=5.0).contains(&longest), "{longest}");
    }

    #[test]
    fn loss_and_duplication_match_their_rates() {
        let config = LegConfig { loss: 0.05, duplicate: 0.02, ..Default::default() };
        let mut leg = Leg::new(&config, 1, "test");
        let (mut lost, mut twice) = (0, 0);
        for i in 0..100_000 {
            match leg.arrivals(f64::from(i)).len() {
                0 => lost += 1,
                2 => twice += 1,
                _ => {}
            }
        }
        assert!((4_700..5_300).contains(&lost) && (1_600..2_100).contains(&twice), "{lost} {twice}");
    }

    #[test]
    fn loss_bursts_cover_the_expected_share() {
        let burst_loss = Some(BurstLoss { good_s: 9.0, bad_s: 1.0, loss: 1.0 });
        let mut leg = Leg::new(&LegConfig { burst_loss, ..Default::default() }, 2, "test");
        let lost = (0..200_000).filter(|&i| leg.arrivals(f64::from(i) * 0.1).is_empty()).count();
        assert!((17_000..23_000).contains(&lost), "{lost}");
    }
}
