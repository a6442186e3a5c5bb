//! One sentence per incident: what happened, what can be known, and how the bound changes.

use super::plan::{LOSS_PERCENT, SHIFT_MS, STALL};

pub(super) const MENDED: &str =
    "path restored: shorter delays prove tighter bounds, so the bound shrinks with the next replies";
pub(super) const KILLED: &str = "server stopped: clients extrapolate its time at the estimated rate, and the \
                                 bound grows with the possible drift";
pub(super) const RESTARTED: &str = "a new server counts from zero: nothing is known about its clock, so the \
                                    bound starts again at half a round trip";

pub(super) fn stall_words() -> String {
    format!(
        "client stalled for {:.1} s: it cannot detect whether its clock kept running, so it is unbounded \
         until the next reply",
        STALL.as_secs_f64()
    )
}

pub(super) fn shift_words() -> String {
    format!(
        "route to the server {SHIFT_MS:.0} ms longer: a single exchange cannot show which direction changed, \
         but the bound proven on the old route still holds"
    )
}

pub(super) fn loss_words() -> String {
    format!(
        "path loses {LOSS_PERCENT:.0} % of all datagrams: the bound from earlier replies still holds, and \
         grows with the possible drift until the next reply"
    )
}
