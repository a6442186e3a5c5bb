//! Every bad value of every argument, really passed: what comes back, and that nothing changed.
//!
//! The test writes `docs/c-abi-bad-input.md` from what it saw and compares it with the committed one.

mod bench;
mod client;
mod config;
mod exchange;
mod handover;
mod latency;
mod messages;
mod order;
mod peer;
mod rate_watch;
mod start;
mod world;

use std::fmt::Write;

use super::{layout, written};
use crate::ffi::base::status::NetclockStatus;
use bench::Bench;

/// Declares every function.
const HEADER: &str = include_str!(env!("NETCLOCK_GENERATED_HEADER"));
/// They take nothing that could be bad.
const WITHOUT_ARGUMENTS: [&str; 3] =
    ["netclock_abi_version", "netclock_last_error", "netclock_monotonic_now"];

const FILE: &str = "docs/c-abi-bad-input.md";

const INTRODUCTION: &str = "\
# What the C ABI says to bad input

Written by a test that makes every one of these calls (`src/ffi/tests/bad_input`); `cargo xtask tables` writes it
anew. Each call is made on a client in sync (or a rate watch with a minute of reports), with everything but the one
argument in order. After each, the test asserts that the client reads as before, now and later, that it has nothing new
to report, that publisher and timeline say what they said, that the watch is as before to the last bit, and that no
output was written, except where the last column says otherwise.

`netclock_last_error()` names the argument and its value. Pointers that are neither null nor valid, and sizes that
promise more memory than there is, cannot be noticed by any library.
";

/// What a call did, as the table tells it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Nothing: neither to the client nor to an output.
    None,
    /// It is answered all the same.
    Answered(&'static str),
    /// Documented to change the client.
    Changed(&'static str),
}

#[derive(PartialEq, Eq)]
struct Row {
    function: &'static str,
    argument: &'static str,
    values: String,
    result: String,
    effect: Effect,
}

/// The rows so far.
#[derive(Default)]
struct Table(Vec<Row>);

impl Table {
    /// `function` with a bad `value` of `argument` returns `expected` and does nothing.
    fn refuses(
        &mut self,
        [function, argument, value]: [&'static str; 3],
        expected: i32,
        call: impl FnOnce(&mut Bench) -> NetclockStatus,
    ) {
        self.call([function, argument, value], expected, Effect::None, call);
    }

    /// As [`refuses`](Self::refuses), with something to tell about it.
    fn call(
        &mut self,
        [function, argument, value]: [&'static str; 3],
        expected: i32,
        effect: Effect,
        call: impl FnOnce(&mut Bench) -> NetclockStatus,
    ) {
        let mut bench = Bench::new();
        let before = (bench.readings(), bench.watched());
        let status = call(&mut bench);
        assert_eq!(status.0, expected, "{function} with {argument} = {value}: {}", super::last_error());
        if !matches!(effect, Effect::Changed(_)) {
            let after = (bench.readings(), bench.watched());
            assert!(after == before, "{function} with {argument} = {value} changed the client or the watch");
            assert!(!bench.has_news(), "{function} with {argument} = {value} caused an event");
        }
        if effect == Effect::None || expected < 0 {
            assert!(bench.outputs_are_untouched(), "{function} with {argument} = {value} wrote an output");
        }
        if expected < 0 {
            assert!(super::last_error().starts_with(function), "{function}: {}", super::last_error());
        }
        self.add(Row { function, argument, values: value.into(), result: name(expected), effect });
    }

    /// A function that returns no status.
    fn returns(&mut self, [function, argument, value]: [&'static str; 3], expected: &str, returned: &str) {
        assert_eq!(returned, expected, "{function} with {argument} = {value}");
        let result = format!("`{expected}`");
        self.add(Row { function, argument, values: value.into(), result, effect: Effect::None });
    }

    /// Values with one outcome share a line.
    fn add(&mut self, row: Row) {
        match self.0.last_mut() {
            Some(last)
                if (last.function, last.argument, &last.result, last.effect)
                    == (row.function, row.argument, &row.result, row.effect) =>
            {
                last.values += ", ";
                last.values += &row.values;
            }
            _ => self.0.push(row),
        }
    }

    fn markdown(&self) -> String {
        let mut text = INTRODUCTION.to_owned();
        let mut function = "";
        for row in &self.0 {
            if row.function != function {
                function = row.function;
                let head = "| argument | value | returns | otherwise |\n|---|---|---|---|";
                let _ = write!(text, "\n## {function}\n\n{head}\n");
            }
            let effect = match row.effect {
                Effect::None => "",
                Effect::Answered(words) | Effect::Changed(words) => words,
            };
            let _ = writeln!(text, "| `{}` | {} | {} | {effect} |", row.argument, row.values, row.result);
        }
        text
    }
}

/// The status's name in C.
fn name(status: i32) -> String {
    let found = layout::statuses().find(|(_, value)| *value == status);
    format!("`{}`", found.unwrap_or_else(|| panic!("no status {status}")).0)
}

#[test]
fn bad_input_does_what_the_documentation_says() {
    let mut table = Table::default();
    config::rows(&mut table);
    client::rows(&mut table);
    exchange::rows(&mut table);
    client::reading_rows(&mut table);
    messages::server_rows(&mut table);
    rate_watch::rows(&mut table);
    messages::rows(&mut table);
    world::rows(&mut table);
    order::rows(&mut table);
    start::rows(&mut table);
    handover::rows(&mut table);
    peer::rows(&mut table);
    latency::rows(&mut table);
    let lines = HEADER.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    let functions = lines.filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next());
    let functions: Vec<&str> = functions.filter(|name| name.starts_with("netclock_")).collect();
    assert!(functions.contains(&"netclock_client_tick"), "no functions found in the header");
    for function in functions.iter().filter(|function| !WITHOUT_ARGUMENTS.contains(function)) {
        assert!(table.0.iter().any(|row| row.function == *function), "{function} is not in the table");
    }
    written::compare(FILE, &table.markdown());
}
