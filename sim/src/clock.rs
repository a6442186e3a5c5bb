//! Simulates the clocks of the client and the server as functions of true time.
//!
//! True time `t` is in seconds since the start of the run. The rate error of the client's clock is the sum of
//! a constant, a ramp, a random walk, a sinusoid and the remaining warm-up. A positive rate error means that
//! the clock runs fast. The server's clock has an optional constant error. A time service may slew either
//! clock. Timestamps are ticks of 100 ns, rounded down to the clock's resolution.

use serde::Deserialize;

use super::random::Random;

pub const TICKS_PER_S: f64 = 1e7;
pub const TICKS_PER_MS: f64 = 1e4;

/// Interval at which the clocks' rates are integrated (s).
const KNOT_S: f64 = 1.0;
/// Clocks continue this long after the run, for replies that are still in flight (s).
const MARGIN_S: f64 = 120.0;
/// Server time at the start of a run, a date in 2024. As in Unreal, ticks count from the year 1.
const SERVER_ORIGIN: i64 = 638_400_000_000_000_000;

/// A time service that slews a clock by changing its rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Slew {
    /// Rate added during a slew (ppm), or 0 for no slews.
    pub ppm: f64,
    pub hold_s: f64,
    /// Time constant of the decay after a slew, as in a phase-locked loop, or 0 for an abrupt end (s).
    pub tail_s: f64,
    /// Time between the starts of two slews (s).
    pub every_s: f64,
    pub from_s: f64,
}

