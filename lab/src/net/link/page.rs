//! What `lab study link` prints.

use super::crowd::Crowded;
use super::host::Work;
use super::player::Played;
use crate::report::table;
use crate::report::words::optional;

/// A stop may take as long.
pub(super) const LONGEST_STOP_MS: f64 = 100.0;

/// A row: a client by one way, and how it did.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) played: Played,
}

impl Row {
    /// Whether the clock kept its promises, and the link stopped in time.
    pub(super) fn is_kept(&self) -> bool {
        self.played.judged.is_kept() && self.played.stop_ms <= LONGEST_STOP_MS
    }
}

/// What the server's thread used while the crowd was at rest.
pub(super) struct Cost {
    pub(super) crowd: Crowded,
    /// Share of a core (%), and answers a second.
    pub(super) percent: Option<f64>,
    pub(super) answers: f64,
}

impl Cost {
    /// From the work done until the crowd was at rest, and until the end.
    pub(super) fn of(crowd: Crowded, rested: Work, last: Work) -> Self {
        let seconds = (last.seconds - rested.seconds).max(1e-3);
        let used = last.thread_seconds.zip(rested.thread_seconds).map(|(last, rested)| last - rested);
        Cost {
            crowd,
            percent: used.map(|used| 100.0 * used / seconds),
            answers: (last.answered - rested.answered) as f64 / seconds,
        }
    }
}

/// `server_stop_ms`: how long a server with nothing to do took to stop.
pub(super) fn print(rows: &[Row], server_stop_ms: f64, cost: Option<&Cost>) {
    let cells = |Row { name, played }: &Row| {
        let Played { judged, link_requests, messages, stamps, thread_percent, .. } = played;
        let us = |ms| optional(ms, |ms| format!("{:.1}", 1e3 * ms));
        let sizes = [judged.p50_ms, judged.p99_ms, judged.max_ms].map(us).join(" | ");
        let (wrong, used) =
            (judged.outside + judged.backwards, optional(*thread_percent, |used| format!("{used:.3}")));
        format!("{name} | {sizes} | {wrong} | {link_requests} | {messages} | {stamps} | {used}")
    };
    let header =
        "client | median us | p99 us | most us | outside | link | messages | stamps | thread, % of a core";
    println!("{}", table::plain(header, rows.iter().map(cells), false));
    let slowest = rows.iter().map(|row| row.played.stop_ms).fold(0.0, f64::max);
    println!("a client's link stopped within {slowest:.1} ms, a server within {server_stop_ms:.1} ms");
    if let Some(cost) = cost {
        let used = cost.percent.map_or_else(|| "unknown".to_owned(), |used| format!("{used:.2} %"));
        println!(
            "{} of {} clients linked, {:.0} answers/s at rest: the server's thread takes {used} of a core",
            cost.crowd.linked, cost.crowd.clients, cost.answers
        );
    }
}
