use crate::report::{Evaluation, amount, clock};

/// Errors up to this size never count as an effect.
const UNAFFECTED_MS: f64 = 1.0;
/// Errors up to this multiple of the expected error do not count as an effect.
const UNAFFECTED_SIGMAS: f64 = 4.0;
/// Errors above this size always count as an effect, even if the clock expected them.
const AFFECTED_MS: f64 = 5.0;
/// Errors are ignored for this long after the start of a session.
const SETTLED_S: f64 = 30.0;

/// Errors and bounds are in ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Effect {
    error: Option<f64>,
    /// `None` if the truth is known.
    proven: Option<Proven>,
    expected: f64,
    bound: f64,
}

/// The range (ms) that the timestamps prove for the largest error.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Proven {
    Between(f64, f64),
    /// A rate exceeds the limits in the settings, so the bounds do not hold.
    Nothing,
}

pub(super) fn effect(session: &Evaluation, from: f64, to: f64) -> String {
    Effect::within(session, from, to).words()
}

impl Effect {
    pub(super) fn within(session: &Evaluation, from: f64, to: f64) -> Self {
        let from = if to > 2.0 * SETTLED_S { from.max(SETTLED_S) } else { from };
        let within = || session.reads.iter().filter(|shown| (from..=to).contains(&shown.at_s));
        let expected = within().filter_map(|shown| shown.expected).fold(0.0, f64::max);
        let bound = within().filter_map(|shown| shown.bound).fold(0.0, f64::max);
        let proven: Option<Vec<(f64, f64)>> = within().map(|shown| shown.proven).collect();
        let proven = proven.map_or(Proven::Nothing, |all| {
            let largest = |of: fn(&(f64, f64)) -> f64| all.iter().map(of).fold(0.0, f64::max);
            Proven::Between(largest(|it| it.0), largest(|it| it.1))
        });
        let proven = (!session.is_true).then_some(proven);
        Effect { error: session.largest_error(from, to), proven, expected, bound }
    }

    /// Describes the effect of a queue that never drains. Part of this effect is invisible even in hindsight.
    pub(super) fn hidden_words(self, is_true: bool, is_queue: bool) -> String {
        let Effect { expected, bound, .. } = self;
        let error =
            if is_true { self.words() } else { "Its effect on the clock cannot be known.".to_owned() };
        let empty = if is_queue {
            "It was almost never empty, like the queue of a TCP connection that fills a line."
        } else {
            "If it was a queue, it was almost never empty."
        };
        format!(
            "{empty} Half of the wait that never drains is an error that round trips cannot show. {error} \
             The clock's expected error was up to {}, and its bound of {} includes the error.",
            amount(expected),
            amount(bound)
        )
    }

    pub(super) fn words(self) -> String {
        let limit = UNAFFECTED_MS.max((UNAFFECTED_SIGMAS * self.expected).min(AFFECTED_MS));
        let Some(error) = self.error else { return "Its effect on the clock is unknown.".to_owned() };
        let is_affected = error > limit;
        let off = amount(error);
        match self.proven {
            None if is_affected => format!("The shown time was off by up to {off}."),
            None => format!("The clock was not affected and stayed within {off}."),
            Some(Proven::Nothing) => {
                "Its effect on the clock is unknown, because the rates exceed the settings.".to_owned()
            }
            Some(Proven::Between(least, _)) if least > limit => {
                format!("The shown time was off by at least {}.", amount(least))
            }
            Some(Proven::Between(_, most)) if most <= limit => {
                format!("The clock was not affected and stayed within {}.", amount(most))
            }
            Some(Proven::Between(_, most)) => {
                let what = if is_affected {
                    "the shown time was off by up to"
                } else {
                    "the clock was not affected and stayed within"
                };
                let most = amount(most);
                format!(
                    "According to the best estimate, {what} {off}. The timestamps prove that it was at most \
                     {most}."
                )
            }
        }
    }
}

pub(super) fn span_words(from: f64, to: f64, whole: f64) -> String {
    if from < 0.02 * whole && to > 0.98 * whole {
        "throughout the session".to_owned()
    } else {
        format!("from {} to {}", clock(from), clock(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(error: f64, expected: f64, proven: Option<Proven>) -> String {
        Effect { error: Some(error), proven, expected, bound: 136.0 }.words()
    }

    #[test]
    fn a_large_error_is_an_effect_even_if_it_was_expected() {
        let words = |error, expected| words(error, expected, None);
        assert!(words(82.0, 25.0).contains("off by up to 82.0 ms"), "a standing queue");
        assert!(words(3.0, 1.0).contains("not affected"));
        assert!(words(0.9, 0.0).contains("not affected"));
        assert!(words(3.0, 0.5).contains("off by up to 3.00 ms"));
    }

    #[test]
    fn without_the_truth_the_proven_limits_are_stated() {
        let words = |error, least, most| words(error, 0.1, Some(Proven::Between(least, most)));
        assert_eq!(words(0.2, 0.0, 0.7), "The clock was not affected and stayed within 0.700 ms.");
        let proof = "The timestamps prove that it was at most 12.0 ms.";
        assert!(words(0.2, 0.0, 12.0).ends_with(&format!("stayed within 0.200 ms. {proof}")));
        assert!(words(8.0, 0.0, 12.0).ends_with(&format!("off by up to 8.00 ms. {proof}")));
        assert_eq!(words(1e6, 9.9e5, 1.1e6), "The shown time was off by at least 16 min.");
        let nothing = Effect { error: Some(8.0), proven: Some(Proven::Nothing), expected: 0.1, bound: 9.0 };
        assert!(nothing.words().contains("because the rates exceed"));
    }
}
