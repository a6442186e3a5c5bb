//! How far off two clocks were, and how that is printed.

use serde::Serialize;
use serde_json::json;

use crate::report::table;
use crate::report::words::{ms, ratio};
use netclock_sim::measure::figures::{nearest_rank, sorted};

/// The sizes of a clock's errors (ms).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Errors {
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) rms_ms: f64,
}

impl Errors {
    /// Of these errors (s); none without any.
    pub(super) fn of(errors_s: &[f64]) -> Option<Self> {
        let sizes = sorted(errors_s.iter().map(|error| 1e3 * error.abs()));
        let squares: f64 = sizes.iter().map(|size| size * size).sum();
        Some(Errors {
            p50_ms: nearest_rank(&sizes, 0.5)?,
            p99_ms: nearest_rank(&sizes, 0.99)?,
            rms_ms: (squares / sizes.len() as f64).sqrt(),
        })
    }

    fn over(&self, other: &Errors) -> Self {
        Errors {
            p50_ms: self.p50_ms / other.p50_ms,
            p99_ms: self.p99_ms / other.p99_ms,
            rms_ms: self.rms_ms / other.rms_ms,
        }
    }
}

/// A clock, and how it did.
pub(super) struct Row {
    pub(super) clock: String,
    /// Requests that reached the network.
    pub(super) requests: u64,
    pub(super) reads: usize,
    pub(super) errors: Errors,
}

/// Prints both, and the first one's errors in those of the second.
pub(super) fn print(rows: &[Row; 2], as_json: bool) {
    let [first, second] = rows;
    let share = first.errors.over(&second.errors);
    if as_json {
        for row in rows {
            let Row { clock, requests, reads, errors } = row;
            let counts = json!({"type": "clock", "clock": clock, "requests": requests, "reads": reads,
                                "errors": errors});
            println!("{counts}");
        }
        let Errors { p50_ms, p99_ms, rms_ms } = share;
        println!("{}", json!({"type": "ratio", "p50": p50_ms, "p99": p99_ms, "rms": rms_ms}));
        return;
    }
    let line = |names: &str, errors: &Errors, word: fn(f64) -> String| {
        let [p50, p99, rms] = [errors.p50_ms, errors.p99_ms, errors.rms_ms].map(word);
        format!("{names} | {p50} | {p99} | {rms}")
    };
    let clock = |row: &Row| {
        let names = format!("{} | {} | {}", row.clock, row.requests, row.reads);
        line(&names, &row.errors, ms)
    };
    let lines = rows.iter().map(clock).chain([line("ratio |  | ", &share, ratio)]);
    println!("{}", table::plain("clock | requests | reads | p50 ms | p99 ms | rms ms", lines, false));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_count_by_their_size() {
        let errors = Errors::of(&[-0.001, 0.002, 0.003, -0.004]).expect("there are some");
        assert_eq!((errors.p50_ms, errors.p99_ms), (2.0, 4.0));
        assert!((errors.rms_ms - 7.5_f64.sqrt()).abs() < 1e-9, "{errors:?}");
        assert_eq!(Errors::of(&[]), None);
    }
}
