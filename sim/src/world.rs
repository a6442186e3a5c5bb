//! Simulates a world's clock as game engines implement it. The clock advances once per frame at a rate that
//! the game sets. The clock stops during pauses, drops part of a long frame, and restarts from zero on each
//! map.

use crate::TICKS_PER_S;

/// Maximum advance of the clock in a frame (s), like Unreal's `MaxUndilatedFrameTime`.
pub const LONGEST_FRAME_S: f64 = 0.4;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub at_s: f64,
    /// Number of the world's instance, starting at 1.
    pub instance: u32,
    /// The world's clock after the frame (ticks).
    pub world: i64,
    pub rate: f64,
}

#[derive(Clone, Debug)]
pub struct GameWorld {
    /// In chronological order, and never empty.
    pub frames: Vec<Frame>,
}

impl GameWorld {
    /// The clock reads `world` (ticks) in the first frame, at `at_s` (s).
    pub fn new(at_s: f64, world: i64, rate: f64) -> Self {
        GameWorld { frames: vec![Frame { at_s, instance: 1, world, rate }] }
    }

    pub fn last(&self) -> Frame {
        self.frames[self.frames.len() - 1]
    }

    /// The world runs at `rate` after this frame.
    pub fn frame(&mut self, at_s: f64, rate: f64) {
        let last = self.last();
        let counted = (at_s - last.at_s).min(LONGEST_FRAME_S);
        let world = last.world + (counted * last.rate * TICKS_PER_S).round() as i64;
        self.frames.push(Frame { at_s, world, rate, ..last });
    }

    pub fn travel(&mut self, at_s: f64, rate: f64) {
        self.frames.push(Frame { at_s, instance: self.last().instance + 1, world: 0, rate });
    }

    fn index(&self, at_s: f64) -> usize {
        self.frames.partition_point(|frame| frame.at_s <= at_s).max(1) - 1
    }

    pub fn instance(&self, at_s: f64) -> u32 {
        self.frames[self.index(at_s)].instance
    }

    pub fn end_of(&self, instance: u32) -> f64 {
        let after = self.frames.partition_point(|frame| frame.instance <= instance).max(1);
        self.frames[after - 1].at_s
    }

    /// Returns the range of correct times for world `instance` at `at_s` (ticks). Between frames, time runs
    /// at the world's rate. During an overlong frame, any time between its start and its end is correct. A
    /// world's time stops when the world ends.
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
