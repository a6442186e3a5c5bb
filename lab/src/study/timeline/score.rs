//! Scores a clock by comparing every world time that it shows with the world's own frames.

use netclock::Span;
use netclock::timeline::Segment;

use super::game::{Kind, Phase};
use super::run::{Course, ShownTime};
use netclock_sim::{
    Account, Clocks, GameWorld, TICKS_PER_MS, TICKS_PER_S, measure::account, nearest_rank, sorted,
};

const START_S: f64 = 5.0;
const RECENT_S: f64 = 1.0;
/// After a long frame, the displayed world is too far ahead. The shown world stands still until it is only
/// 250 ms ahead. A slew of 5 % then removes the rest within five seconds.
const RECENT_HITCH_S: f64 = 9.0;
/// Timestamps, true times and reads are rounded to whole ticks.
const ROUNDING: Span = Span::from_ticks(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    /// The rate is 1 and has not changed recently.
    Constant,
    Paused,
    Animated,
    /// A pause recently started or ended, or a new map was loaded.
    Changed,
    Hitched,
}

fn mood(phases: &[Phase], at_s: f64) -> Mood {
    let mut mood = Mood::Constant;
    for phase in phases.iter().filter(|phase| phase.from_s <= at_s) {
        let (since, after) = (at_s - phase.from_s, at_s - phase.to_s);
        let recent_s = if phase.kind == Kind::Hitch { RECENT_HITCH_S } else { RECENT_S };
        match phase.kind {
            _ if after >= recent_s => {}
            Kind::Hitch => return Mood::Hitched,
            Kind::Slow if after < 0.0 => return Mood::Animated,
            Kind::Pause if after < 0.0 && since >= RECENT_S => return Mood::Paused,
            _ => mood = Mood::Changed,
        }
    }
    mood
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    pub reads: usize,
    pub p50_ms: f64,
    pub p99_ms: f64,
}

impl Errors {
    fn of(errors_ms: &[f64]) -> Option<Self> {
        let sizes = sorted(errors_ms.iter().map(|error| error.abs()));
        Some(Errors {
            reads: sizes.len(),
            p50_ms: nearest_rank(&sizes, 0.5)?,
            p99_ms: nearest_rank(&sizes, 0.99)?,
        })
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldScore {
    pub constant: Option<Errors>,
    /// Errors during pauses, except in the first second of each pause.
    pub paused: Option<Errors>,
    pub animated: Option<Errors>,
    /// Errors within a second of a change (the start or end of a pause, the end of slow motion, or travel).
    pub changed: Option<Errors>,
    /// Errors during a long frame and in the nine seconds after it.
    pub hitched: Option<Errors>,
    /// Checks the bounds that hold even if the world has changed.
    pub certain: Account,
    /// Checks the bounds that assume an unchanged world, as long as no newer segment has begun.
    pub unchanged: Account,
    /// At a constant rate, the mean error of the last ten seconds minus that of the first ten. The error of
    /// the client's clock is not included.
    pub crept_ms: f64,
    pub segments: usize,
    pub segments_per_s: f64,
    pub most_in_a_second: usize,
    pub segments_sent: u64,
    pub bytes_per_s: f64,
}

pub struct Judge<'a> {
    pub game: &'a GameWorld,
    pub phases: &'a [Phase],
    pub clocks: &'a Clocks,
    pub seconds: f64,
}

impl Judge<'_> {
    pub fn score(&self, course: &Course) -> WorldScore {
        let mut score = WorldScore {
            segments: course.published.len(),
            segments_per_s: course.published.len() as f64 / self.seconds,
            most_in_a_second: most_in_a_second(&course.published),
            segments_sent: course.segments_sent,
            bytes_per_s: course.bytes as f64 / self.seconds,
            ..WorldScore::default()
        };
        let mut errors: [Vec<f64>; 5] = Default::default();
        let mut calm: Vec<(f64, f64)> = Vec::new();
        for &(at_s, shown) in &course.reads {
            let Some(shown) = shown else { continue };
            score.certain.goes_back(shown.epoch, shown.world);
            let error_ms = self.judge(at_s, &shown, &course.published, &mut score);
            if at_s < START_S {
                continue;
            }
            let mood = mood(self.phases, at_s);
            errors[mood as usize].push(error_ms);
            if mood == Mood::Constant {
                let clock = self.clocks.error(shown.real, at_s) / TICKS_PER_MS;
                calm.push((at_s, error_ms - clock));
            }
        }
        let [constant, paused, animated, changed, hitched] = errors.map(|errors| Errors::of(&errors));
        let crept_ms = crept(&calm);
        WorldScore { constant, paused, animated, changed, hitched, crept_ms, ..score }
    }

