use std::io::{self, Write};
use std::net::SocketAddr;

use netclock::authority::Authority;
use netclock::timeline::WorldReading;
use netclock::utc::UtcReading;
use netclock::{Reading, ServerTime, Span, State};
use serde_json::{Value, json};

use super::client::Traffic;
use super::events::{Described, state_name};
use super::judge::Judge;
use crate::net::clock::{self, MachineTime};
use crate::report::date::date;
use crate::report::words::{finite_ms, optional, say};
use netclock_sim::measure::account::Account;

#[derive(Default)]
pub(super) struct Followed {
    pub(super) reads: u64,
    /// The true time may be unknown, so we only check that time never runs backward.
    time: Account,
    world: Account,
    best_bound: Option<Span>,
}

impl Followed {
    pub(super) fn add(&mut self, reading: &Reading, world: Option<&WorldReading>) {
        if let Some(world) = world {
            self.world.goes_back(world.epoch, world.world.ticks());
        }
        if reading.state == State::Unsynced {
            return;
        }
        self.reads += 1;
        self.time.goes_back(reading.epoch, reading.server_time.ticks());
        self.best_bound =
            Some(self.best_bound.map_or(reading.error_bound, |best| best.min(reading.error_bound)));
    }

    pub(super) fn backwards(&self) -> u64 {
        self.time.backwards + self.world.backwards
    }
}

/// A column's head, its width, its place in the JSON output, and its number of decimals. A column appears
/// once it has a value.
const COLUMNS: [(&str, usize, &str, usize); 14] = [
    ("s", 7, "/seconds", 2),
    ("server time s", 16, "/server_time_s", 6),
    ("true error ms", 13, "/true_error_ms", 4),
    ("bound ms", 10, "/bound_ms", 3),
    ("in all ms", 10, "/in_all_ms", 3),
    ("expected ms", 11, "/expected_ms", 3),
    ("round trip", 10, "/round_trip_ms", 3),
    ("ppm", 8, "/frequency_ppm", 1),
    ("world time s", 14, "/world/world_time_s", 6),
    ("rate", 5, "/world/rate", 2),
    ("bound ms", 10, "/world/bound_ms", 3),
    ("if unchanged", 12, "/world/bound_if_unchanged_ms", 3),
    ("server UTC", 23, "/utc/utc", 0),
    ("bound ms", 10, "/utc/bound_ms", 3),
];

#[derive(Default)]
pub(super) struct Output {
    json: bool,
    shown: [bool; COLUMNS.len()],
}

impl Output {
    pub(super) fn new(json: bool) -> Self {
        Output { json, ..Output::default() }
    }

    pub(super) fn start(&self, server: SocketAddr) -> io::Result<()> {
        say(self.json, || json!({"type": "start", "server": server}), || format!("Following {server}."))
    }

    pub(super) fn turn(&self, age: Span, server: SocketAddr) -> io::Result<()> {
        let seconds = age.as_secs_f64();
        let words = || format!("{seconds:7.2}  the server no longer answers: switching to {server}");
        say(self.json, || json!({"type": "turn", "seconds": seconds, "server": server}), words)
    }

    pub(super) fn event(&self, age: Span, described: &Described) -> io::Result<()> {
        let seconds = age.as_secs_f64();
        let fields = || of_type("event", seconds, json!(described));
        say(self.json, fields, || format!("{seconds:7.2}  {}: {}", described.event, described.meaning))
    }

