//! The resolution of the client's stamps, where it is too coarse for a report.

use crate::report::session::evaluation::Evaluation;
use netclock_sim::clock::TICKS_PER_MS;

/// Finer stamps show all that a report is about (ms).
const COARSE_MS: f64 = 5.0;
/// Fewer exchanges may be multiples by chance.
const LEAST: usize = 8;

/// What all stamps of the client are multiples of (ms); `None` if no round trip is too short for them.
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
