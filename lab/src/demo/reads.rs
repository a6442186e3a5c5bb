//! Condenses a client's reads into figures, and into ten chart points per second.

use netclock::Span;

use super::judge::Read;
use crate::baseline::RIVALS;
use crate::live::show::Point;
use crate::report::quantiles::Quantiles;
use crate::report::words::finite_ms;

/// Errors do not count for this long after the start and after each incident, until the bursts are over.
pub(crate) const SETTLING: Span = Span::from_secs(1);
/// Curves have a gap wherever points are further apart than this.
const GAP_S: f64 = 0.5;
/// Points are rounded to 1 ms divided by this, i.e. 10 ns.
const DECIMALS: f64 = 1e5;

/// The absolute errors of all clocks (ticks), for reads at which every clock showed a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SameReads {
    pub(crate) rivals: [Quantiles; RIVALS.len()],
    pub(crate) own: Quantiles,
    pub(crate) bound: Quantiles,
}

impl SameReads {
    pub(crate) fn add(&mut self, read: &Read) {
        let [Some(engine), Some(best)] = read.rivals else { return };
        for (sizes, error) in self.rivals.iter_mut().chain([&mut self.own]).zip([engine, best, read.error]) {
            sizes.add(error.abs());
        }
        if read.bound != i64::MAX {
            self.bound.add(read.bound);
        }
    }
}

/// A client's chart points, which contain a time (s), and errors and bounds (ms).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reads {
    pub(crate) points: Vec<Point>,
}

impl Reads {
    /// Adds a point with the largest error of each clock in a report. `seconds` counts from the start.
    pub(crate) fn draw(&mut self, reads: &[Read], seconds: impl Fn(i64) -> f64) {
        let Some(worst) = reads.iter().max_by_key(|read| read.error.unsigned_abs()) else { return };
        let rival = |which: usize| {
            let errors = reads.iter().filter_map(|read| read.rivals[which]);
            errors.max_by_key(|error| error.unsigned_abs()).and_then(ms)
        };
        let at = rounded(seconds(worst.at));
        if self.points.last().is_some_and(|last| at - last.0 > GAP_S) {
            self.points.push((at - 0.001, [None; 5]));
        }
        let [error, bound, expected] = [worst.error, worst.bound, worst.expected].map(ms);
        self.points.push((at, [error, bound, expected, rival(0), rival(1)]));
    }
}

/// Converts ticks to ms, or returns `None` if they are unbounded.
fn ms(ticks: i64) -> Option<f64> {
    finite_ms(Span::from_ticks(ticks)).map(rounded)
}

fn rounded(value: f64) -> f64 {
    (value * DECIMALS).round() / DECIMALS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(error_ms: i64) -> Read {
        let error = error_ms * 10_000;
        let rivals = [Some(-error), (error_ms != 3).then_some(2 * error)];
        Read { at: 0, error, bound: 1, expected: 10_000, rivals }
    }

    #[test]
    fn clocks_are_compared_when_all_show_a_time() {
        let mut same = SameReads::default();
        (1..=4).for_each(|error_ms| same.add(&read(error_ms)));
        let [engine, best] = &same.rivals;
        assert_eq!([engine, best, &same.own].map(Quantiles::count), [3; 3]);
        assert_eq!([engine, best, &same.own].map(|it| it.share(1.0)), [40_000, 80_000, 40_000].map(Some));
    }

    #[test]
    fn a_report_adds_a_point_and_gaps_interrupt_the_lines() {
        let mut reads = Reads::default();
        for millis in [0, 100, 700] {
            let at = |error_ms| Read { at: millis, ..read(error_ms) };
            reads.draw(&[at(1), at(-4), at(3)], |at| at as f64 / 1e3);
        }
        let point = [Some(-4.0), Some(1e-4), Some(1.0), Some(4.0), Some(-8.0)];
        assert_eq!(reads.points, [(0.0, point), (0.1, point), (0.699, [None; 5]), (0.7, point)]);
    }
}
