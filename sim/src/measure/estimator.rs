//! The interface of a clock under test.

use netclock::Reading;

use crate::Exchange;

/// Sizes of a request and a reply in bytes, without lower-layer headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    pub request: u64,
    pub reply: u64,
}

/// A clock that learns the server's time from exchanges. All times are in ticks of 100 ns. `local` is a time
/// of the client's clock, which has an arbitrary origin. All other times are on the server's clock.
pub trait Estimator {
    fn name(&self) -> &'static str;

    /// Called when a probe with the timestamp `local` is sent. Its exchange follows unless it is lost.
    fn on_send(&mut self, id: u64, local: i64) {
        let _ = (id, local);
    }

    /// Called when a reply arrives at `exchange.t3`. Calls are in order of arrival.
    fn on_exchange(&mut self, exchange: &Exchange);

    /// Returns true if the clock processes duplicate replies. By default, it receives only the first one.
    fn sees_copies(&self) -> bool {
        false
    }

    /// Returns NetClock's reading, or `None` before the first sync and for other clocks.
    fn reading(&mut self, local: i64) -> Option<Reading> {
        let _ = local;
        None
    }

    /// Returns the server time shown to a game, or `None` before the first sync. `local` must never decrease.
    fn shown(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.server_time.ticks())
    }

    /// Returns the guaranteed error bound, if the clock provides one (ticks).
    fn bound(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.error_bound.ticks())
    }

    /// Returns the expected error (one standard deviation), if the clock provides one (ticks).
    fn expected(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.expected_error.ticks())
    }

    /// Returns true once after each declared step. A declared step is not a fault.
    fn declared_step(&mut self) -> bool {
        false
    }

    /// Returns true once after each declared slew. Called after [`declared_step`](Self::declared_step).
    fn declared_slew(&mut self) -> bool {
        false
    }

    /// Returns true if the clock sends a probe now. If clocks use their own schedules, a run calls this once
    /// per client frame. If it returns true, the run then calls [`on_send`](Self::on_send) with the same
    /// `local`. A clock without a schedule never sends a probe.
    fn wants_probe(&mut self, local: i64) -> bool {
        let _ = local;
        false
    }

    fn wire(&self) -> Wire;
}
