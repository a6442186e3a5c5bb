//! The table of what each call did, one row for each outcome.

use std::fmt::Write;

use super::bench::Bench;
use crate::ffi::base::status::NetclockStatus;
use crate::ffi::tests::{last_error, layout};

const INTRODUCTION: &str = "\
# What the C ABI says to bad input

A test makes every one of these calls (`src/ffi/tests/bad_input`), and `cargo xtask tables` writes this page from it.
Each call is made on a client in sync (or a rate watch with a minute of reports). One argument is bad, and all others are
good. After each call the test asserts that nothing changed: the client reads the same, now and later, and has no new
event; publisher and timeline read the same; the watch is the same to the last bit; no output was written. The last
column lists the exceptions.

`netclock_last_error()` names the argument and its value. No library can notice pointers that are neither null nor valid,
or sizes that promise more memory than there is.
";

/// What a call did, as the table tells it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
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
pub(super) struct Table(Vec<Row>);

impl Table {
    /// `function` with a bad `value` of `argument` returns `expected` and does nothing.
    pub(super) fn refuses(
        &mut self,
        [function, argument, value]: [&'static str; 3],
        expected: i32,
        call: impl FnOnce(&mut Bench) -> NetclockStatus,
    ) {
        self.call([function, argument, value], expected, Effect::None, call);
    }

    /// As [`refuses`](Self::refuses), with something to tell about it.
    pub(super) fn call(
        &mut self,
        [function, argument, value]: [&'static str; 3],
        expected: i32,
        effect: Effect,
        call: impl FnOnce(&mut Bench) -> NetclockStatus,
    ) {
        let mut bench = Bench::new();
        let before = (bench.readings(), bench.watched());
        let status = call(&mut bench);
        assert_eq!(status.0, expected, "{function} with {argument} = {value}: {}", last_error());
        if !matches!(effect, Effect::Changed(_)) {
            let after = (bench.readings(), bench.watched());
            assert!(after == before, "{function} with {argument} = {value} changed the client or the watch");
            assert!(!bench.has_news(), "{function} with {argument} = {value} caused an event");
        }
        if effect == Effect::None || expected < 0 {
            assert!(bench.outputs_are_untouched(), "{function} with {argument} = {value} wrote an output");
        }
        if expected < 0 {
            assert!(last_error().starts_with(function), "{function}: {}", last_error());
        }
        self.add(Row { function, argument, values: value.into(), result: name(expected), effect });
    }

    /// A function that returns no status.
    pub(super) fn returns(
        &mut self,
        [function, argument, value]: [&'static str; 3],
        expected: &str,
        returned: &str,
    ) {
        assert_eq!(returned, expected, "{function} with {argument} = {value}");
        let result = format!("`{expected}`");
        self.add(Row { function, argument, values: value.into(), result, effect: Effect::None });
    }

    pub(super) fn has(&self, function: &str) -> bool {
        self.0.iter().any(|row| row.function == function)
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

    pub(super) fn markdown(&self) -> String {
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
