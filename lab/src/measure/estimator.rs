//! What a clock under test looks like to the simulator.

use crate::sim::network::Exchange;

/// Bytes on the wire of one request and one answer, without the headers of lower layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Client to server.
    pub request: u64,
    /// Server to client.
    pub reply: u64,
}

/// A clock that learns the server's time from exchanges. All times are ticks of 100 ns: `local` on the client's
/// clock, of arbitrary origin, the rest on the server's.
pub trait Estimator {
    /// Short name for tables.
    fn name(&self) -> &'static str;

    /// A probe leaves, stamped `local`. Called for lost probes too, in both modes, before its exchange.
    fn on_send(&mut self, id: u64, local: i64) {
        let _ = (id, local);
    }

    /// An answer arrives, at `exchange.t3`. Exchanges come in order of arrival.
    fn on_exchange(&mut self, exchange: &Exchange);

    /// True for clocks that want to see repeated answers; for others they are filtered out.
    fn sees_copies(&self) -> bool {
        false
    }

    /// The server's time as shown to the game; nothing before the first synchronisation.
    /// Called with `local` never decreasing.
    fn shown(&mut self, local: i64) -> Option<i64>;

    /// How far the shown time may be off, as promised (ticks).
    fn bound(&mut self, local: i64) -> Option<i64> {
        let _ = local;
        None
    }

    /// How far the shown time is expected to be off: one standard deviation (ticks).
    fn expected(&mut self, local: i64) -> Option<i64> {
        let _ = local;
        None
    }

    /// True once after a step was declared to the game; such a step is no fault.
    fn declared_step(&mut self) -> bool {
        false
    }

    /// Largest rate deviation the clock promises between reads, as a fraction; none promised if absent.
    fn slew_limit(&self) -> Option<f64> {
        None
    }

    /// On its own schedule: asked once in each client frame whether to send a probe now. If it answers yes,
    /// [`on_send`](Self::on_send) follows with the same `local`.
    /// Clocks without a schedule of their own never do.
    fn wants_probe(&mut self, local: i64) -> bool {
        let _ = local;
        false
    }

    /// What a probe costs.
    fn wire(&self) -> Wire;
}
