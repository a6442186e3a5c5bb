//! A game's frame loop, which checks for messages only at the start of each frame.

use std::time::Duration;

use netclock::{Span, TICKS_PER_SECOND};

use super::clock::{self, MachineTime};

/// Frames at an even rate, if the system wakes the program in time.
pub(crate) struct Frames {
    period: Span,
    next: MachineTime,
    /// When the loop last checked for messages.
    pub(crate) polled: Option<MachineTime>,
}

impl Frames {
    /// A loop with `rate` frames per second.
    pub(crate) fn new(rate: u32) -> Self {
        let period = Span::from_ticks(TICKS_PER_SECOND / i64::from(rate.max(1)));
        Frames { period, next: clock::now(), polled: None }
    }

    /// Sleeps until the next frame. Returns when that frame starts, which is late if the previous frame took
    /// too long.
    pub(crate) fn next(&mut self) -> MachineTime {
        let ticks = u64::try_from((self.next - clock::now()).ticks()).unwrap_or(0);
        std::thread::sleep(Duration::from_nanos(ticks.saturating_mul(100)));
        let now = clock::now();
        self.next = (self.next + self.period).max(now);
        now
    }
}
