//! Records a demo's events, each client's figures, and ten chart points per second.

use std::collections::VecDeque;

use netclock::Span;
use netclock_sim::clock::TICKS_PER_MS;
use serde::Serialize;
use serde_json::{Value, json};

use super::client::{Accounts, Read};
use super::plan::DemoPlan;
use crate::baseline::RIVALS;
use crate::net::clock::MachineTime;
use crate::net::sync::client::Traffic;
use crate::net::sync::events::{Described, weight};
use crate::report::Weight;
use crate::report::quantiles::Quantiles;
use crate::report::words::finite_ms;

/// Errors are ignored for this long after the start and after each incident, because the clocks are still
/// sending bursts.
pub(super) const SETTLING_S: f64 = 1.0;
const MOST_HAPPENINGS: usize = 5_000;
/// If no points arrive for longer than this, the curve has a gap.
const GAP_S: f64 = 0.5;
/// Points are rounded to 10 ns.
const DECIMALS: f64 = 1e5;

/// Time since the start (s), error, bound, expected error, and the errors of both rivals (ms). Values are
/// `None` if they are unknown or not guaranteed.
pub(super) type Point = (f64, [Option<f64>; 5]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum What {
    /// A disturbance of a clock or a path. After each incident, the comparison of the clocks starts over.
    Incident,
    Message,
    ClockEvent,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Happening {
    /// Time since the start (s).
    pub(super) at: f64,
    pub(super) row: Option<usize>,
    pub(super) kind: What,
    pub(super) weight: Weight,
    pub(super) label: String,
    pub(super) text: String,
}

impl Happening {
    pub(super) fn new(kind: What, weight: Weight, label: &str, text: String) -> Self {
        Happening { at: 0.0, row: None, kind, weight, label: label.replace('_', " "), text }
    }

    pub(super) fn message(label: &str, text: &str) -> Self {
        Self::new(What::Message, Weight::Note, label, text.to_owned())
    }

    pub(super) fn of_clock(event: Described) -> Self {
        Self::new(What::ClockEvent, weight(&event), &event.event, event.meaning)
    }

    pub(super) fn who<'a>(&self, plan: &'a DemoPlan) -> &'a str {
        self.row.and_then(|row| plan.clients.get(row)).map_or("all", |client| &client.name)
    }
}

/// The absolute errors (ticks) of the reads in which all clocks showed a time, in the order of [`CLOCKS`].
#[derive(Clone, Debug, Default, PartialEq)]
struct SameReads {
    sizes: [Quantiles; CLOCKS.len()],
    bound: Quantiles,
}

impl SameReads {
    fn add(&mut self, read: &Read) {
        let [Some(engine), Some(best)] = read.rivals else { return };
        for (sizes, error) in self.sizes.iter_mut().zip([engine, best, read.error]) {
            sizes.add(error.abs());
        }
        if read.bound != i64::MAX {
            self.bound.add(read.bound);
        }
    }
}

