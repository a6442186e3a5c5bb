//! Decides when to reset the shown clock after a discontinuity, and what to show until then.

use super::authorities::Left;
use super::events::Cause;
use crate::clock::ground::time::LocalTime;

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
    AtOnce(Cause),
    /// The server restarted. Until the burst is answered, we show the clock from before the restart, which is
    /// still correct for past times. A single reply may be off by half of its queueing delay.
    Restart {
        /// The state of the old run, or `None` if that run was doubtful.
        left: Option<Left>,
        wait: Wait,
    },
    /// The timescale is the same before and after the restart, so the correction can wait for the burst's
    /// replies.
    HandedOver(Wait),
}

impl Reset {
    pub(super) fn is_restart(&self) -> bool {
        matches!(self, Reset::Restart { .. })
    }

    pub(super) fn is_good(&self) -> bool {
        matches!(self, Reset::HandedOver(_))
    }

    pub(super) fn count_reply(&mut self) {
        if let Reset::Restart { wait, .. } | Reset::HandedOver(wait) = self {
            wait.replies = wait.replies.saturating_sub(1);
        }
    }

    pub(super) fn forget_left(&mut self) {
        if let Reset::Restart { left, .. } = self {
            *left = None;
        }
    }

    pub(super) fn hand_over(&mut self) {
        if let Reset::Restart { wait, .. } = *self {
            *self = Reset::HandedOver(wait);
        }
    }

    pub(super) fn waits(&self, now: LocalTime) -> bool {
        match self {
            Reset::AtOnce(_) => false,
            Reset::HandedOver(wait) | Reset::Restart { wait, .. } => wait.is_on(now),
        }
    }

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
