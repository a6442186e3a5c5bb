//! Decides whether an exchange fits, or a clock stepped.
//!
//! An exchange whose interval does not meet the aged one proves that something broke, but not what: a clock
//! may have stepped, or one reply may carry a bad stamp. So a first contradiction is only remembered. The next
//! exchange meets either the old interval (the contradiction was a freak) or the new one (a clock stepped).

use crate::estimate::{Interval, Limits};
use crate::time::{LocalTime, Span};

/// A suspicion that exchanges wide enough to meet both intervals leave undecided is settled for the newest after
/// this long.
const PATIENCE: Span = Span::from_secs(5);

/// An exchange that contradicts the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Suspicion {
    pub(crate) proven: Interval,
    pub(crate) since: LocalTime,
}

/// What an exchange says about the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It fits what is known.
    Agrees,
    /// It contradicts what is known, for the first time or in a new way.
    Suspicious,
    /// It fits both what was known and what contradicts it.
    Undecided,
    /// A clock stepped.
    Stepped,
}

/// Judges the exchange that proves `proven`. `doubted`: there is reason to expect a step, so one is enough.
pub(crate) fn judge(
    known: Option<&Interval>,
    suspicion: Option<&Suspicion>,
    proven: &Interval,
    doubted: bool,
    now: LocalTime,
    limits: &Limits,
) -> Verdict {
    let Some(known) = known else { return Verdict::Agrees };
    let fits = known.meets(proven, limits);
    let Some(suspicion) = suspicion else {
        return match (fits, doubted) {
            (true, _) => Verdict::Agrees,
            (false, false) => Verdict::Suspicious,
            (false, true) => Verdict::Stepped,
        };
    };
    match (fits, suspicion.proven.meets(proven, limits)) {
        (true, false) => Verdict::Agrees,
        (false, true) => Verdict::Stepped,
        (false, false) => Verdict::Suspicious,
        (true, true) if now - suspicion.since > PATIENCE => Verdict::Stepped,
        (true, true) => Verdict::Undecided,
    }
}
