use netclock::Reading;

use crate::Exchange;

/// Sizes in bytes, without the headers of lower layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    pub request: u64,
    pub reply: u64,
}

/// A clock that learns server time from exchanges. All times are in ticks of 100 ns. `local` is client time,
/// whose origin is arbitrary. All other times are server time.
pub trait Estimator {
    /// Called when a probe is sent at `local`. The probe's exchange follows unless a message is lost.
    fn on_send(&mut self, id: u64, local: i64) {
        let _ = (id, local);
    }

    /// Called for each reply in the order of arrival.
    fn on_exchange(&mut self, exchange: &Exchange);

    fn sees_copies(&self) -> bool {
        false
    }

    /// Returns NetClock's reading, or `None` for other clocks and before the first sync.
    fn reading(&mut self, local: i64) -> Option<Reading> {
        let _ = local;
        None
    }

    /// Returns the server time for a game, or `None` before the first sync. `local` must never decrease.
    fn shown(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.server_time.ticks())
    }

    /// Returns whether the clock has declared a step or a slew since the last call. Neither is a fault.
    fn declared(&mut self) -> [bool; 2] {
        [false; 2]
    }

    /// Called once per frame for clocks with their own schedule. If the result is true,
    /// [`on_send`](Self::on_send) follows with the same `local`.
    fn wants_probe(&mut self, local: i64) -> bool {
        let _ = local;
        false
    }

    fn wire(&self) -> Wire;
}
