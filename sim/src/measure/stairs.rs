//! Detects reads that contradict each other, in whatever order they are added.

use std::collections::BTreeMap;

use netclock::{Reading, State};

/// The latest time shown in an epoch up to each local time. A monotonic clock never shows an earlier time at
/// a later local time.
#[derive(Default)]
pub struct Stairs {
    pub epoch: u32,
    steps: BTreeMap<i64, i64>,
}

impl Stairs {
    /// Returns the latest time shown at or before `now`.
    pub fn floor(&self, epoch: u32, now: i64) -> Option<i64> {
        if epoch != self.epoch {
            return None;
        }
        self.steps.range(..=now).next_back().map(|(_, &shown)| shown)
    }

    pub fn add(&mut self, epoch: u32, now: i64, shown: i64) {
        if epoch != self.epoch {
            *self = Stairs { epoch, steps: BTreeMap::new() };
        }
        if self.floor(epoch, now).is_none_or(|floor| shown > floor) {
            while let Some((&at, _)) = self.steps.range(now..).next().filter(|&(_, &later)| later <= shown) {
                self.steps.remove(&at);
            }
            self.steps.insert(now, shown);
        }
    }

    /// Returns how far the reading is behind earlier ones (ticks). Only positive values are wrong.
    pub fn backwards(&mut self, now: i64, reading: &Reading) -> i64 {
        let shown = reading.server_time.ticks();
        if reading.state == State::Unsynced {
            return 0;
        }
        let back = self.floor(reading.epoch, now).map_or(0, |floor| floor.saturating_sub(shown));
        self.add(reading.epoch, now, shown);
        back
    }
}
