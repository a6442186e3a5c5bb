//! How far off a clock was, and whether it kept its promises.

use netclock::{Reading, ServerTime, Span, State};
use serde::{Deserialize, Serialize};

use netclock_sim::measure::figures::{nearest_rank, sorted};
use netclock_sim::measure::last_read::LastRead;

/// Errors count from this second of a clock on.
pub(super) const FROM_S: f64 = 30.0;

/// The reads of one clock.
#[derive(Default)]
pub(super) struct Judge {
    /// Sizes of the errors that count (s).
    errors: Vec<f64>,
    /// How many of them were within one, two and three times the expected error.
    within: [usize; 3],
    expecting: usize,
    judged: Judged,
    last: LastRead,
}

/// How a clock did in one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Judged {
    pub(super) clock: String,
    /// Reads of a synchronised clock.
    pub(super) reads: usize,
    /// Quantiles of the errors that count (ms); none without any.
    pub(super) p50_ms: Option<f64>,
    pub(super) p99_ms: Option<f64>,
    pub(super) max_ms: Option<f64>,
    /// Reads outside their bound, before an earlier one, and with an expected error above the bound.
    pub(super) outside: usize,
    pub(super) backwards: usize,
    pub(super) above_bound: usize,
    /// Shares of the errors that count within one, two and three times the expected error (%).
    pub(super) within: Option<[f64; 3]>,
}

impl Judge {
    /// Takes a read of NetClock.
    pub(super) fn read(&mut self, seconds: f64, reading: &Reading, truth: ServerTime) {
        if reading.state == State::Unsynced {
            return;
        }
        let (error, expected) = ((reading.server_time - truth).abs(), reading.expected_error);
        self.judged.backwards += usize::from(self.last.goes_back(reading.epoch, reading.server_time.ticks()));
        self.judged.above_bound += usize::from(expected > reading.error_bound);
        self.add(seconds, error.as_secs_f64(), Some(reading.error_bound.as_secs_f64()));
        if seconds >= FROM_S {
            self.expecting += 1;
            for (times, count) in (1..).zip(&mut self.within) {
                *count += usize::from(error <= Span::from_ticks(expected.ticks().saturating_mul(times)));
            }
        }
    }

    /// Takes the error (s) of a clock, and its bound if it states one.
    pub(super) fn add(&mut self, seconds: f64, error_s: f64, bound_s: Option<f64>) {
        self.judged.reads += 1;
        self.judged.outside += usize::from(bound_s.is_some_and(|bound_s| error_s.abs() > bound_s));
        if seconds >= FROM_S {
            self.errors.push(error_s.abs());
        }
    }

    pub(super) fn judged(self, clock: &str) -> Judged {
        let errors = sorted(self.errors);
        let quantile = |share| nearest_rank(&errors, share).map(|error| 1e3 * error);
        let share = |count: usize| 100.0 * count as f64 / self.expecting as f64;
        Judged {
            clock: clock.to_owned(),
            p50_ms: quantile(0.5),
            p99_ms: quantile(0.99),
            max_ms: quantile(1.0),
            within: (self.expecting > 0).then(|| self.within.map(share)),
            ..self.judged
        }
    }
}

impl Judged {
    /// Whether the clock knew the time, kept its bound, never went backwards, and expected no error above the
    /// bound.
    pub(super) fn is_kept(&self) -> bool {
        self.reads > 0 && self.outside == 0 && self.backwards == 0 && self.above_bound == 0
    }
}
