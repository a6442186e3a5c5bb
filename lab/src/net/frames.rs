//! A game's frame loop, which looks for messages only at the starts of its frames.

use std::time::Duration;

use netclock::{Span, TICKS_PER_SECOND};

use super::clock::{self, MachineTime};

/// Frames at an even rate, as far as the system wakes the program in time.
pub(crate) struct Frames {
    period: Span,
    next: MachineTime,
    /// When the loop last looked for messages.
    pub(crate) polled: Option<MachineTime>,
}

impl Frames {
    /// `rate` frames a second.
    pub(crate) fn new(rate: u32) -> Self {
        let period = Span::from_ticks(TICKS_PER_SECOND / i64::from(rate.max(1)));
        Frames { period, next: clock::now(), polled: None }
    }

    /// Sleeps until the next frame. Returns when it starts, which is late if the frame before was long.
    pub(crate) fn next(&mut self) -> MachineTime {
        let ticks = u64::try_from((self.next - clock::now()).ticks()).unwrap_or(0);
        std::thread::sleep(Duration::from_nanos(ticks.saturating_mul(100)));
        let now = clock::now();
        self.next = (self.next + self.period).max(now);
        now
    }
}
