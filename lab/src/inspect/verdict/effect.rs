//! Whether the shown time suffered, and when, in words.

use crate::inspect::look::{Look, clock};
use crate::report::words::ms;

/// Largest error of a clock that was not affected (ms), whatever it expects ...
const UNAFFECTED_MS: f64 = 1.0;
/// ... or this many times the error that it expects, ...
const UNAFFECTED_SIGMAS: f64 = 4.0;
/// ... but never more than this: a clock that expects much is affected already (ms).
const AFFECTED_MS: f64 = 5.0;
/// Errors of the first seconds say nothing about what happens later (s).
const SETTLED_S: f64 = 30.0;

/// What became of the shown time in a stretch (ms).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Effect {
    /// The largest error; none if nothing is known.
    error: Option<f64>,
    /// The largest expected error, and the largest bound.
    expected: f64,
    bound: f64,
}

/// Whether the shown time suffered in a stretch, in words.
pub(super) fn effect(look: &Look, from: f64, to: f64) -> String {
    Effect::within(look, from, to).words()
}

impl Effect {
    pub(super) fn within(look: &Look, from: f64, to: f64) -> Self {
        let from = if to > 2.0 * SETTLED_S { from.max(SETTLED_S) } else { from };
        let within = look.shown.iter().filter(|shown| (from..=to).contains(&shown.at_s));
        let expected = within.clone().filter_map(|shown| shown.expected).fold(0.0, f64::max);
        let bound = within.filter_map(|shown| shown.bound).fold(0.0, f64::max);
        Effect { error: look.largest_error(from, to), expected, bound }
    }

    /// Beside a queue that was hardly ever seen empty: hindsight cannot see what always stands in it.
    pub(super) fn hidden_words(self, is_true: bool) -> String {
        let Effect { expected, bound, .. } = self;
        let error =
            if is_true { self.words() } else { "What it did to the clock cannot be known.".to_owned() };
        format!(
            "It was hardly ever empty, as TCP keeps a line that it fills. Half of what always stands in it \
             is an error that round trips cannot show. {error} The clock itself expected up to {} ms; the \
             bound of {} ms covers it.",
            ms(expected),
            ms(bound)
        )
    }

    pub(super) fn words(self) -> String {
        match self.error {
            None => "What it did to the clock is not known.".to_owned(),
            Some(error)
                if error <= UNAFFECTED_MS.max((UNAFFECTED_SIGMAS * self.expected).min(AFFECTED_MS)) =>
            {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_far_off_was_affected_whatever_it_expected() {
        let words = |error, expected| Effect { error: Some(error), expected, bound: 136.0 }.words();
        assert!(words(82.0, 25.0).contains("off by up to 82.0 ms"), "a standing queue");
        assert!(words(3.0, 1.0).contains("not affected"));
        assert!(words(0.9, 0.0).contains("not affected"));
        assert!(words(3.0, 0.5).contains("off by up to 3.00 ms"));
    }
}
