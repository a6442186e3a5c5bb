//! Explains the events of a demo in one sentence each: what happened, what can be known, and what the bound
//! does. Also explains errors larger than the clock expects.

use netclock::Span;

use super::judge::Read;
use super::plan::{LOSS_PERCENT, SHIFT_MS, STALL};
use super::record::Record;
use crate::report::words::ms;

pub(super) const MENDED: &str =
    "path as at the start: shorter delays prove more, so the bound tightens with the next replies";
pub(super) const KILLED: &str = "server ended: clients show its time by the rate that they learned, and the \
                                 bound widens with possible drift";
pub(super) const RESTARTED: &str = "a new server counts from zero: nothing known of the old one helps, and \
                                    the bound begins again at half a round trip";

pub(super) fn stall_words() -> String {
    format!(
        "its thread does nothing for {:.1} s: no program can know from inside whether its clock ran on, so \
         the bound is withdrawn",
        STALL.as_secs_f64()
    )
}

pub(super) fn shift_words() -> String {
    format!(
        "route to the server {SHIFT_MS:.0} ms longer: half of a one-way change is an asymmetry that nobody \
         can see; the bound keeps what the old route proved"
    )
}

pub(super) fn loss_words() -> String {
    format!(
        "its path loses {LOSS_PERCENT:.0} % of all datagrams: what replies proved stays true, and the bound \
         widens with possible drift until the next"
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
            "It began anew on a route that is {SHIFT_MS:.0} ms longer one way. Half of that is error, \
             because nobody can see which way is longer."
        ),
        Some(_) => "Its route became longer one way, and few replies have shown by how much.".to_owned(),
        None if plan.path == super::plan::BUSY => {
            "Other uploads queue before its requests. Half of a standing queue is error until the queue is \
             empty once."
                .to_owned()
        }
        None => {
            "It restarted a moment ago, or its replies were unlucky. One standard deviation is not a limit."
                .to_owned()
        }
    };
    let bound = match read.bound {
        i64::MAX => "It has no bound now".to_owned(),
        bound if read.error.abs() > bound => format!("The bound of {} ms does NOT cover it", of(bound)),
        bound => format!("The bound of {} ms covers it", of(bound)),
    };
    format!("{} ms off, but it expects {}. {cause} {bound}.", of(read.error), of(read.expected))
}
