//! Figures and warnings in words.

use std::io::{self, IsTerminal, Write};

use netclock::Span;
use serde_json::Value;

/// True on a terminal, unless `NO_COLOR` is set.
pub(crate) fn colours() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// An error in ms, with the digits that mean something; "-" if it is not finite.
pub(crate) fn ms(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "-".into(),
        size if size < 0.9995 => format!("{value:.3}"),
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// In ms; none if nothing is promised.
pub(crate) fn finite_ms(span: Span) -> Option<f64> {
    (span != Span::MAX).then(|| span.as_millis_f64())
}

/// A figure, or "-" if it is missing.
pub(crate) fn optional(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".into(), format)
}

/// How many there are of something, such as "1 verdict" or "2 verdicts".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A ratio of two errors, or "-" if it is not positive and finite.
pub(crate) fn ratio(value: f64) -> String {
    if value.is_finite() && value > 0.0 { format!("{value:.2}") } else { "-".into() }
}

/// A line that stands out.
pub(crate) fn alarm(text: &str) -> String {
    if colours() { format!("\x1b[1;31m{text}\x1b[0m") } else { text.to_owned() }
}

/// Prints a line: an object in JSON, or words.
///
/// # Errors
/// Nobody reads it any more.
pub(crate) fn say(
    as_json: bool,
    fields: impl FnOnce() -> Value,
    words: impl FnOnce() -> String,
) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{}", if as_json { fields().to_string() } else { words() })
}

/// Prints faults, a line each.
pub(crate) fn print_faults(faults: &[String]) {
    for fault in faults {
        println!("{}", alarm(fault));
    }
}