pub(super) const CLOCKS: [&str; 3] = [RIVALS[0].0, RIVALS[1].0, "NetClock"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Compared {
    pub(super) reads: u64,
    /// The 99th percentiles of the errors, in the order of [`CLOCKS`].
    p99_ms: [Option<f64>; CLOCKS.len()],
    /// The median.
    pub(super) bound_ms: Option<f64>,
}

impl Compared {
    fn worst(clients: impl Iterator<Item = Self>) -> Self {
        let largest = |one: Option<f64>, other: Option<f64>| one.into_iter().chain(other).reduce(f64::max);
        clients.fold(Self::default(), |one, other| Compared {
            reads: one.reads + other.reads,
            p99_ms: std::array::from_fn(|at| largest(one.p99_ms[at], other.p99_ms[at])),
            bound_ms: largest(one.bound_ms, other.bound_ms),
        })
    }

    pub(super) fn is_beaten(&self) -> bool {
        let [_, rival, own] = self.p99_ms;
        rival.zip(own).is_some_and(|(rival, own)| rival < own)
    }

    pub(super) fn figures(&self) -> [(&'static str, Option<f64>); CLOCKS.len()] {
        std::array::from_fn(|at| (CLOCKS[at], self.p99_ms[at]))
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClientRecord {
    pub(super) points: Vec<Point>,
    pub(super) accounts: Accounts,
    same: SameReads,
    traffic: Traffic,
}

impl ClientRecord {
    pub(super) fn compared(&self) -> Compared {
        let ms = |sizes: &Quantiles, share| sizes.share(share).map(|ticks| ticks as f64 / TICKS_PER_MS);
        let SameReads { sizes, bound } = &self.same;
        let p99_ms = sizes.each_ref().map(|sizes| ms(sizes, 0.99));
        Compared { reads: sizes[0].count(), p99_ms, bound_ms: ms(bound, 0.5) }
    }

    fn draw(&mut self, reads: &[Read], seconds: impl Fn(i64) -> f64) {
        let Some(worst) = reads.iter().max_by_key(|read| read.error.unsigned_abs()) else { return };
        let rival = |which: usize| {
            let errors = reads.iter().filter_map(|read| read.rivals[which]);
            errors.max_by_key(|error| error.unsigned_abs()).and_then(ms)
        };
        let at = rounded(seconds(worst.at));
        if self.points.last().is_some_and(|last| at - last.0 > GAP_S) {
            self.points.push((at - 0.001, [None; 5]));
        }
        let [error, bound, expected] = [worst.error, worst.bound, worst.expected].map(ms);
        self.points.push((at, [error, bound, expected, rival(0), rival(1)]));
    }
}

fn ms(ticks: i64) -> Option<f64> {
    finite_ms(Span::from_ticks(ticks)).map(rounded)
}

fn rounded(value: f64) -> f64 {
    (value * DECIMALS).round() / DECIMALS
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Kept,
    Broken,
    NeverSynced,
}

impl Verdict {
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Kept => "kept",
            Verdict::Broken => "broken",
            Verdict::NeverSynced => "never_synced",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) plan: DemoPlan,
    pub(super) start: MachineTime,
    pub(super) length: Span,
    pub(super) clients: Vec<ClientRecord>,
    pub(super) happenings: VecDeque<Happening>,
    pub(super) dropped: usize,
    pub(super) incident: Option<Happening>,
}

impl Record {
    pub(super) fn new(plan: DemoPlan, start: MachineTime) -> Self {
        let clients = vec![ClientRecord::default(); plan.clients.len()];
        let (length, happenings) = (Span::ZERO, VecDeque::new());
        Record { plan, start, length, clients, happenings, dropped: 0, incident: None }
    }

    pub(super) fn add(&mut self, client: usize, reads: &[Read], accounts: Accounts, traffic: Traffic) {
        let counts_from = self.incident.as_ref().map_or(0.0, |it| it.at) + SETTLING_S;
        let since_start = |ticks| (MachineTime::from_ticks(ticks) - self.start).as_secs_f64();
        let client = &mut self.clients[client];
        let counted = reads.iter().filter(|read| since_start(read.at) >= counts_from);
        counted.for_each(|read| client.same.add(read));
        client.draw(reads, since_start);
        (client.accounts, client.traffic) = (accounts, traffic);
    }

    pub(super) fn note(&mut self, happening: Happening) {
        if happening.kind == What::Incident {
            self.clients.iter_mut().for_each(|client| client.same = SameReads::default());
            self.incident = Some(happening.clone());
        }
        self.happenings.push_back(happening);
        if self.happenings.len() > MOST_HAPPENINGS {
            self.happenings.pop_front();
            self.dropped += 1;
        }
    }

    pub(super) fn happenings_of(&self, client: usize) -> impl Iterator<Item = &Happening> {
        self.happenings.iter().filter(move |happening| happening.row.is_none_or(|row| row == client))
    }

    pub(super) fn has_ended(&self) -> bool {
        self.length > Span::ZERO
    }

    pub(super) fn is_complete(&self) -> bool {
        self.length >= Span::from_secs(self.plan.seconds.into())
    }

    pub(super) fn compared(&self) -> impl Iterator<Item = (&str, Compared)> {
        let named = self.plan.clients.iter().zip(&self.clients);
        named.map(|(planned, client)| (&*planned.name, client.compared()))
    }

    pub(super) fn headline(&self) -> Compared {
        Compared::worst(self.compared().map(|(_, compared)| compared))
    }

    pub(super) fn verdict(&self) -> Verdict {
        let any = |is_so: fn(&Accounts) -> bool| self.clients.iter().any(|it| is_so(&it.accounts));
        if any(|it| !(it.time.is_kept() && it.world.is_kept())) {
            Verdict::Broken
        } else if any(|it| it.time.reads == 0 || it.world.reads == 0) {
            Verdict::NeverSynced
        } else {
            Verdict::Kept
        }
    }

    pub(super) fn total(&self, count: fn(&Accounts) -> u64) -> u64 {
        self.clients.iter().map(|client| count(&client.accounts)).sum()
    }

    pub(super) fn json(&self, report: &str) -> Value {
        let seconds = self.length.as_secs_f64();
        let clients = self.plan.clients.iter().zip(&self.clients).map(|(planned, client)| {
            json!({
                "name": planned.name,
                "crystal_ppm": planned.ppm,
                "path": planned.path,
                "up": planned.up.to_string(),
                "down": planned.down.to_string(),
                "accounts": client.accounts,
                "since_incident": client.compared(),
                "bytes_per_second": client.traffic.bytes() as f64 / seconds.max(1e-3),
                "traffic": client.traffic,
            })
        });
        json!({
            "seconds": seconds,
            "complete": self.is_complete(),
            "seed": self.plan.seed,
            "headline": self.headline(),
            "best_rival": self.plan.rival,
            "verdict": self.verdict().word(),
            "clients": clients.collect::<Vec<_>>(),
            "happenings": self.happenings,
            "report": report,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(error_ms: i64) -> Read {
        let error = error_ms * 10_000;
        let rivals = [Some(-error), (error_ms != 3).then_some(2 * error)];
        Read { at: 0, error, bound: 1, expected: 10_000, rivals }
    }

    #[test]
    fn clocks_are_compared_when_all_show_a_time() {
        let mut same = SameReads::default();
        (1..=4).for_each(|error_ms| same.add(&read(error_ms)));
        assert_eq!(same.sizes.each_ref().map(Quantiles::count), [3; 3]);
        assert_eq!(same.sizes.map(|it| it.share(1.0)), [40_000, 80_000, 40_000].map(Some));
    }

    #[test]
    fn a_report_adds_a_point_and_gaps_interrupt_the_lines() {
        let mut client = ClientRecord::default();
        for millis in [0, 100, 700] {
            let at = |error_ms| Read { at: millis, ..read(error_ms) };
            client.draw(&[at(1), at(-4), at(3)], |at| at as f64 / 1e3);
        }
        let point = [Some(-4.0), Some(1e-4), Some(1.0), Some(4.0), Some(-8.0)];
        assert_eq!(client.points, [(0.0, point), (0.1, point), (0.699, [None; 5]), (0.7, point)]);
    }
}
