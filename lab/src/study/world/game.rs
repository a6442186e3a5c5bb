//! A simulated server whose game world has its own clock, as in engines.
//!
//! The clock moves once per frame, at a rate that the game may change. It stands still in a pause, loses a part of a long
//! frame, and starts from zero on each map.

use std::f64::consts::TAU;

use serde::Serialize;

use netclock_sim::clock::TICKS_PER_S;
use netclock_sim::frames::{FrameConfig, Frames};

/// The world's clock counts at most this much of a frame (s): the default of Unreal's `MaxUndilatedFrameTime`.
pub const LONGEST_FRAME_S: f64 = 0.4;
/// The slowest rate of a slow motion, in its middle. The rate begins and ends at 1.
const SLOWEST: f64 = 0.2;
/// Largest lateness of a frame, evenly distributed from 0 (ms).
const JITTER_MS: f64 = 3.0;

/// The kinds of events of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The world stands still.
    Pause,
    /// The rate follows a cosine from 1 to 0.2 and back, with a new rate in every frame.
    Slow,
    /// One frame lasts for the whole phase.
    Hitch,
    /// Another map loads: there are no frames, and then the clock starts from zero.
    Travel,
}

/// An event of a world. Times since the start (s).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// What happens.
    pub kind: Kind,
    /// When it begins.
    pub from_s: f64,
    /// When it ends.
    pub to_s: f64,
}

impl Phase {
    /// An event that begins at `from_s` and lasts for `length_s`.
    pub const fn new(kind: Kind, from_s: f64, length_s: f64) -> Self {
        Self { kind, from_s, to_s: from_s + length_s }
    }

    fn holds(&self, at_s: f64) -> bool {
        (self.from_s..self.to_s).contains(&at_s)
    }

    fn keeps_frames_away(&self) -> bool {
        matches!(self.kind, Kind::Hitch | Kind::Travel)
    }
}

/// A frame, and the world's clock from there on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// True time (s).
    pub at_s: f64,
    /// The instance of the world, from 1.
    pub instance: u32,
    /// The world's clock (ticks).
    pub world: i64,
    /// World time per real time.
    pub rate: f64,
}

/// All frames of a run.
#[derive(Clone, Debug)]
pub struct Game {
    /// The frames in order of time.
    pub frames: Vec<Frame>,
}

impl Game {
    /// A server with `fps` frames per second, for `seconds`.
    pub fn new(phases: &[Phase], fps: f64, seconds: f64, seed: u64) -> Self {
        let config = FrameConfig { fps, ppm: 0.0, jitter_ms: JITTER_MS, hitch_every_s: 0.0, hitch_s: 0.0 };
        let loop_ = Frames::new(&config, seed, "game");
        let mut frames = vec![Frame { at_s: 0.0, instance: 1, world: 0, rate: rate(phases, 0.0) }];
        while let Some(&last) = frames.last() {
            let mut at_s = loop_.next(last.at_s + 1e-6);
            if let Some(away) = phases.iter().find(|phase| phase.keeps_frames_away() && phase.holds(at_s)) {
                at_s = away.to_s;
            }
            if at_s > seconds {
                break;
            }
            let travelled =
                |phase: &Phase| phase.kind == Kind::Travel && phase.to_s > last.at_s && phase.to_s <= at_s;
            let (instance, world) = if phases.iter().any(travelled) {
                (last.instance + 1, 0)
            } else {
                let counted = (at_s - last.at_s).min(LONGEST_FRAME_S);
                (last.instance, last.world + (counted * last.rate * TICKS_PER_S).round() as i64)
            };
            frames.push(Frame { at_s, instance, world, rate: rate(phases, at_s) });
        }
        Self { frames }
    }

    /// Index of the frame that is shown at `at_s`.
    fn index(&self, at_s: f64) -> usize {
        self.frames.partition_point(|frame| frame.at_s <= at_s).max(1) - 1
    }

    /// The instance of the world at `at_s`.
    pub fn instance(&self, at_s: f64) -> u32 {
        self.frames[self.index(at_s)].instance
    }

    /// The last frame of a world (s).
    pub fn end_of(&self, instance: u32) -> f64 {
        let after = self.frames.partition_point(|frame| frame.instance <= instance).max(1);
        self.frames[after - 1].at_s
    }

    /// The range of the true world time of `instance` at `at_s` (ticks). Between frames the time runs at the world's rate.
    /// During a frame that is too long, any time from its start to its end is true. A world that is over stands still.
    pub fn truth(&self, instance: u32, at_s: f64) -> (f64, f64) {
        let at = self.index(at_s.min(self.end_of(instance)));
        let frame = self.frames[at];
        let world = frame.world as f64;
        let on = world + (at_s - frame.at_s) * frame.rate * TICKS_PER_S;
        match self.frames.get(at + 1) {
            Some(next) if next.instance != frame.instance => (world, world),
            Some(next) if next.at_s - frame.at_s > LONGEST_FRAME_S => (world, next.world as f64),
            _ => (on, on),
        }
    }
}

fn rate(phases: &[Phase], at_s: f64) -> f64 {
    match phases.iter().find(|phase| phase.holds(at_s)) {
        Some(Phase { kind: Kind::Pause, .. }) => 0.0,
        Some(Phase { kind: Kind::Slow, from_s, to_s }) => {
            let turn = TAU * (at_s - from_s) / (to_s - from_s);
            1.0 - (1.0 - SLOWEST) * 0.5 * (1.0 - turn.cos())
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(game: &Game, at_s: f64) -> f64 {
        game.truth(game.instance(at_s), at_s).0 / TICKS_PER_S
    }

    #[test]
    fn the_world_loses_what_it_should() {
        let phases = [
            Phase::new(Kind::Pause, 2.0, 1.0),
            Phase::new(Kind::Slow, 5.0, 3.0),
            Phase::new(Kind::Hitch, 10.0, 3.0),
            Phase::new(Kind::Travel, 20.0, 1.0),
        ];
        let game = Game::new(&phases, 60.0, 30.0, 1);
        let frame = 0.021;
        for (at_s, lost) in [(1.5, 0.0), (4.0, 1.0), (9.0, 2.2), (14.0, 4.8)] {
            let error = seconds(&game, at_s) - (at_s - lost);
            assert!(error.abs() <= 3.0 * frame, "at {at_s}: {error}");
        }
        assert_eq!((game.instance(20.9), game.instance(21.0)), (1, 2));
        assert!((seconds(&game, 25.0) - 4.0).abs() <= frame);
        let (least, most) = game.truth(1, 11.0);
        assert!((most - least - LONGEST_FRAME_S * TICKS_PER_S).abs() <= 1.0);
        assert_eq!(game.truth(1, 20.5), game.truth(1, 29.0), "a world that is over stands still");
    }
}
