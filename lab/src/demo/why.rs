//! Explains each event of a demo in one sentence: what happened, what can be known about it, and what the
//! bound does. Also explains errors that are larger than the clock expects.

use netclock::Span;

use super::judge::Read;
use super::plan::{LOSS_PERCENT, SHIFT_MS, STALL};
use super::record::Record;
use crate::report::words::ms;

pub(super) const MENDED: &str =
    "path restored: shorter delays prove more, so the bound tightens with the next replies";
pub(super) const KILLED: &str = "server stopped: clients extrapolate its time at the estimated rate, and the \
                                 bound grows with the possible drift";
pub(super) const RESTARTED: &str = "a new server counts from zero: nothing is known about its clock, so the \
                                    bound starts again at half a round trip";

pub(super) fn stall_words() -> String {
    format!(
        "client stalled for {:.1} s: it cannot detect whether its clock kept running, so the bound is \
         withdrawn",
        STALL.as_secs_f64()
    )
}

pub(super) fn shift_words() -> String {
    format!(
        "route to the server {SHIFT_MS:.0} ms longer: half of a change in one direction is an undetectable \
         asymmetry; the bound remains what the old route proved"
    )
}

pub(super) fn loss_words() -> String {
    format!(
        "path loses {LOSS_PERCENT:.0} % of all datagrams: the bound from earlier replies holds, and grows \
         with the possible drift until the next reply"
    )
}

/// Why a client's error is larger than its clock expects.
pub(super) fn words(read: &Read, record: &Record, client: usize) -> String {
    let of = |ticks: i64| ms(Span::from_ticks(ticks).as_millis_f64().abs());
    let (Some(plan), Some(known)) = (record.plan.clients.get(client), record.clients.get(client)) else {
        return String::new();
    };
    let cause = match known.detour {
        Some(since) if known.began > since => format!(
            "It started over on a route that is {SHIFT_MS:.0} ms longer in one direction. Half of that is \
             error, because the asymmetry is undetectable."
        ),
        Some(_) => "Its route became longer in one direction, and few replies have arrived since.".to_owned(),
        None if plan.path == super::plan::BUSY => {
            "Other uploads delay its requests. Half of a standing queue is error until the queue has drained \
             once."
                .to_owned()
        }
        None => "It has just restarted, or its replies were late. Errors may exceed one standard deviation."
            .to_owned(),
    };
    let bound = match read.bound {
        i64::MAX => "It has no bound now".to_owned(),
        bound if read.error.abs() > bound => format!("The bound of {} ms does NOT cover it", of(bound)),
        bound => format!("The bound of {} ms covers it", of(bound)),
    };
    format!("The error is {} ms; {} ms is expected. {cause} {bound}.", of(read.error), of(read.expected))
}
