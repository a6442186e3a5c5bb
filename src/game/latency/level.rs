//! The delays of one direction: their level, and whether the newest still fit it.
//!
//! The *level* is the median of the delays since the last change, because an avatar is affected by the
//! typical delay, not the luckiest one. A new delay is ranked among those of the last minute. Half of the
//! least change is subtracted first, so that smaller differences do not count. Delays in the run of a bet are
//! not used for comparison.
//!
//! Three changes within a minute and a half indicate intermittent queues. Such a path is restless: a change
//! also has to exceed the spread of the last minutes, and evidence is collected half a second apart.
//!
//! After a change, the older delays are shifted with the level, so that their scatter need not be learned
//! again.

use super::evidence::Evidence;

/// Number of past delays, a second or more apart.
pub(super) const PAST: usize = 64;
/// Number of the newest delays, which may belong to a change.
pub(super) const NEWEST: usize = 24;
pub(super) const CAPACITY: usize = PAST + NEWEST;
/// Smallest number of delays to compare with for a bet.
const LEAST: usize = 8;
/// The widest spread of a restless path decreases by this fraction with each past delay, to a third in four
/// minutes.
const FADES: i32 = 256;
/// A spread excludes this fraction of the delays at either end as outliers.
const OUTLIERS: usize = 10;
/// A creeping level wins no bet. It must be off by this many standard deviations of the sign test.
const CREPT: f64 = 5.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    /// The size of the change (ticks).
    pub(super) by: i32,
    /// Number of the newest delays that show it; zero if the level crept.
    pub(super) run: usize,
    /// Logarithm of the evidence.
    pub(super) evidence: f32,
}

/// The effect of a delay on the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum News {
    /// The level became more precise by this (ticks), usually zero.
    Settled(i32),
    /// The level changed. The caller decides what follows and calls [`Delays::move_on`].
    Shifted(Shift),
}

/// One direction.
#[derive(Clone, Debug)]
pub(super) struct Delays {
    /// In order of arrival (ticks).
    past: [i32; PAST],
    newest: [i32; NEWEST],
    past_len: u8,
    newest_len: u8,
    /// How many of the past and of the newest delays are from after the last change.
    past_own: u8,
    newest_own: u8,
    rise: Evidence,
    fall: Evidence,
    /// The reported level (ticks).
    level: i32,
    /// The widest spread of the last minutes while the path was restless (ticks).
    widest: i32,
}

impl Delays {
    pub(super) const EMPTY: Self = Delays {
        past: [0; PAST],
        newest: [0; NEWEST],
        past_len: 0,
        newest_len: 0,
        past_own: 0,
        newest_own: 0,
        rise: Evidence::NONE,
        fall: Evidence::NONE,
        level: 0,
        widest: 0,
    };

    pub(super) fn level(&self) -> i32 {
        self.level
    }

    /// The smallest delay since the last change (ticks), or `None` before the first.
    pub(super) fn least(&self) -> Option<i32> {
        let [past, newest] = self.own(0);
        past.iter().chain(newest).copied().min()
    }

    /// Adds a delay (ticks). `keeps` means that the oldest of the newest delays becomes a past one if it has
    /// to make room. `threshold` is the logarithm of the evidence needed for a change of at least `least`
    /// ticks. If the path `is_restless`, a change also has to exceed the spread of the last minutes.
    pub(super) fn add(
        &mut self,
        delay: i32,
        keeps: bool,
        least: i32,
        threshold: f32,
        is_restless: bool,
    ) -> News {
        if keeps {
            self.widest -= self.widest / FADES;
        }
        if is_restless {
            self.widest = self.widest.max(spread(self.known()));
        }
        let least = if is_restless { least.max(self.widest) } else { least };
        let margin = least / 2;
        let (mut above, mut below, mut count) = (0, 0, 0);
        for &value in self.known().into_iter().flatten() {
            above += usize::from(value >= delay.saturating_sub(margin));
            below += usize::from(value <= delay.saturating_add(margin));
            count += 1;
        }
        if is_restless {
            // Queues last, so any number of delays inside the spread are one observation.
            let beyond_most = |extreme: usize| if extreme <= count / OUTLIERS { 0 } else { count };
            (above, below) = (beyond_most(above), beyond_most(below));
        }
        self.push(delay, keeps);
        if count >= LEAST {
            // Slightly above the threshold, so that evidence does not outlast its cause.
            let most = threshold + 4.0;
            self.rise.add(above, count, NEWEST as u8, most);
            self.fall.add(below, count, NEWEST as u8, most);
        }
        match self.shift(least, threshold) {
            Some(shift) => News::Shifted(shift),
            None => News::Settled(self.settle()),
        }
    }

    /// The distance of the newest `run` delays from the level (ticks). With zero, of all delays without a
    /// bet.
    pub(super) fn departure(&self, run: usize) -> i32 {
        let len = usize::from(self.newest_len);
        let now = match run {
            0 => median(self.own(self.suspects())),
            run => median([&[], &self.newest[len - run.min(len)..len]]),
        };
        now.saturating_sub(self.level)
    }

    /// Moves the level by `by` ticks. The newest `run` delays are the first at the new level; with zero all
    /// are.
    pub(super) fn move_on(&mut self, by: i32, run: usize) {
        self.level = self.level.saturating_add(by);
        (self.rise, self.fall) = (Evidence::NONE, Evidence::NONE);
        if run == 0 {
            return;
        }
        let (past_len, len) = (usize::from(self.past_len), usize::from(self.newest_len));
        let run = run.min(len);
        for older in self.past[..past_len].iter_mut().chain(&mut self.newest[..len - run]) {
            *older = older.saturating_add(by);
        }
        (self.past_own, self.newest_own) = (0, run as u8);
    }

