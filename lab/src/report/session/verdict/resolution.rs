//! The resolution of the client's stamps, if it is too coarse for a report.

use crate::report::session::evaluation::Evaluation;
use netclock_sim::clock::TICKS_PER_MS;

/// With finer stamps, everything that a report describes is visible (ms).
const COARSE_MS: f64 = 5.0;
/// A smaller number of exchanges may be multiples by chance.
const LEAST: usize = 8;

/// The interval of which all client stamps are multiples (ms); `None` if no round trip is too short for it.
pub(super) fn coarse_ms(session: &Evaluation) -> Option<f64> {
    let exchanges = || session.recording.exchanges.iter().filter_map(|it| it.sample.exchange());
    if exchanges().count() < LEAST || exchanges().all(|it| it.client_received != it.client_sent) {
        return None;
    }
    let stamps = exchanges().flat_map(|it| [it.client_sent.ticks(), it.client_received.ticks()]);
    let divisor = stamps.fold(0, |mut all, stamp| {
        let mut rest = stamp.unsigned_abs();
        while rest != 0 {
            (all, rest) = (rest, all % rest);
        }
        all
    });
    let ms = divisor as f64 / TICKS_PER_MS;
    (ms >= COARSE_MS).then_some(ms)
}
