//! Simulates frame loops. A game sends, handles and reads messages only at the start of a frame.

use serde::Deserialize;

use super::random::{Random, hashed_unit};

/// Frame rates of random clients and servers (per second).
const CLIENT_FPS: [f64; 4] = [30.0, 60.0, 90.0, 144.0];
const SERVER_FPS: [f64; 4] = [20.0, 30.0, 60.0, 128.0];
/// Range of random frame rate errors (ppm), on a logarithmic scale.
const DRAWN_PPM: (f64, f64) = (5.0, 3000.0);

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrameConfig {
    pub fps: f64,
    pub ppm: f64,
    /// Frames start up to this late, uniformly distributed (ms).
    pub jitter_ms: f64,
    /// Mean time between hitches (s), or 0 for none.
    pub hitch_every_s: f64,
    /// Time during a hitch in which no frame starts (s).
    pub hitch_s: f64,
    /// Start and end of a period with a lower frame rate (s), for example while the game is in the
    /// background.
    pub slow_s: (f64, f64),
    /// Only every Nth frame runs in that period. Values up to 1 run every frame.
    pub slow_by: f64,
}

impl FrameConfig {
    pub const fn even(fps: f64, ppm: f64) -> Self {
        FrameConfig {
            fps,
            ppm,
            jitter_ms: 0.0,
            hitch_every_s: 0.0,
            hitch_s: 0.0,
            slow_s: (0.0, 0.0),
            slow_by: 0.0,
        }
    }

    pub fn draw(random: &mut Random) -> (Self, Self, String) {
        let mut one_of = |rates: [f64; 4]| rates[random.below(4) as usize];
        let (client_fps, server_fps) = (one_of(CLIENT_FPS), one_of(SERVER_FPS));
        let ppm = random.between(DRAWN_PPM.0.ln(), DRAWN_PPM.1.ln()).exp();
        let ppm = if random.chance(0.5) { -ppm } else { ppm };
        let (mut client, mut server) = (Self::even(client_fps, ppm), Self::even(server_fps, 0.0));
        let on_client = random.chance(0.5);
        let either = if on_client { &mut client } else { &mut server };
        let side = if on_client { "client" } else { "server" };
        let how = match random.below(6) {
            0 => "even".to_owned(),
            1 => {
                (either.hitch_every_s, either.hitch_s) = (20.0, 0.5);
                format!("the {side} hitches")
            }
            2 => {
                (either.slow_s, either.slow_by) = ((100.0, 130.0), (either.fps / 7.0).round());
                format!("the {side} slows to 7 per second for 30 s")
            }
            late => {
                let late_ms = [0.3, 1.0, 3.0][late as usize - 3];
                (client.jitter_ms, server.jitter_ms) = (late_ms, late_ms);
                format!("up to {late_ms} ms late")
            }
        };
        let about = format!("{client_fps} and {server_fps} frames per second, {ppm:.0} ppm, {how}");
        (client, server, about)
    }
}

#[derive(Clone)]
pub struct Frames {
    config: FrameConfig,
    period_s: f64,
    phase_s: f64,
    key: u64,
}

impl Frames {
    pub fn new(config: &FrameConfig, seed: u64, name: &str) -> Self {
        let mut random = Random::new(seed, &format!("{name} frames"));
        let period_s = (1.0 + config.ppm * 1e-6) / config.fps;
        Self { config: config.clone(), period_s, phase_s: random.unit() * period_s, key: random.word() }
    }

    /// Returns the frame period as the game knows it, that is, without the rate error (s).
    pub fn nominal_period(&self) -> f64 {
        1.0 / self.config.fps
    }

    pub fn next(&self, t: f64) -> f64 {
        let jitter_frames = (self.config.jitter_ms * 1e-3 / self.period_s).ceil();
        let mut number = ((t - self.phase_s) / self.period_s).floor() - jitter_frames;
        loop {
            let start = self.start(number);
            if start >= t && !self.is_dropped(number) {
                return start;
            }
            number += 1.0;
        }
    }