    /// The past delays, and the newest.
    pub(super) fn all(&self) -> [&[i32]; 2] {
        [self.past(), &self.newest[..usize::from(self.newest_len)]]
    }

    /// The delays without a bet.
    fn known(&self) -> [&[i32]; 2] {
        [self.past(), &self.newest[..usize::from(self.newest_len) - self.suspects()]]
    }

    fn past(&self) -> &[i32] {
        &self.past[..usize::from(self.past_len)]
    }

    fn suspects(&self) -> usize {
        usize::from(self.rise.suspects().max(self.fall.suspects()).min(self.newest_len))
    }

    /// The delays since the last change, without the newest `but`.
    fn own(&self, but: usize) -> [&[i32]; 2] {
        let (past, newest) = (usize::from(self.past_len), usize::from(self.newest_len));
        let [past_own, newest_own] = [self.past_own, self.newest_own].map(usize::from);
        let end = newest - but.min(newest_own);
        [&self.past[past - past_own..past], &self.newest[newest - newest_own..end]]
    }

    fn push(&mut self, delay: i32, keeps: bool) {
        if usize::from(self.newest_len) == NEWEST {
            if keeps {
                if usize::from(self.past_len) == PAST {
                    self.past.copy_within(1.., 0);
                } else {
                    self.past_len += 1;
                }
                self.past[usize::from(self.past_len) - 1] = self.newest[0];
                if usize::from(self.newest_own) == NEWEST {
                    self.past_own = (self.past_own + 1).min(self.past_len);
                }
            }
            self.newest.copy_within(1.., 0);
        } else {
            self.newest_len += 1;
        }
        self.newest[usize::from(self.newest_len) - 1] = delay;
        self.newest_own = (self.newest_own + 1).min(self.newest_len);
        debug_assert!(self.past_own <= self.past_len, "a part of the delays is from after the change");
    }

    fn shift(&self, least: i32, threshold: f32) -> Option<Shift> {
        for (side, sign) in [(self.rise, 1), (self.fall, -1)] {
            let (evidence, run) = side.best();
            let run = usize::from(run);
            if evidence >= threshold {
                let by = self.departure(run);
                if i64::from(by) * sign >= i64::from(least) {
                    let run = self.since_change(run, by);
                    return Some(Shift { by: self.departure(run), run, evidence });
                }
            }
        }
        self.crept(least)
    }

    /// How many of the newest `run` delays are from after the change by `by`. A bet may have begun by chance
    /// before it.
    fn since_change(&self, run: usize, by: i32) -> usize {
        let len = usize::from(self.newest_len);
        let newest = &self.newest[len - run..len];
        let is_new = |&&delay: &&i32| {
            let gone = i64::from(delay) - i64::from(self.level);
            gone.abs() >= (gone - i64::from(by)).abs()
        };
        run - newest.iter().position(|delay| is_new(&delay)).unwrap_or(0)
    }

    /// A change so slow that no delay stood out from its predecessors.
    fn crept(&self, least: i32) -> Option<Shift> {
        if !self.is_settled() {
            return None;
        }
        let by = self.departure(0);
        // The level is a median and may itself be off, so only delays beyond half of the least change count.
        let beyond = self.level.saturating_add(by.signum() * (least / 2));
        let past = self.past();
        let gone = past.iter().filter(|&&value| (value > beyond) == (by > 0)).count() as f64;
        let deviations = (2.0 * gone - past.len() as f64) / (past.len() as f64).sqrt();
        // The tail of the normal distribution, as a logarithm.
        let evidence = (deviations * deviations / 2.0) as f32;
        let far = by.unsigned_abs() >= least.unsigned_abs();
        (deviations >= CREPT && far).then_some(Shift { by, run: 0, evidence })
    }

    fn is_settled(&self) -> bool {
        usize::from(self.past_own) == PAST
    }

    /// Lets the level follow the median in its first minute, because the first few delays say little. Returns
    /// the change (ticks).
    fn settle(&mut self) -> i32 {
        if self.is_settled() {
            return 0;
        }
        let by = self.departure(0);
        self.level = self.level.saturating_add(by);
        by
    }
}

/// The range of the numbers in both parts, without outliers.
fn spread(parts: [&[i32]; 2]) -> i32 {
    let (sorted, len) = sorted(parts);
    let outliers = len / OUTLIERS;
    sorted[len.saturating_sub(1 + outliers)].saturating_sub(sorted[outliers])
}

/// The median of both parts, or zero if they are empty. At most [`CAPACITY`] numbers.
pub(super) fn median(parts: [&[i32]; 2]) -> i32 {
    let (sorted, len) = sorted(parts);
    sorted[len / 2]
}

/// The numbers of both parts in increasing order, and their count.
fn sorted(parts: [&[i32]; 2]) -> ([i32; CAPACITY], usize) {
    let mut sorted = [0; CAPACITY];
    let mut len = 0;
    for (place, &value) in sorted.iter_mut().zip(parts.into_iter().flatten()) {
        *place = value;
        len += 1;
    }
    sorted[..len].sort_unstable();
    (sorted, len)
}
