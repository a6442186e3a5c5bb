//! Whether the shown time suffered, and when, in words.

use crate::inspect::look::{Look, clock};
use crate::report::words::ms;

/// Largest error of a clock that was not affected (ms), whatever it expects ...
const UNAFFECTED_MS: f64 = 1.0;
/// ... or this many times the error that it expects.
const UNAFFECTED_SIGMAS: f64 = 4.0;
/// Errors of the first seconds say nothing about what happens later (s).
const SETTLED_S: f64 = 30.0;

/// Whether the shown time suffered in a stretch, in words.
pub(super) fn effect(look: &Look, from: f64, to: f64) -> String {
    let from = if to > 2.0 * SETTLED_S { from.max(SETTLED_S) } else { from };
    let within = look.shown.iter().filter(|shown| (from..=to).contains(&shown.at_s));
    let expected = within.filter_map(|shown| shown.expected).fold(0.0, f64::max);
    match look.largest_error(from, to) {
        None => "What it did to the clock is not known.".to_owned(),
        Some(error) if error <= UNAFFECTED_MS.max(UNAFFECTED_SIGMAS * expected) => {
            format!("The clock was not affected: it stayed within {} ms.", ms(error))
        }
        Some(error) => format!("The shown time was off by up to {} ms.", ms(error)),
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
