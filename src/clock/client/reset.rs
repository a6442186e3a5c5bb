//! Decides when the shown clock is reset after a discontinuity, and what it shows until then.

use super::authorities::Left;
use super::events::Cause;
use crate::clock::ground::time::LocalTime;

/// The time to wait for the replies of a restarted server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wait {
    pub(super) replies: u32,
    pub(super) until: LocalTime,
}

impl Wait {
    fn is_on(&self, now: LocalTime) -> bool {
        self.replies > 0 && now < self.until
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reset {
    /// Reset at the next estimate.
    AtOnce(Cause),
    /// Reset after a restart of the server's clock. The old run's clock is shown until the burst has been
    /// answered. The first reply alone may be off by half of its queueing delay, and the old clock is still
    /// correct for past times.
    Restart {
        /// The state of the old run, if it was certain.
        left: Option<Left>,
        wait: Wait,
    },
    /// Correct the clock after a handover. Both runs show the same timescale, so the shown time is good, and
    /// the correction can wait until the burst has been answered.
    HandedOver(Wait),
}

impl Reset {
    /// Returns whether the shown clock and the replies belong to different runs of the server's clock.
    pub(super) fn is_restart(&self) -> bool {
        matches!(self, Reset::Restart { .. })
    }

    /// Returns whether the shown time is good, although a correction is pending.
    pub(super) fn is_good(&self) -> bool {
        matches!(self, Reset::HandedOver(_))
    }

    pub(super) fn count_reply(&mut self) {
        if let Reset::Restart { wait, .. } | Reset::HandedOver(wait) = self {
            wait.replies = wait.replies.saturating_sub(1);
        }
    }

    /// Forgets the state of the old run, because the local clock may have missed time.
    pub(super) fn forget_left(&mut self) {
        if let Reset::Restart { left, .. } = self {
            *left = None;
        }
    }

    /// Turns a restart into a handover, because the old run and the new run show the same timescale.
    pub(super) fn hand_over(&mut self) {
        if let Reset::Restart { wait, .. } = *self {
            *self = Reset::HandedOver(wait);
        }
    }

    /// Returns whether to keep showing the same clock.
    pub(super) fn waits(&self, now: LocalTime) -> bool {
        match self {
            Reset::AtOnce(_) => false,
            Reset::HandedOver(wait) | Reset::Restart { wait, .. } => wait.is_on(now),
        }
    }

    /// Returns whether the wait is over, with or without replies.
    pub(super) fn is_overdue(&self, now: LocalTime) -> bool {
        !matches!(self, Reset::AtOnce(_)) && !self.waits(now)
    }
}

#[cfg(test)]
mod tests {
    use super::super::authorities::Stated;
    use super::*;
    use crate::clock::estimate::{Interval, Limits};
    use crate::clock::exchange::Exchange;

    const END: LocalTime = LocalTime::from_ticks(1_000);
    const SOON: LocalTime = LocalTime::from_ticks(999);
    const WAIT: Wait = Wait { replies: 2, until: END };

    fn left() -> Left {
        let limits = Limits { drift: 0.0, client_step: 0, server_step: 0 };
        Left { stated: Stated::alone(1), interval: Interval::of(&Exchange::of_ticks([0; 4]), &limits) }
    }

    #[test]
    fn a_restart_waits_for_replies_or_its_deadline() {
        let mut reset = Reset::Restart { left: None, wait: WAIT };
        assert!(reset.waits(SOON));
        assert!(!reset.waits(END));
        assert!(reset.is_overdue(END));
        reset.count_reply();
        assert!(reset.waits(SOON));
        reset.count_reply();
        assert!(!reset.waits(SOON));
    }

    #[test]
    fn a_handover_keeps_the_shown_time_until_the_correction() {
        let mut reset = Reset::Restart { left: Some(left()), wait: WAIT };
        assert!(!reset.is_good());
        reset.hand_over();
        assert!(reset.is_good() && !reset.is_restart());
        assert!(reset.waits(SOON) && reset.is_overdue(END));
    }

    #[test]
    fn an_immediate_reset_does_not_wait() {
        let mut reset = Reset::AtOnce(Cause::LocalStep);
        reset.count_reply();
        assert!(!reset.waits(SOON) && !reset.is_overdue(END));
    }
}