impl Slew {
    pub fn ppm_at(&self, t: f64) -> f64 {
        if self.ppm == 0.0 || t < self.from_s {
            return 0.0;
        }
        let after = (t - self.from_s) % self.every_s.max(1.0) - self.hold_s;
        match after {
            _ if after < 0.0 => self.ppm,
            _ if self.tail_s > 0.0 => self.ppm * (-after / self.tail_s).exp(),
            _ => 0.0,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClockConfig {
    pub drift_ppm: f64,
    pub server_drift_ppm: f64,
    /// Random walk of the rate (ppm per square-root second).
    pub walk_ppm: f64,
    /// Amplitude of a sinusoidal rate change (ppm), for example due to room temperature.
    pub wander_ppm: f64,
    pub wander_period_s: f64,
    pub ramp_ppm_per_minute: f64,
    /// Additional rate error of the cold crystal at the start (ppm).
    pub warm_ppm: f64,
    /// Time constant of the warm-up (s).
    pub warm_s: f64,
    pub client_resolution_ms: f64,
    pub server_resolution_ms: f64,
    pub client_slew: Slew,
    pub server_slew: Slew,
}

impl Default for ClockConfig {
    fn default() -> Self {
        Self {
            drift_ppm: 20.0,
            server_drift_ppm: 0.0,
            walk_ppm: 0.0,
            wander_ppm: 0.0,
            wander_period_s: 900.0,
            ramp_ppm_per_minute: 0.0,
            warm_ppm: 0.0,
            warm_s: 300.0,
            client_resolution_ms: 0.0,
            server_resolution_ms: 0.0,
            client_slew: Slew::default(),
            server_slew: Slew::default(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Clocks {
    client_origin: i64,
    /// Time that the client's clock has gained at each multiple of [`KNOT_S`] (s).
    gained_s: Vec<f64>,
    server_gained_s: Vec<f64>,
    pub client_resolution: i64,
    pub server_resolution: i64,
    pub drift_ppm: f64,
}

impl Clocks {
    /// The seed determines the origin of the client's clock.
    pub fn new(config: &ClockConfig, seconds: f64, seed: u64) -> Self {
        let mut random = Random::new(seed, "client clock");
        let client_origin = (random.word() >> 4) as i64;
        let phase = random.between(0.0, std::f64::consts::TAU);
        let knots = ((seconds + MARGIN_S) / KNOT_S) as usize + 2;
        let (mut gained_s, mut server_gained_s) = (Vec::with_capacity(knots), Vec::with_capacity(knots));
        let (mut gained, mut server_gained, mut walk) = (0.0, 0.0, 0.0);
        for knot in 0..knots {
            gained_s.push(gained);
            server_gained_s.push(server_gained);
            let middle = (knot as f64 + 0.5) * KNOT_S;
            let turn = std::f64::consts::TAU * middle / config.wander_period_s.max(1.0);
            let wander = config.wander_ppm * (turn + phase).sin();
            let warming = config.warm_ppm * (-middle / config.warm_s.max(1.0)).exp();
            let ramp = config.ramp_ppm_per_minute * middle / 60.0;
            let slew = config.client_slew.ppm_at(middle);
            gained += (config.drift_ppm + ramp + wander + warming + walk + slew) * 1e-6 * KNOT_S;
            server_gained += (config.server_drift_ppm + config.server_slew.ppm_at(middle)) * 1e-6 * KNOT_S;
            walk += random.normal(config.walk_ppm * KNOT_S.sqrt());
        }
        let ticks = |ms: f64| ((ms * TICKS_PER_MS) as i64).max(1);
        Self {
            client_origin,
            gained_s,
            server_gained_s,
            client_resolution: ticks(config.client_resolution_ms),
            server_resolution: ticks(config.server_resolution_ms),
            drift_ppm: config.drift_ppm,
        }
    }

    pub fn client(&self, t: f64) -> i64 {
        let elapsed = elapsed(&self.gained_s, t) * TICKS_PER_S;
        let ticks = self.client_origin + elapsed.floor() as i64;
        ticks - ticks.rem_euclid(self.client_resolution)
    }

    pub fn server(&self, t: f64) -> i64 {
        let ticks = SERVER_ORIGIN + (elapsed(&self.server_gained_s, t) * TICKS_PER_S).floor() as i64;
        ticks - ticks.rem_euclid(self.server_resolution)
    }

    /// Returns `shown` minus true server time at `t` (fractional ticks).
    pub fn error(&self, shown: i64, t: f64) -> f64 {
        (shown - SERVER_ORIGIN) as f64 - elapsed(&self.server_gained_s, t) * TICKS_PER_S
    }

    /// Returns the true server time (ticks) when the client's clock reads `client`.
    pub fn server_when_client(&self, client: i64) -> f64 {
        let wanted = (client - self.client_origin) as f64 / TICKS_PER_S;
        // The gain changes slowly, so each iteration multiplies the remaining distance by the rate error.
        let mut t = wanted;
        for _ in 0..4 {
            t += wanted - elapsed(&self.gained_s, t);
        }
        elapsed(&self.server_gained_s, t) * TICKS_PER_S
    }

    /// Converts a server timestamp to ticks since the start of the run.
    pub fn since_start(&self, server: i64) -> f64 {
        (server - SERVER_ORIGIN) as f64
    }

    /// The inverse of [`since_start`](Self::since_start), rounded to a tick.
    pub fn stamp(&self, since_start: f64) -> i64 {
        SERVER_ORIGIN + since_start.round() as i64
    }
}

/// Returns how much time a clock has counted at true time `t` (s).
fn elapsed(gained_s: &[f64], t: f64) -> f64 {
    let knot = ((t / KNOT_S).max(0.0) as usize).min(gained_s.len() - 2);
    let (from, to) = (gained_s[knot], gained_s[knot + 1]);
    t + from + (to - from) * (t / KNOT_S - knot as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slew_holds_decays_and_repeats() {
        let slew = Slew { ppm: 500.0, hold_s: 40.0, tail_s: 10.0, every_s: 120.0, from_s: 60.0 };
        for (t, ppm) in [(59.9, 0.0), (60.0, 500.0), (99.9, 500.0), (180.1, 500.0)] {
            assert_eq!(slew.ppm_at(t), ppm, "at {t} s");
        }
        assert!((slew.ppm_at(110.0) - 500.0 / std::f64::consts::E).abs() < 1e-9);
        assert_eq!(Slew { tail_s: 0.0, ..slew }.ppm_at(110.0), 0.0);
        assert_eq!(Slew::default().ppm_at(5.0), 0.0);
    }

    #[test]
    fn constant_drift_accumulates() {
        let clocks = Clocks::new(&ClockConfig { drift_ppm: 80.0, ..Default::default() }, 1000.0, 1);
        let gained = clocks.client(1000.0) - clocks.client(0.0) - 10_000_000_000;
        assert!((gained - 800_000).abs() <= 1, "{gained}");
    }

    /// Simulates 40 crystals for 252 s each. Returns the rms rate difference between adjacent minutes,
    /// divided by the square root of two (ppm).
    fn step_ppm(config: &ClockConfig) -> f64 {
        let steps = (0..40).flat_map(|seed| {
            let clocks = Clocks::new(config, 252.0, seed);
            let rate = |i| {
                let from = 60.0 * f64::from(i);
                ((clocks.client(from + 60.0) - clocks.client(from)) as f64 / 600e6 - 1.0) * 1e6
            };
            (0..3).map(|i| (rate(i + 1) - rate(i)).powi(2) / 2.0).collect::<Vec<_>>()
        });
        (steps.sum::<f64>() / 120.0).sqrt()
    }

    #[test]
    fn crystals_move_as_measured() {
        // Measured values are 0.01 ppm for a PC's cycle counter, 0.05 to 0.1 ppm for stable boards, and 0.3
        // to 0.4 ppm for boards that were warming up. The rate of one board changed by 2.3 ppm in total while
        // it warmed up.
        let settled = ClockConfig { walk_ppm: 0.007, ..Default::default() };
        assert!((0.01..0.1).contains(&step_ppm(&settled)), "{}", step_ppm(&settled));
        let warming = ClockConfig { walk_ppm: 0.02, warm_ppm: 4.0, ..Default::default() };
        assert!((0.25..0.45).contains(&step_ppm(&warming)), "{}", step_ppm(&warming));
    }

    #[test]
    fn the_inverse_is_exact_despite_wander() {
        let config = ClockConfig { walk_ppm: 0.1, wander_ppm: 2.0, ..Default::default() };
        let clocks = Clocks::new(&config, 600.0, 3);
        for i in 0..600 {
            let t = f64::from(i) + 0.3;
            let back = clocks.server_when_client(clocks.client(t));
            assert!((back - t * TICKS_PER_S).abs() <= 1.01, "{t}: {back}");
        }
    }

    #[test]
    fn a_slewed_clock_gains_the_slew() {
        let slew = Slew { ppm: 500.0, hold_s: 40.0, every_s: 120.0, ..Default::default() };
        let config = ClockConfig { drift_ppm: 0.0, server_slew: slew, ..Default::default() };
        let clocks = Clocks::new(&config, 600.0, 1);
        assert!((clocks.server(120.0) - clocks.server(0.0) - 1_200_000_000 - 200_000).abs() <= 1);
        assert!(clocks.error(clocks.server(77.3), 77.3).abs() <= 1.0, "it defines server time");
        let seen = clocks.server_when_client(clocks.client(77.3));
        assert!((seen - clocks.since_start(clocks.server(77.3))).abs() <= 2.0);
        let config = ClockConfig { drift_ppm: 0.0, client_slew: slew, ..Default::default() };
        let clocks = Clocks::new(&config, 600.0, 1);
        assert!((clocks.client(120.0) - clocks.client(0.0) - 1_200_000_000 - 200_000).abs() <= 1);
    }

    #[test]
    fn resolution_rounds_down() {
        let config = ClockConfig { server_resolution_ms: 15.6, ..Default::default() };
        let clocks = Clocks::new(&config, 10.0, 1);
        let early = -clocks.error(clocks.server(3.21), 3.21);
        assert!((0.0..=156_000.0).contains(&early), "{early}");
        assert_eq!(clocks.server(3.21) % 156_000, 0);
    }
}
