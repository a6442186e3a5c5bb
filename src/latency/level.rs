//! The delays of one direction: what is usual, and whether the newest are still of that kind.
//!
//! The *level* is the median of the delays since the last change: what an avatar feels is how long things take as a
//! rule, not how fast the luckiest one was. A newer delay is compared with the older ones by its rank, after half of the
//! least change that matters was taken off: what is less than that is no change. Delays that a bet is about are held
//! apart from what they are compared with.

use super::evidence::Evidence;

/// Delays that new ones are compared with, at most.
const REFERENCE: usize = 64;
/// Newest delays that may be under suspicion.
const SUSPECTS: usize = 24;
pub(super) const CAPACITY: usize = REFERENCE + SUSPECTS;
/// Delays to compare with that it takes to bet at all.
const LEAST: usize = 8;
/// Delays over which a level settles: until then it is corrected silently, for the first few say little.
const SETTLED: u8 = 48;
/// Delays to compare with until a level that crept away is believed ...
const ENOUGH: usize = 56;
/// ... and by how many standard deviations of the sign test.
const CREPT: f64 = 5.0;

/// A level that is no longer what it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    /// Levels, in ticks.
    pub(super) before: i32,
    pub(super) after: i32,
    /// Newest delays that it is about.
    pub(super) run: usize,
    /// Logarithm of the evidence.
    pub(super) evidence: f32,
}

/// One direction.
#[derive(Clone, Debug)]
pub(super) struct Delays {
    /// In the order of arrival (ticks).
    values: [i32; CAPACITY],
    len: u8,
    /// Delays since the last change, as far as it matters.
    age: u8,
    rise: Evidence,
    fall: Evidence,
    /// The level as it was told (ticks).
    level: i32,
}

impl Delays {
    pub(super) const EMPTY: Self = Delays {
        values: [0; CAPACITY],
        len: 0,
        age: 0,
        rise: Evidence::NONE,
        fall: Evidence::NONE,
        level: 0,
    };

    pub(super) fn values(&self) -> &[i32] {
        &self.values[..usize::from(self.len)]
    }

    pub(super) fn level(&self) -> i32 {
        self.level
    }

    /// Takes in a delay (ticks). `threshold`: logarithm of the evidence for a change of `least` ticks or more. By how
    /// much the level settled, and whether it shifted, which is left to [`Self::rebase`].
    pub(super) fn add(&mut self, delay: i32, least: i32, threshold: f32) -> (i32, Option<Shift>) {
        let usual = self.usual();
        let margin = least / 2;
        let (mut above, mut below) = (0, 0);
        for &value in usual {
            above += usize::from(value >= delay.saturating_sub(margin));
            below += usize::from(value <= delay.saturating_add(margin));
        }
        let count = usual.len();
        if count >= LEAST {
            let longest = SUSPECTS as u8;
            // More than enough is not piled up, lest it outlasts its cause.
            let most = threshold + 4.0;
            self.rise.add(above, count, longest, most);
            self.fall.add(below, count, longest, most);
        }
        self.push(delay);
        let shift = self.shifted(least, threshold);
        (if shift.is_none() { self.settle() } else { 0 }, shift)
    }

    /// The newest `run` delays are what is usual from now on.
    pub(super) fn rebase(&mut self, run: usize) {
        let len = usize::from(self.len);
        let run = run.min(len);
        self.values.copy_within(len - run..len, 0);
        self.len = run as u8;
        self.age = self.len;
        (self.rise, self.fall) = (Evidence::NONE, Evidence::NONE);
        self.level = median(self.values());
    }

    /// By how much the newest `run` delays differ from the level (ticks), and how many speak for it.
    pub(super) fn departure(&self, run: usize) -> i32 {
        let values = self.values();
        let newest = &values[values.len() - run.min(values.len())..];
        median(newest).saturating_sub(self.level)
    }

    /// What new delays are compared with.
    fn usual(&self) -> &[i32] {
        let suspects = usize::from(self.rise.suspects().max(self.fall.suspects()));
        let values = self.values();
        let end = values.len().saturating_sub(suspects);
        &values[end.saturating_sub(REFERENCE)..end]
    }

    fn push(&mut self, delay: i32) {
        if usize::from(self.len) == CAPACITY {
            self.values.copy_within(1.., 0);
            self.len -= 1;
        }
        self.values[usize::from(self.len)] = delay;
        self.len += 1;
        self.age = self.age.saturating_add(1);
    }

    fn shifted(&self, least: i32, threshold: f32) -> Option<Shift> {
        let before = self.level;
        for (side, sign) in [(self.rise, 1), (self.fall, -1)] {
            let (evidence, run) = side.best();
            let run = usize::from(run);
            if evidence >= threshold {
                let change = self.departure(run);
                if i64::from(change) * sign >= i64::from(least) {
                    return Some(Shift { before, after: before.saturating_add(change), run, evidence });
                }
            }
        }
        self.crept(least)
    }

    /// A level that changed so slowly that no delay stood out from those before it.
    fn crept(&self, least: i32) -> Option<Shift> {
        let usual = self.usual();
        let count = usual.len();
        if count < ENOUGH || self.age < SETTLED {
            return None;
        }
        let above = usual.iter().filter(|&&value| value > self.level).count() as f64;
        let below = usual.iter().filter(|&&value| value < self.level).count() as f64;
        let deviations = (above - below).abs() / (count as f64).sqrt();
        if deviations < CREPT {
            return None;
        }
        let after = median(usual);
        let far = i64::from(after.abs_diff(self.level)) >= i64::from(least);
        // The tail of the normal distribution, as a logarithm.
        let evidence = (deviations * deviations / 2.0) as f32;
        far.then_some(Shift { before: self.level, after, run: self.values().len(), evidence })
    }

    /// A young level follows the median; by how much (ticks).
    fn settle(&mut self) -> i32 {
        if self.age > SETTLED {
            return 0;
        }
        let level = median(self.usual());
        let by = level.saturating_sub(self.level);
        self.level = level;
        by
    }
}

/// The median of some numbers, of which there are not more than delays are kept; zero if there are none.
fn median(values: &[i32]) -> i32 {
    let mut sorted = [0; CAPACITY];
    let sorted = &mut sorted[..values.len().min(CAPACITY)];
    if sorted.is_empty() {
        return 0;
    }
    sorted.copy_from_slice(&values[..sorted.len()]);
    let middle = sorted.len() / 2;
    *sorted.select_nth_unstable(middle).1
}
