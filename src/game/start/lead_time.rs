//! How far ahead to announce a start: docs/theory.md, "When to start".

use super::config::OrganiserConfig;
use super::member::Member;
use crate::clock::Span;

/// How many copies of a message to send, so that the probability to lose all of them is at most `missed`.
/// Each copy is lost with probability `loss`.
pub(super) fn copies(loss: f64, missed: f64) -> i64 {
    let (mut copies, mut all_lost) = (1, loss);
    // A loss of 0.9 and one in 10^8 missed needs 175.
    while all_lost > missed {
        all_lost *= loss;
        copies += 1;
    }
    copies
}

/// How long from now on the start has to be, so that a participant knows of it when its own clock reads the
/// start. It fails with probability `missed`.
pub(super) fn lead_time(member: &Member, config: &OrganiserConfig, missed: f64) -> Span {
    let Some(heard) = member.heard() else { return Span::MAX };
    let repeats = copies(heard.loss().max(config.loss), missed) - 1;
    // Messages leave and are handled at frames. A repetition may be due just after a frame, and so may an
    // arrival.
    let spacing = config.interval + config.frame;
    let sending = Span::from_ticks(spacing.ticks() * repeats);
    sending + heard.claim.round_trip + heard.claim.error_bound + config.frame + config.frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_the_fewest_that_suffice() {
        for (loss, missed) in [(0.01_f64, 0.4), (0.1, 1e-3), (0.2, 1e-5), (0.5, 1e-6), (0.9, 1e-8)] {
            let copies = copies(loss, missed) as i32;
            assert!(loss.powi(copies) <= missed * 1.000_001, "{loss}: {copies}");
            assert!(copies == 1 || loss.powi(copies - 1) > missed, "{loss}: {copies} are more than needed");
        }
    }
}
