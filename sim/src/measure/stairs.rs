//! Whether reads in any order of time contradict each other.

use std::collections::BTreeMap;

use netclock::{Reading, State};

/// What was read so far in one epoch: the latest time that was shown up to each local time. Of two reads in
/// order, the one at a later local time never shows an earlier time.
#[derive(Default)]
pub struct Stairs {
    /// The epoch of the reads.
    pub epoch: u32,
    steps: BTreeMap<i64, i64>,
}

impl Stairs {
    /// The latest time that a read at `now` or before showed.
    pub fn floor(&self, epoch: u32, now: i64) -> Option<i64> {
        if epoch != self.epoch {
            return None;
        }
        self.steps.range(..=now).next_back().map(|(_, &shown)| shown)
    }

    /// Adds a read at `now`.
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

    /// Adds a reading, after all that is in here. By how much it is before what was read (ticks); 0 or less:
    /// not at all.
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