    pub fn before(&self, t: f64) -> f64 {
        let mut number = ((t - self.phase_s) / self.period_s).ceil() + 1.0;
        loop {
            let start = self.start(number);
            if start < t && !self.is_dropped(number) {
                return start;
            }
            number -= 1.0;
        }
    }

    fn is_dropped(&self, number: f64) -> bool {
        let FrameConfig { slow_s: (from, to), slow_by, .. } = self.config;
        let at = self.phase_s + number * self.period_s;
        slow_by > 1.0 && (from..to).contains(&at) && number.rem_euclid(slow_by) >= 1.0
    }

    fn start(&self, number: f64) -> f64 {
        let late = self.config.jitter_ms * 1e-3 * hashed_unit(self.key, number as i64 as u64);
        let start = self.phase_s + number * self.period_s + late;
        if self.config.hitch_every_s <= 0.0 || start < 0.0 {
            return start;
        }
        // Each time slot contains one hitch at a random position, so hitches never lock to another rhythm.
        let slot_s = self.config.hitch_every_s;
        let slot = (start / slot_s).floor();
        let begin =
            slot * slot_s + hashed_unit(!self.key, slot as u64) * (slot_s - self.config.hitch_s).max(0.0);
        let end = begin + self.config.hitch_s;
        if (begin..end).contains(&start) { end } else { start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_spread_over_one_frame() {
        let frames = Frames::new(&FrameConfig::even(60.0, 0.0), 1, "test");
        let waits: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.0137).map(|t| frames.next(t) - t).collect();
        let longest = waits.iter().copied().fold(0.0, f64::max);
        assert!(waits.iter().all(|&wait| wait >= 0.0) && longest > 0.016 && longest <= 1.0 / 60.0);
    }

    #[test]
    fn a_frame_start_is_its_own_next_frame() {
        let frames = Frames::new(&FrameConfig { jitter_ms: 3.0, ..FrameConfig::even(144.0, 0.0) }, 2, "test");
        let boundary = frames.next(5.0);
        assert_eq!(frames.next(boundary), boundary);
        assert!(frames.next(boundary + 1e-9) > boundary);
    }

    #[test]
    fn previous_and_next_frame_are_adjacent() {
        let hitching = FrameConfig { hitch_every_s: 10.0, hitch_s: 0.5, ..FrameConfig::even(60.0, 50.0) };
        let slow = FrameConfig { slow_s: (3.0, 6.0), slow_by: 9.0, ..FrameConfig::even(60.0, -50.0) };
        let late = FrameConfig { jitter_ms: 3.0, ..FrameConfig::even(144.0, 0.0) };
        for config in [hitching, slow, late] {
            let frames = Frames::new(&config, 4, "test");
            for t in (0..2000).map(|i| f64::from(i) * 0.0073) {
                let next = frames.next(t);
                let before = frames.before(next);
                assert!(before < t && frames.next(before + 1e-9) == next, "{before} {t} {next} {config:?}");
            }
        }
    }

    #[test]
    fn a_slow_loop_drops_frames() {
        let slow = FrameConfig { slow_s: (3.0, 6.0), slow_by: 9.0, ..FrameConfig::even(60.0, 0.0) };
        let frames = Frames::new(&slow, 5, "test");
        let gap = |t: f64| (frames.next(t) - frames.before(frames.next(t))) * 60.0;
        assert!((gap(2.0) - 1.0).abs() < 1e-6 && (gap(4.0) - 9.0).abs() < 1e-6, "{} {}", gap(2.0), gap(4.0));
    }

    #[test]
    fn hitches_leave_gaps() {
        let frames = Frames::new(
            &FrameConfig { hitch_every_s: 10.0, hitch_s: 0.5, ..FrameConfig::even(60.0, 0.0) },
            3,
            "test",
        );
        let longest = (0..6000).map(|i| f64::from(i) * 0.01).map(|t| frames.next(t) - t).fold(0.0, f64::max);
        assert!((0.49..0.53).contains(&longest), "{longest}");
    }
}
