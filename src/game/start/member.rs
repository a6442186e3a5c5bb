//! One participant as the organiser knows it, and how far ahead to announce a start to it: docs/theory.md,
//! "When to start".

use super::config::OrganiserConfig;
use super::error::StartError;
use super::message::{Claim, READINESS_INTERVAL};
use crate::clock::{ServerTime, Span};

/// After this time without a readiness message a participant counts as silent: six in a row are missing.
const SILENT_AFTER: Span = Span::from_millis(6 * 250);
/// Messages to count losses over. Then both counts are halved, so that old messages matter less.
const COUNTED: u32 = 64;

/// The readiness of a participant, by its messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    pub(super) key: u64,
    pub(super) claim: Claim,
    number: u32,
    at: ServerTime,
    sent: u32,
    arrived: u32,
}

impl Heard {
    /// Share of messages that are lost. Laplace's rule of succession: few messages prove little.
    pub(super) fn loss(&self) -> f64 {
        let lost = f64::from(self.sent - self.arrived + 1) / f64::from(self.sent + 2);
        lost.min(0.9)
    }
}

/// When a participant started, and the bound of its clock then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fired {
    pub(super) at: ServerTime,
    pub(super) error_bound: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) id: u64,
    heard: Option<Heard>,
    /// It was ready when the present start was scheduled.
    pub(super) counted: bool,
    /// The newest version that it acknowledged.
    pub(super) acknowledged: u32,
    pub(super) fired: Option<Fired>,
    /// When the newest announcement was last sent.
    pub(super) sent: Option<ServerTime>,
}

impl Member {
    pub(super) fn new(id: u64) -> Self {
        Member { id, heard: None, counted: false, acknowledged: 0, fired: None, sent: None }
    }

    pub(super) fn heard(&self) -> Option<&Heard> {
        self.heard.as_ref()
    }

    /// Whether this is the participant's key. The first readiness message sets it, and so does the first
    /// after a silence.
    pub(super) fn check(&self, key: u64) -> Result<(), StartError> {
        match self.heard {
            Some(heard) if heard.key == key => Ok(()),
            _ => Err(StartError::WrongKey),
        }
    }

    /// Takes a readiness message, and counts those that were lost before it.
    pub(super) fn hear(
        &mut self,
        key: u64,
        number: u32,
        claim: Claim,
        now: ServerTime,
    ) -> Result<(), StartError> {
        let is_silent = self.is_silent(now);
        let Some(heard) = self.heard.as_mut().filter(|heard| heard.key == key || !is_silent) else {
            // The key before was forged, or of an earlier connection. What it acknowledged counts for
            // nothing.
            (self.acknowledged, self.fired, self.sent) = (0, None, None);
            self.heard = Some(Heard { key, claim, number, at: now, sent: 1, arrived: 1 });
            return Ok(());
        };
        if heard.key != key {
            return Err(StartError::WrongKey);
        }
        if number <= heard.number {
            return Err(if number == heard.number { StartError::Duplicate } else { StartError::Stale });
        }
        heard.sent += (number - heard.number).min(COUNTED);
        heard.arrived += 1;
        if heard.sent >= COUNTED {
            (heard.sent, heard.arrived) = (heard.sent / 2, heard.arrived / 2);
        }
        (heard.number, heard.claim, heard.at) = (number, claim, now);
        Ok(())
    }

    pub(super) fn is_silent(&self, now: ServerTime) -> bool {
        self.heard.is_none_or(|heard| (now - heard.at).abs() > SILENT_AFTER)
    }

    /// Whether to send the announcement, or repeat it. Until `urgent_until` it is repeated every `interval`.
    /// Later it is repeated as often as the participant says that it is ready: a silent one costs nothing.
    pub(super) fn is_due(&self, now: ServerTime, urgent_until: ServerTime, interval: Span) -> bool {
        let urgent = now < urgent_until;
        let pace = if urgent { interval } else { interval.max(READINESS_INTERVAL) };
        self.heard.is_some()
            && (urgent || !self.is_silent(now))
            && self.sent.is_none_or(|sent| (now - sent).abs() >= pace)
    }

    /// How long from now on the start has to be, so that a participant knows of it when its own clock reads
    /// the start. It fails with probability `missed`.
    pub(super) fn lead_time(&self, config: &OrganiserConfig, missed: f64) -> Span {
        let Some(heard) = &self.heard else { return Span::MAX };
        let repeats = copies(heard.loss().max(config.loss), missed) - 1;
        // Messages leave and are handled at frames. A repetition may be due just after a frame, and so may an
        // arrival.
        let spacing = config.interval + config.frame;
        let sending = Span::from_ticks(spacing.ticks() * repeats);
        sending + heard.claim.round_trip + heard.claim.error_bound + config.frame + config.frame
    }
}

/// How many copies of a message to send, so that the probability to lose all of them is at most `missed`.
/// Each copy is lost with probability `loss`.
fn copies(loss: f64, missed: f64) -> i64 {
    let (mut copies, mut all_lost) = (1, loss);
    // A loss of 0.9 and one in 10^8 missed needs 175.
    while all_lost > missed {
        all_lost *= loss;
        copies += 1;
    }
    copies
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