    fn judge(&self, at_s: f64, shown: &ShownTime, published: &[Segment], score: &mut WorldScore) -> f64 {
        let (least, most) = self.game.truth(shown.instance, at_s);
        let world = shown.world as f64;
        let error = if world > most { world - most } else { (world - least).min(0.0) };
        let size = account::size(error);
        let bound = |ticks: i64| Span::from_ticks(ticks) + ROUNDING;
        score.certain.is_outside(size, bound(shown.bound));
        if self.is_in_force(at_s, shown, published) {
            score.unchanged.is_outside(size, bound(shown.if_unchanged));
        }
        error / TICKS_PER_MS
    }

    /// A segment is in force until its world ends or the next segment begins.
    fn is_in_force(&self, at_s: f64, shown: &ShownTime, published: &[Segment]) -> bool {
        let next = published.iter().find(|segment| {
            segment.instance == shown.instance && segment.version.wrapping_sub(1) == shown.version
        });
        let is_over = at_s > self.game.end_of(shown.instance);
        !is_over && next.is_none_or(|next| at_s * TICKS_PER_S <= self.clocks.since_start(next.since.ticks()))
    }
}

fn most_in_a_second(published: &[Segment]) -> usize {
    let begins: Vec<i64> = published.iter().map(|segment| segment.real.ticks()).collect();
    let within =
        |&from: &i64| begins.iter().filter(|&&at| at >= from && ((at - from) as f64) < TICKS_PER_S).count();
    begins.iter().map(within).max().unwrap_or(0)
}

fn crept(calm: &[(f64, f64)]) -> f64 {
    let (Some(first), Some(last)) = (calm.first(), calm.last()) else { return f64::NAN };
    let mean = |from: f64, to: f64| {
        let within: Vec<f64> =
            calm.iter().filter(|(at, _)| (from..=to).contains(at)).map(|(_, error)| *error).collect();
        within.iter().sum::<f64>() / within.len() as f64
    };
    mean(last.0 - 10.0, last.0) - mean(first.0, first.0 + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use netclock_sim::clock::ClockConfig;

    const PHASES: [Phase; 2] = [Phase::new(Kind::Pause, 10.0, 3.0), Phase::new(Kind::Slow, 20.0, 3.0)];

    fn shown(world_s: f64, bound_ms: f64) -> Option<ShownTime> {
        let ticks = |ms: f64| (ms * TICKS_PER_MS) as i64;
        Some(ShownTime {
            world: (world_s * TICKS_PER_S) as i64,
            instance: 1,
            epoch: 1,
            bound: ticks(bound_ms),
            if_unchanged: ticks(bound_ms),
            version: 1,
            real: 0,
        })
    }

    fn score(reads: Vec<(f64, Option<ShownTime>)>) -> WorldScore {
        let (game, seconds) = (super::super::game::play(&PHASES, 1000.0, 30.0, 1), 30.0);
        let clocks = Clocks::new(&ClockConfig::default(), seconds, 1);
        let judge = Judge { game: &game, phases: &PHASES, clocks: &clocks, seconds };
        judge.score(&Course { reads, ..Course::default() })
    }

    #[test]
    fn errors_are_grouped_by_mood_and_bounds_are_checked() {
        let found = score(vec![
            (6.0, shown(6.002, 3.0)),
            (7.0, shown(7.004, 3.0)),
            (7.5, shown(7.0, 1000.0)),
            (8.0, None),
            (12.5, shown(10.010, 50.0)),
            (10.5, shown(10.500, 600.0)),
            (21.0, shown(18.0, 1000.0)),
        ]);
        assert_eq!((found.certain.outside, found.unchanged.outside, found.certain.backwards), (1, 1, 1));
        let reads = |errors: Option<Errors>| errors.map(|errors| errors.reads);
        assert_eq!(
            [found.constant, found.paused, found.animated, found.changed].map(reads),
            [Some(3), Some(1), Some(1), Some(1)]
        );
        assert!(found.paused.is_some_and(|errors| (errors.p99_ms - 10.0).abs() < 3.0), "{found:?}");
    }

    #[test]
    fn creep_is_the_change_in_the_mean() {
        let calm: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(i), f64::from(i) * 0.1)).collect();
        assert!((crept(&calm) - 8.9).abs() < 1e-9, "{}", crept(&calm));
    }
}
