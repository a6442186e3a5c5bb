//! Tracks the level of the delays in one direction, and detects when recent delays deviate from it
//! (`docs/theory.md`, "When the latency changes").
//!
//! The *level* is the median of the delays (ticks) since the last change. An avatar depends on this typical
//! delay rather than on the minimum. When the level changes, the older delays are shifted by the same amount,
//! so they still represent the spread.

use super::evidence::Evidence;

/// Number of delays in `past`, which are about a second or more apart.
pub(super) const PAST: usize = 64;
pub(super) const NEWEST: usize = 24;
pub(super) const CAPACITY: usize = PAST + NEWEST;
/// Betting starts once there are this many older delays to compare with.
const LEAST: usize = 8;
/// Each delay that moves to `past` reduces `widest` by 1/256, so a third of it is left after four minutes.
const FADES: i32 = 256;
/// One delay in ten at either end of the range counts as an outlier.
const OUTLIERS: usize = 10;
/// A gradual change may win no bet. A sign test detects it at this many standard deviations.
const CREPT: f64 = 5.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    pub(super) by: i32,
    /// Number of delays since the change, or zero if the change was gradual.
    pub(super) run: usize,
    pub(super) evidence: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum News {
    /// The level changed by this many ticks (usually zero), and the change is not reported.
    Settled(i32),
    /// The caller decides whether to report the change, and then calls [`Delays::move_on`].
    Shifted(Shift),
}

#[derive(Clone, Debug)]
pub(super) struct Delays {
    /// Delays (ticks) in order of arrival, first those in `past`, then those in `newest`.
    past: [i32; PAST],
    newest: [i32; NEWEST],
    past_len: u8,
    newest_len: u8,
    past_own: u8,
    newest_own: u8,
    rise: Evidence,
    fall: Evidence,
    pub(super) level: i32,
    /// The largest recent spread of the delays (ticks) while the path was restless.
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

    /// When `newest` is full, its oldest delay moves to `past` if `keeps` is set, and is dropped otherwise. A
    /// change is detected if it is at least `least` ticks and the logarithm of its evidence is at least
    /// `threshold`. If `is_restless` is set, the change must also exceed the spread of the last few minutes.
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
        let known = self.known();
        let count = known[0].len() + known[1].len();
        let (low, high) = (delay.saturating_sub(margin), delay.saturating_add(margin));
        let mut above = count_of(known, |value| value >= low);
        let mut below = count_of(known, |value| value <= high);
        if is_restless {
            // A queue affects many consecutive exchanges, so only outliers count as independent evidence.
            let beyond_most = |extreme: usize| if extreme <= count / OUTLIERS { 0 } else { count };
            (above, below) = (beyond_most(above), beyond_most(below));
        }
        self.push(delay, keeps);
        if count >= LEAST {
            // Limit the evidence so that it decays quickly after its cause ends.
            let most = threshold + 4.0;
            self.rise.add(above, count, NEWEST as u8, most);
            self.fall.add(below, count, NEWEST as u8, most);
        }
        match self.shift(least, threshold) {
            Some(shift) => News::Shifted(shift),
            None => News::Settled(self.settle()),
        }
    }

    /// Returns the median of the last `run` delays minus the level, in ticks. If `run` is zero, uses all
    /// delays since the last change except those in a bet's current run.
    pub(super) fn departure(&self, run: usize) -> i32 {
        let len = usize::from(self.newest_len);
        let now = match run {
            0 => median(self.own(self.suspects())),
            run => median([&[], &self.newest[len - run.min(len)..len]]),
        };
        now.saturating_sub(self.level)
    }

    /// Does not shift the stored delays if `run` is zero, because they already reflect the new level.
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

    pub(super) fn all(&self) -> [&[i32]; 2] {
        [self.past(), &self.newest[..usize::from(self.newest_len)]]
    }

    fn known(&self) -> [&[i32]; 2] {
        [self.past(), &self.newest[..usize::from(self.newest_len) - self.suspects()]]
    }

    fn past(&self) -> &[i32] {
        &self.past[..usize::from(self.past_len)]
    }

    fn suspects(&self) -> usize {
        usize::from(self.rise.suspects().max(self.fall.suspects()).min(self.newest_len))
    }

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
        debug_assert!(self.past_own <= self.past_len, "at most all delays are from after the change");
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

    /// Shortens `run`, because a bet may have started to win by chance before the change.
    fn since_change(&self, run: usize, by: i32) -> usize {
        let len = usize::from(self.newest_len);
        let newest = &self.newest[len - run..len];
        let is_new = |&&delay: &&i32| {
            let gone = i64::from(delay) - i64::from(self.level);
            gone.abs() >= (gone - i64::from(by)).abs()
        };
        run - newest.iter().position(|delay| is_new(&delay)).unwrap_or(0)
    }

    fn crept(&self, least: i32) -> Option<Shift> {
        if !self.is_settled() {
            return None;
        }
        let by = self.departure(0);
        // The level is only a median. Therefore, count only delays that differ from it by more than half of
        // the smallest change to report.
        let beyond = self.level.saturating_add(by.signum() * (least / 2));
        let past = self.past();
        let gone = past.iter().filter(|&&value| (value > beyond) == (by > 0)).count() as f64;
        let deviations = (2.0 * gone - past.len() as f64) / (past.len() as f64).sqrt();
        // Approximates the negative logarithm of the normal distribution's tail.
        let evidence = (deviations * deviations / 2.0) as f32;
        let far = by.unsigned_abs() >= least.unsigned_abs();
        (deviations >= CREPT && far).then_some(Shift { by, run: 0, evidence })
    }

    fn is_settled(&self) -> bool {
        usize::from(self.past_own) == PAST
    }

    /// During the first minute after the start or a change, sets the level to the median, because a few
    /// delays are not representative. Returns the change of the level in ticks.
    fn settle(&mut self) -> i32 {
        if self.is_settled() {
            return 0;
        }
        let by = self.departure(0);
        self.level = self.level.saturating_add(by);
        by
    }
}

fn spread(parts: [&[i32]; 2]) -> i32 {
    let (mut sorted, len) = joined(parts);
    sorted[..len].sort_unstable();
    let outliers = len / OUTLIERS;
    sorted[len.saturating_sub(1 + outliers)].saturating_sub(sorted[outliers])
}

pub(super) fn median(parts: [&[i32]; 2]) -> i32 {
    let (mut values, len) = joined(parts);
    let values = &mut values[..len];
    if values.is_empty() { 0 } else { *values.select_nth_unstable(len / 2).1 }
}

fn count_of(parts: [&[i32]; 2], is: impl Fn(i32) -> bool) -> usize {
    parts.into_iter().flatten().filter(|&&value| is(value)).count()
}

fn joined([first, second]: [&[i32]; 2]) -> ([i32; CAPACITY], usize) {
    let mut all = [0; CAPACITY];
    let len = first.len() + second.len();
    all[..first.len()].copy_from_slice(first);
    all[first.len()..len].copy_from_slice(second);
    (all, len)
}
