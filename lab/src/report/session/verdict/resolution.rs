//! Detects timestamps that are too coarse for some verdicts.

use crate::report::Evaluation;
use netclock_sim::TICKS_PER_MS;

const COARSE_MS: f64 = 5.0;
/// With fewer exchanges, all timestamps may be multiples of an interval by chance.
const LEAST: usize = 8;

/// If some round trips are measured as zero, returns the largest interval (ms) that divides all of the
/// client's timestamps.
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
