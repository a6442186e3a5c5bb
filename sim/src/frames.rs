//! Frame loops: a game sends, handles and reads messages only at the starts of its frames.

use serde::Deserialize;

use super::random::{Random, hashed_unit};

/// A frame loop.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameConfig {
    /// Frames per second.
    pub fps: f64,
    /// Error of the frame rate (ppm).
    #[serde(default)]
    pub ppm: f64,
    /// Largest lateness of a frame, evenly distributed from 0 (ms).
    #[serde(default)]
    pub jitter_ms: f64,
    /// Mean time between hitches (s); 0: none.
    #[serde(default)]
    pub hitch_every_s: f64,
    /// Length of a hitch (s). No frame starts during a hitch.
    #[serde(default)]
    pub hitch_s: f64,
}

impl FrameConfig {
    /// Frames at an even rate: `fps` a second, with an error of `ppm`.
    pub const fn even(fps: f64, ppm: f64) -> Self {
        FrameConfig { fps, ppm, jitter_ms: 0.0, hitch_every_s: 0.0, hitch_s: 0.0 }
    }
}

/// A frame loop with its random phase and jitter.
#[derive(Clone)]
pub struct Frames {
    config: FrameConfig,
    period_s: f64,
    phase_s: f64,
    key: u64,
}

impl Frames {
    /// The loop called `name` of the run seeded with `seed`.
    pub fn new(config: &FrameConfig, seed: u64, name: &str) -> Self {
        let mut random = Random::new(seed, &format!("{name} frames"));
        let period_s = (1.0 + config.ppm * 1e-6) / config.fps;
        Self { config: config.clone(), period_s, phase_s: random.unit() * period_s, key: random.word() }
    }

    /// The nominal period of the loop (s), which is what a game knows of it.
    pub fn nominal_period(&self) -> f64 {
        1.0 / self.config.fps
    }

    /// The start of the first frame at or after `t` (s).
    pub fn next(&self, t: f64) -> f64 {
        let jitter_frames = (self.config.jitter_ms * 1e-3 / self.period_s).ceil();
        let mut number = ((t - self.phase_s) / self.period_s).floor() - jitter_frames;
        loop {
            let start = self.start(number);
            if start >= t {
                return start;
            }
            number += 1.0;
        }
    }

    fn start(&self, number: f64) -> f64 {
        let late = self.config.jitter_ms * 1e-3 * hashed_unit(self.key, number as i64 as u64);
        let start = self.phase_s + number * self.period_s + late;
        if self.config.hitch_every_s <= 0.0 || start < 0.0 {
            return start;
        }
        // One hitch somewhere in each slot of time, so that hitches are never in step with anything.
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
    fn waits_are_spread_over_one_frame() {
        let frames = Frames::new(&FrameConfig::even(60.0, 0.0), 1, "test");
        let waits: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.0137).map(|t| frames.next(t) - t).collect();
        let longest = waits.iter().copied().fold(0.0, f64::max);
        assert!(waits.iter().all(|&wait| wait >= 0.0) && longest > 0.016 && longest <= 1.0 / 60.0);
    }

    #[test]
    fn boundaries_are_their_own_next() {
        let frames = Frames::new(&FrameConfig { jitter_ms: 3.0, ..FrameConfig::even(144.0, 0.0) }, 2, "test");
        let boundary = frames.next(5.0);
        assert_eq!(frames.next(boundary), boundary);
        assert!(frames.next(boundary + 1e-9) > boundary);
    }

    #[test]
    fn hitches_open_gaps() {
        let frames = Frames::new(
            &FrameConfig { hitch_every_s: 10.0, hitch_s: 0.5, ..FrameConfig::even(60.0, 0.0) },
            3,
            "test",
        );
        let longest = (0..6000).map(|i| f64::from(i) * 0.01).map(|t| frames.next(t) - t).fold(0.0, f64::max);
        assert!((0.49..0.53).contains(&longest), "{longest}");
    }
}
