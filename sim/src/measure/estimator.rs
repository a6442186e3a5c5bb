use netclock::Reading;

use crate::Exchange;

/// Sizes in bytes without headers of lower layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    pub request: u64,
    pub reply: u64,
}

/// A clock that learns server time from exchanges. All times are in ticks of 100 ns. `local` is on the
/// client's clock, whose origin is arbitrary. All other times are on the server's clock.
pub trait Estimator {
    fn name(&self) -> &'static str;

    /// Called when a probe is sent at `local`. Its exchange follows unless a message is lost.
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

    fn bound(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.error_bound.ticks())
    }

    /// Returns the expected error (ticks, one standard deviation), if the clock provides one.
    fn expected(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.expected_error.ticks())
    }

    /// Returns true once after each declared step, which is not a fault.
    fn declared_step(&mut self) -> bool {
        false
    }

    /// Returns true once after each declared slew. Called after [`declared_step`](Self::declared_step).
    fn declared_slew(&mut self) -> bool {
        false
    }

    /// Called once per frame for clocks with their own schedule. If the result is true,
    /// [`on_send`](Self::on_send) follows with the same `local`.
    fn wants_probe(&mut self, local: i64) -> bool {
        let _ = local;
        false
    }

    fn wire(&self) -> Wire;
}
