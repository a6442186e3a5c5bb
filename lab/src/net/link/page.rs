//! What `lab link` prints.

use serde_json::json;

use super::crowd::Crowded;
use super::host::Work;
use super::player::Judged;

/// A row: a client by one way, and how it did.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) judged: Judged,
}

impl Row {
    /// Whether each read was within its bound, and none before an earlier one.
    pub(super) fn is_kept(&self) -> bool {
        self.judged.outside == 0 && self.judged.backwards == 0 && self.judged.reads > 0
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

pub(super) fn print(rows: &[Row], cost: Option<&Cost>, json: bool) {
    if json {
        for Row { name, judged } in rows {
            println!("{}", json!({"type": "row", "name": name, "judged": judged}));
        }
        if let Some(cost) = cost {
            println!(
                "{}",
                json!({"type": "server", "crowd": cost.crowd, "thread_percent": cost.percent,
                       "answers_per_second": cost.answers})
            );
        }
        return;
    }
    println!(
        "{:<44} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7}  stamps",
        "client", "median us", "p99 us", "most us", "outside", "link", "msgs"
    );
    for Row { name, judged } in rows {
        println!(
            "{name:<44} {:>9.1} {:>9.1} {:>9.1} {:>7} {:>7} {:>7}  {}{}",
            judged.median_us,
            judged.p99_us,
            judged.largest_us,
            judged.outside + judged.backwards,
            judged.link_requests,
            judged.messages,
            judged.stamps,
            judged.thread_percent.map_or_else(String::new, |used| format!(", thread {used:.3} % of a core")),
        );
    }
    if let Some(cost) = cost {
        let used = cost.percent.map_or_else(|| "unknown".to_owned(), |used| format!("{used:.2} %"));
        println!(
            "{} of {} clients linked, {:.0} answers/s at rest: the server's thread takes {used} of a core",
            cost.crowd.linked, cost.crowd.clients, cost.answers
        );
    }
}
