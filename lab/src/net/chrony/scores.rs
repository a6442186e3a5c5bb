//! How two clocks did, as lines.

use serde_json::json;

use crate::net::judge::Judged;
use crate::report::table;
use crate::report::words::{ms, ratio};

/// A clock, and how it did.
pub(super) struct Row {
    pub(super) clock: String,
    /// Requests that reached the network.
    pub(super) requests: u64,
    pub(super) judged: Judged,
}

impl Row {
    /// Median, 99th percentile and root mean square of the errors (ms).
    fn errors(&self) -> [f64; 3] {
        let Judged { p50_ms, p99_ms, rms_ms, .. } = self.judged;
        [p50_ms, p99_ms, rms_ms].map(|error| error.unwrap_or(f64::NAN))
    }
}

/// Prints both, and the first one's errors in those of the second.
pub(super) fn print(rows: &[Row; 2], as_json: bool) {
    let [first, second] = rows.each_ref().map(Row::errors);
    let share = [0, 1, 2].map(|which| first[which] / second[which]);
    if as_json {
        for Row { clock, requests, judged } in rows {
            println!("{}", json!({"type": "clock", "clock": clock, "requests": requests, "judged": judged}));
        }
        println!("{}", json!({"type": "ratio", "p50": share[0], "p99": share[1], "rms": share[2]}));
        return;
    }
    let clock = |row: &Row| {
        let Row { clock, requests, judged } = row;
        format!("{clock} | {requests} | {} | {}", judged.reads, row.errors().map(ms).join(" | "))
    };
    let last = format!("ratio |  |  | {}", share.map(ratio).join(" | "));
    let lines = rows.iter().map(clock).chain([last]);
    println!("{}", table::plain("clock | requests | reads | p50 ms | p99 ms | rms ms", lines, false));
}
