//! The interface that a clock under test implements.

use netclock::Reading;

use crate::network::Exchange;

/// The size of a request and of a reply in bytes, without lower-layer headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Client to server.
    pub request: u64,
    /// Server to client.
    pub reply: u64,
}

/// A clock that learns the server's time from exchanges. All times are ticks of 100 ns. `local` is the
/// client's clock, with any origin; all others are the server's clock.
pub trait Estimator {
    /// Short name for tables.
    fn name(&self) -> &'static str;

    /// A probe leaves with the timestamp `local`. This is also called for probes that get lost, and always
    /// before the probe's exchange.
    fn on_send(&mut self, id: u64, local: i64) {
        let _ = (id, local);
    }

    /// A reply arrived at `exchange.t3`. Exchanges come in order of arrival.
    fn on_exchange(&mut self, exchange: &Exchange);

    /// True if the clock also wants duplicate replies. By default it gets only the first.
    fn sees_copies(&self) -> bool {
        false
    }

    /// NetClock's reading. `None` before the first synchronisation, or for another clock.
    fn reading(&mut self, local: i64) -> Option<Reading> {
        let _ = local;
        None
    }

    /// The server time shown to a game, or `None` before the first synchronisation. `local` never decreases
    /// from call to call.
    fn shown(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.server_time.ticks())
    }

    /// The guaranteed error bound (ticks), if the clock has one.
    fn bound(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.error_bound.ticks())
    }

    /// The expected error, one standard deviation (ticks), if the clock has one.
    fn expected(&mut self, local: i64) -> Option<i64> {
        self.reading(local).map(|reading| reading.expected_error.ticks())
    }

    /// True once after the clock declared a step. A declared step is not a fault.
    fn declared_step(&mut self) -> bool {
        false
    }

    /// True once after the clock declared a slew. Called after [`declared_step`](Self::declared_step).
    fn declared_slew(&mut self) -> bool {
        false
    }

    /// True if the clock sends a probe now. A run on the clock's own schedule calls this once per client
    /// frame. If it returns true, [`on_send`](Self::on_send) follows with the same `local`. A clock without a
    /// schedule never sends one.
    fn wants_probe(&mut self, local: i64) -> bool {
        let _ = local;
        false
    }

    fn wire(&self) -> Wire;
}
