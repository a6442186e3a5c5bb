//! How far ahead a start has to be announced: docs/theory.md, "When to start".

use super::config::OrganiserConfig;
use super::seat::Seat;
use crate::time::Span;

/// Copies of a message of which each is lost with probability `loss`, until all are lost with probability `missed` at
/// most.
pub(super) fn copies(loss: f64, missed: f64) -> i64 {
    let (mut copies, mut all_lost) = (1, loss);
    // With a loss of 0.9 and one in 10^8 missed, 175.
    while all_lost > missed {
        all_lost *= loss;
        copies += 1;
    }
    copies
}

/// The time from now on in which a participant certainly has the announcement, but for probability `missed`, when its
/// own clock reads the start.
pub(super) fn lead(seat: &Seat, config: &OrganiserConfig, missed: f64) -> Span {
    let Some(heard) = seat.heard() else { return Span::MAX };
    let repeats = copies(heard.loss().max(config.loss), missed) - 1;
    // Messages leave and are handled at frames: a repetition may be due just after one, and so may an arrival.
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
