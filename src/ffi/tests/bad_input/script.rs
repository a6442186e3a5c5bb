//! Runs the scripts described in the parent module.

use core::iter;
use std::collections::BTreeSet;

use super::machine::{Changes, Machine};
use super::signature::{Function, Kind};
use super::{alike, handles};
use crate::ffi::base::status::*;
use crate::ffi::tests::{last_error, layout};

const INSTANTS: &str = "INT64_MIN,-2^62,2^62,INT64_MAX";

pub(super) struct Script<'a> {
    functions: &'a [Function],
    machine: Machine,
    status: i32,
    pub(super) called: BTreeSet<&'static str>,
    pub(super) rows: Vec<String>,
}

impl<'a> Script<'a> {
    pub(super) fn new(functions: &'a [Function]) -> Self {
        Script { functions, machine: Machine::new(), status: 0, called: BTreeSet::new(), rows: Vec::new() }
    }

    pub(super) fn run(&mut self, text: &str) {
        let text = text.replace("\\\n", "");
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        while let Some(line) = lines.next() {
            if let Some(times) = line.strip_prefix("repeat ") {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "end").collect();
                for _ in 0..times.parse().expect("how often") {
                    body.iter().for_each(|line| self.line(line));
                }
            } else {
                self.line(line);
            }
        }
    }

    fn line(&mut self, line: &str) {
        each(line).iter().for_each(|line| self.statement(line));
    }

    fn statement(&mut self, line: &str) {
        if let Some((name, value)) = line.split_once(" = ") {
            self.machine.assign(name, value);
        } else if let Some(call) = line.strip_prefix('?') {
            let (function, changes) = self.parse(call);
            self.status = self.machine.call(function, &changes);
        } else if let Some(call) = line.strip_prefix('&') {
            if self.status == NETCLOCK_OK {
                let (function, changes) = self.parse(call);
                self.status = self.machine.call(function, &changes);
            }
        } else if let Some((call, status)) = line.split_once(" ~> ") {
            self.refuse(call, status, false);
        } else if let Some((call, status)) = line.split_once(" -> ") {
            self.refuse(call, status, true);
        } else {
            self.succeed(line);
        }
    }

    fn parse(&self, call: &str) -> (&'a Function, Changes) {
        let mut words = call.split_whitespace();
        let name = words.next().unwrap_or_default();
        let function = self.functions.iter().find(|function| function.name == name);
        let changes = words.map(|word| word.split_once('=').expect("a name and its value"));
        let changes = changes.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        (function.unwrap_or_else(|| panic!("no function {name}")), changes)
    }

    fn succeed(&mut self, line: &str) {
        let (function, changes) = self.parse(line);
        alike::refuse_all(&mut self.machine, function, &changes);
        let before = self.machine.handles.clone();
        self.status = self.machine.call(function, &changes);
        assert_eq!(self.status, NETCLOCK_OK, "{line}: {}", last_error());
        self.called.insert(function.name);
        match function.parameters.last().map(|parameter| parameter.kind) {
            Some(Kind::NewHandle(kind)) if !self.machine.twins.contains_key(kind) => {
                let created = std::mem::replace(&mut self.machine.handles, before);
                assert_eq!(self.machine.call(function, &changes), NETCLOCK_OK, "{line}, once more");
                let twins = std::mem::replace(&mut self.machine.handles, created);
                let is_known = |twin: &(&str, u64)| self.machine.handles.values().any(|known| known == twin);
                let twin = twins.values().find(|twin| twin.0 == kind && !is_known(twin));
                let twin = twin.expect("it was just created").1;
                (handles::of(kind).poison)(twin);
                self.machine.twins.insert(kind, twin);
            }
            _ => {}
        }
    }

    fn refuse(&mut self, call: &str, expected: &str, keeps: bool) {
        let (function, changes) = self.parse(call);
        let status = layout::statuses().find(|(name, _)| name.strip_prefix("NETCLOCK_") == Some(expected));
        let (name, expected) = status.unwrap_or_else(|| panic!("no status {expected}"));
        if expected > 0 && changes.is_empty() {
            alike::refuse_all(&mut self.machine, function, &changes);
            self.called.insert(function.name);
        }
        for changes in one_at_a_time(&changes) {
            self.status = self.machine.refused(function, &changes, keeps);
            let told = last_error();
            assert_eq!(self.status, expected, "{} with {changes:?}: {told}", function.name);
            if expected < 0 {
                let is_its_own = told.starts_with(&format!("netclock_{}: ", function.name));
                assert!(is_its_own, "{} with {changes:?} says {told}", function.name);
            }
        }
        let with: Vec<String> = changes.iter().map(|(name, value)| format!("`{name}` = {value}")).collect();
        let may_change = if keeps { "" } else { ", may change" };
        self.rows.push(format!(
            "| `netclock_{}` | {} | `{name}`{may_change} |\n",
            function.name,
            with.join("; ").replace(',', ", ")
        ));
    }

    /// Destroys links first, because they use clients.
    pub(super) fn destroy_all(&mut self) {
        let mut left: Vec<String> = self.machine.handles.keys().cloned().collect();
        left.sort_by_key(|name| !self.machine.handles[name].0.starts_with("link"));
        for name in left {
            let (kind, _) = self.machine.handles[&name];
            let (function, _) = self.parse(&format!("{kind}_destroy"));
            let argument = function.parameters[0].name.to_owned();
            let of = |value: &str| vec![(argument.clone(), value.to_owned())];
            alike::refuse_all(&mut self.machine, function, &of(&name));
            assert_eq!(self.machine.call(function, &of("null")), NETCLOCK_OK);
            for value in
                iter::once(name.as_str()).chain(self.machine.twins.contains_key(kind).then_some("poisoned"))
            {
                let changes = of(value);
                assert_eq!(self.machine.call(function, &changes), NETCLOCK_OK, "{kind}: {}", last_error());
                let again = self.machine.call(function, &changes);
                assert_eq!(again, NETCLOCK_UNKNOWN_HANDLE, "a {kind} that was destroyed");
            }
            self.called.insert(function.name);
            self.machine.twins.remove(kind);
            self.machine.handles.remove(&name);
        }
    }
}

fn each(line: &str) -> Vec<String> {
    let Some((before, rest)) = line.split_once('{') else { return vec![line.to_owned()] };
    let (names, after) = rest.split_once('}').expect("each brace is closed");
    names.split(',').flat_map(|name| each(&format!("{before}{name}{after}"))).collect()
}

fn one_at_a_time(changes: &Changes) -> Vec<Changes> {
    let values = |value: &str| if value == "instants" { INSTANTS.to_owned() } else { value.to_owned() };
    let Some(at) = changes.iter().position(|(_, value)| values(value).contains(',')) else {
        return vec![changes.clone()];
    };
    let each = values(&changes[at].1);
    let each = each.split(',').map(|value| {
        let mut one = changes.clone();
        one[at].1 = value.to_owned();
        one
    });
    each.flat_map(|changes| one_at_a_time(&changes)).collect()
}
