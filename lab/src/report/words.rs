use std::io::{self, Write};
use std::process::ExitCode;

use netclock::Span;
use serde_json::Value;

use super::exit::verdict;

/// Returns the command that the user typed. Cargo sets `CARGO` for the programs that it runs.
pub fn program() -> &'static str {
    if std::env::var_os("CARGO").is_some() { "cargo lab" } else { "lab" }
}

/// Formats milliseconds with at least three significant digits, or as "-" if the value is not finite.
pub(crate) fn ms(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "-".into(),
        size if size < 0.9995 => format!("{value:.3}"),
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Formats milliseconds in a suitable unit. Values below 0.001 ms are shown as 0.001 ms.
pub(crate) fn amount(value: f64) -> String {
    match value.abs() {
        size if size < 0.001 => "0.001 ms".to_owned(),
        size if size >= 4_999.5 => length(value / 1e3),
        _ => format!("{} ms", ms(value)),
    }
}

pub(crate) fn length(seconds: f64) -> String {
    const HOUR: f64 = 3_600.0;
    const DAY: f64 = 24.0 * HOUR;
    const YEAR: f64 = 365.25 * DAY;
    match seconds {
        short if short < 10.0 => format!("{short:.1} s"),
        short if short < 120.0 => format!("{short:.0} s"),
        middle if middle < 600.0 => format!("{:.1} min", middle / 60.0).replace(".0 ", " "),
        middle if middle < 2.0 * HOUR => format!("{:.0} min", middle / 60.0),
        long if long < 2.0 * DAY => format!("{:.1} h", long / HOUR),
        days if days < 2.0 * YEAR => format!("{:.0} days", days / DAY),
        years => format!("{:.0} years", years / YEAR),
    }
}

pub(crate) fn finite_ms(span: Span) -> Option<f64> {
    (span != Span::MAX).then(|| span.as_millis_f64())
}

pub(crate) fn optional(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".into(), format)
}

pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

pub(crate) fn ratio(value: f64) -> String {
    if value.is_finite() && value > 0.0 { format!("{value:.2}") } else { "-".into() }
}

pub(crate) fn alarm(text: &str) -> String {
    console::style(text).red().bold().to_string()
}

pub(crate) fn say(
    as_json: bool,
    fields: impl FnOnce() -> Value,
    words: impl FnOnce() -> String,
) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{}", if as_json { fields().to_string() } else { words() })
}

pub(crate) fn end(faults: &[String]) -> ExitCode {
    faults.iter().for_each(|fault| println!("{}", alarm(fault)));
    verdict(faults.is_empty())
}