    /// Prints the fields of a reading, with the heads of the columns if they have changed.
    pub(super) fn reading(&mut self, age: Span, fields: Value) -> io::Result<()> {
        let it = of_type("reading", age.as_secs_f64(), fields);
        let mut out = io::stdout().lock();
        if self.json {
            return writeln!(out, "{it}");
        }
        let value = |place: &str| it.pointer(place).filter(|it| !it.is_null());
        let before = self.shown;
        for (shown, (.., place, _)) in self.shown.iter_mut().zip(COLUMNS) {
            *shown |= value(place).is_some();
        }
        let columns = || COLUMNS.iter().zip(self.shown).filter(|it| it.1).map(|it| it.0);
        if before != self.shown {
            let heads: String = columns().map(|(head, width, ..)| format!("{head:>width$}  ")).collect();
            writeln!(out, "{heads}state")?;
        }
        for (_, width, place, decimals) in columns() {
            let cell = match value(place) {
                Some(Value::String(text)) => text.clone(),
                known => optional(known.and_then(Value::as_f64), |it| format!("{it:.decimals$}")),
            };
            write!(out, "{cell:>width$}  ")?;
        }
        writeln!(out, "{}", it["state"].as_str().unwrap_or_default())
    }

    pub(super) fn summary(
        &self,
        age: Span,
        last: &Value,
        followed: &Followed,
        judge: Option<&Judge>,
        traffic: Traffic,
    ) -> io::Result<()> {
        let seconds = age.as_secs_f64();
        let rate = traffic.bytes() as f64 / seconds.max(1e-3);
        let (Followed { reads, best_bound, .. }, backwards) = (followed, followed.backwards());
        let (Traffic { replies, requests, .. }, best) = (traffic, best_bound.and_then(finite_ms));
        let fields = || {
            json!({
                "type": "summary", "seconds": seconds, "synced": *reads > 0, "reads": reads,
                "backwards": backwards, "best_bound_ms": best,
                "traffic": traffic, "bytes_per_second": rate, "last": last,
                "judged": judge.map(Judge::fields),
            })
        };
        let words = || {
            format!(
                "{reads} reads, {backwards} backward; best bound {} ms; {replies} of {requests} requests \
                 answered, {rate:.0} bytes/s{}",
                optional(best, |ms| format!("{ms:.3}")),
                judge.map_or_else(String::new, |judge| format!("\n{}", judge.words()))
            )
        };
        say(self.json, fields, words)
    }
}

fn of_type(name: &str, seconds: f64, mut fields: Value) -> Value {
    (fields["type"], fields["seconds"]) = (name.into(), seconds.into());
    fields
}

pub(super) fn fields(machine: MachineTime, reading: &Reading, authority: Option<Authority>) -> Value {
    // The bound relative to the timescale.
    let in_all =
        authority.map_or(reading.error_bound, |authority| reading.error_bound + authority.dispersion);
    // If the server serves this machine's wall clock, this is the reading's true error.
    let off_wall = reading.server_time - (ServerTime::from_ticks(machine.ticks()) + clock::pairing().0);
    json!({
        "server_time_s": reading.server_time.as_secs_f64(),
        "off_wall_ms": off_wall.as_millis_f64(),
        "bound_ms": finite_ms(reading.error_bound),
        "in_all_ms": finite_ms(in_all),
        "timescale": authority.map(|authority| format!("{:#018x}", authority.timescale)),
        "expected_ms": finite_ms(reading.expected_error),
        "round_trip_ms": finite_ms(reading.round_trip),
        "frequency_ppm": reading.frequency_ppm,
        "state": state_name(reading.state),
        "epoch": reading.epoch,
        "server_epoch": format!("{:#018x}", reading.server_epoch),
    })
}

pub(super) fn world_fields(world: &WorldReading) -> Value {
    json!({
        "world_time_s": world.world.as_secs_f64(),
        "rate": world.rate.as_f64(),
        "bound_ms": finite_ms(world.error_bound),
        "bound_if_unchanged_ms": finite_ms(world.error_bound_if_unchanged),
        "epoch": world.epoch,
        "instance": world.instance,
        "version": world.version,
    })
}

pub(super) fn utc_fields(utc: &UtcReading) -> Value {
    json!({
        "utc": date(utc.utc),
        "utc_ticks": utc.utc.ticks(),
        "bound_ms": finite_ms(utc.error_bound),
    })
}
