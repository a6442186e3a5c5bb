//! One client's reads, as figures and as chart points: ten points per second, however many reads there are.

use netclock::Span;

use super::judge::Read;
use crate::baseline::RIVALS;
use crate::live::show::Point;
use crate::report::quantiles::Quantiles;
use crate::report::words::finite_ms;

/// Errors count only from this long after the start and after each incident, when the request bursts are
/// over.
pub(crate) const SETTLING: Span = Span::from_secs(1);
/// A longer gap between points interrupts the curves (s).
const GAP_S: f64 = 0.5;
/// Points are rounded to 1 ms divided by this: 10 ns.
const DECIMALS: f64 = 1e5;
/// An error that exceeds twice the expected error for this long is explained.
const LONG: Span = Span::from_secs(1);
/// A smaller error needs no explanation.
const SMALL: Span = Span::from_millis(2);

/// A client's reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reads {
    /// The newest read, with its time since the start.
    latest: Option<(Span, Read)>,
    /// Since when errors have exceeded the clock's expectation, and whether that has been explained.
    beyond: Option<(Span, bool)>,
    pub(crate) points: Vec<Point>,
}

/// Sizes of the errors of all clocks (ticks), at those reads at which every clock showed something.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SameReads {
    pub(crate) rivals: [Quantiles; RIVALS.len()],
    pub(crate) own: Quantiles,
    /// NetClock's bounds, where there are any.
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

impl Reads {
    /// Adds a read at a time since the start.
    pub(crate) fn add(&mut self, at: Span, read: &Read) {
        self.latest = Some((at, *read));
        let is_beyond = read.error.abs() > (2 * read.expected).max(SMALL.ticks());
        self.beyond = is_beyond.then(|| self.beyond.unwrap_or((at, false)));
    }

    /// True while its error exceeds the clock's expectation for a reason already explained.
    pub(crate) fn is_explained(&self) -> bool {
        self.beyond.is_some_and(|(_, is_explained)| is_explained)
    }

    /// The newest read, if its error has exceeded the clock's expectation for long. It is returned only once
    /// each time.
    pub(crate) fn take_unexplained(&mut self) -> Option<Read> {
        let ((at, read), (since, is_explained)) = (self.latest?, self.beyond.as_mut()?);
        (at - *since >= LONG && !std::mem::replace(is_explained, true)).then_some(read)
    }

    /// Adds a point for the reads in a report: the largest error of each clock. `seconds` converts a machine
    /// time to the time since the start.
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

/// Ticks in ms; `None` if nothing is promised.
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
    fn clocks_are_compared_at_the_reads_at_which_all_show_something() {
        let mut same = SameReads::default();
        (1..=4).for_each(|error_ms| same.add(&read(error_ms)));
        let [engine, best] = &same.rivals;
        assert_eq!([engine, best, &same.own].map(Quantiles::count), [3; 3]);
        assert_eq!([engine, best, &same.own].map(|it| it.share(1.0)), [40_000, 80_000, 40_000].map(Some));
    }

    #[test]
    fn a_report_is_a_point_and_a_gap_between_them_interrupts_the_lines() {
        let mut reads = Reads::default();
        for millis in [0, 100, 700] {
            let at = |error_ms| Read { at: millis, ..read(error_ms) };
            reads.draw(&[at(1), at(-4), at(3)], |at| at as f64 / 1e3);
        }
        let point = [Some(-4.0), Some(1e-4), Some(1.0), Some(4.0), Some(-8.0)];
        assert_eq!(reads.points, [(0.0, point), (0.1, point), (0.699, [None; 5]), (0.7, point)]);
    }

    #[test]
    fn an_error_beyond_the_expected_one_is_explained_once_it_lasts() {
        let mut reads = Reads::default();
        let explained = (0..60).filter(|tenth| {
            // The error may be up to twice 1 ms. From 1 s to 4 s and from 5 s on, it is 5 ms.
            let error_ms = if (10..40).contains(tenth) || *tenth >= 50 { 5 } else { 1 };
            reads.add(Span::from_millis(100 * tenth), &read(error_ms));
            let is_said = reads.take_unexplained().is_some();
            assert_eq!(reads.is_explained(), (20..40).contains(tenth), "{tenth}");
            is_said
        });
        assert_eq!(explained.collect::<Vec<_>>(), [20]);
    }
}
