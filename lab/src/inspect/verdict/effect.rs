//! Whether the shown time suffered, and when, in words.

use crate::inspect::look::{Look, clock};
use crate::report::words::ms;

/// Largest error of a clock that was not affected (ms), whatever it expects ...
const UNAFFECTED_MS: f64 = 1.0;
/// ... or this many times the error that it expects.
const UNAFFECTED_SIGMAS: f64 = 4.0;
/// Errors of the first seconds say nothing about what happens later (s).
const SETTLED_S: f64 = 30.0;

/// What became of the shown time in a stretch (ms).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Effect {
    /// The largest error; none if nothing is known.
    error: Option<f64>,
    /// The largest expected error.
    expected: f64,
}

/// Whether the shown time suffered in a stretch, in words.
pub(super) fn effect(look: &Look, from: f64, to: f64) -> String {
    Effect::within(look, from, to).words()
}

impl Effect {
    pub(super) fn within(look: &Look, from: f64, to: f64) -> Self {
        let from = if to > 2.0 * SETTLED_S { from.max(SETTLED_S) } else { from };
        let within = look.shown.iter().filter(|shown| (from..=to).contains(&shown.at_s));
        let expected = within.filter_map(|shown| shown.expected).fold(0.0, f64::max);
        Effect { error: look.largest_error(from, to), expected }
    }

    /// In both of two stretches.
    pub(super) fn and(self, other: Self) -> Self {
        let error = match (self.error, other.error) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        Effect { error, expected: self.expected.max(other.expected) }
    }

    pub(super) fn words(self) -> String {
        match self.error {
            None => "What it did to the clock is not known.".to_owned(),
            Some(error) if error <= UNAFFECTED_MS.max(UNAFFECTED_SIGMAS * self.expected) => {
                format!("The clock was not affected: it stayed within {} ms.", ms(error))
            }
            Some(error) => format!("The shown time was off by up to {} ms.", ms(error)),
        }
    }
}

/// A stretch of a session in words.
pub(super) fn span_words(from: f64, to: f64, whole: f64) -> String {
    if from < 0.02 * whole && to > 0.98 * whole {
        "all the time".to_owned()
    } else {
        format!("from {} to {}", clock(from), clock(to))
    }
}
