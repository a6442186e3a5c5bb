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
use crate::report::words::{finite_ms, say};
use netclock_sim::measure::account::Account;

#[derive(Default)]
pub(super) struct Followed {
    pub(super) reads: u64,
    /// We can only check that time does not run backward, because the true time may be unknown.
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

pub(super) struct FrameRow<'a> {
    pub(super) seconds: f64,
    pub(super) machine: MachineTime,
    pub(super) reading: &'a Reading,
    pub(super) error: Option<Span>,
    pub(super) authority: Option<Authority>,
    pub(super) world: Option<&'a WorldReading>,
    pub(super) utc: Option<&'a UtcReading>,
}

#[derive(Default)]
pub(super) struct Output {
    json: bool,
    world: bool,
    judge: bool,
    has_utc: [bool; 2],
    heads: String,
}

type Column = (&'static str, usize, String);

impl Output {
    pub(super) fn new(json: bool, world: bool, judge: bool) -> Self {
        Output { json, world, judge, ..Output::default() }
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

    pub(super) fn reading(&mut self, it: &FrameRow<'_>) -> io::Result<()> {
        let &FrameRow { seconds, machine, reading, error, authority, world, utc } = it;
        let bound = utc.and_then(|utc| finite_ms(utc.error_bound));
        self.has_utc = [self.has_utc[0] || utc.is_some(), self.has_utc[1] || bound.is_some()];
        if !self.json {
            return self.line(&self.columns(it), state_name(reading.state));
        }
        let mut value = fields(reading, authority);
        // If the server serves this machine's wall clock, this is the clock's true error.
        value["off_wall_ms"] = off_wall(reading, machine).as_millis_f64().into();
        if self.judge {
            value["true_error_ms"] = error.map(Span::as_millis_f64).into();
        }
        if self.world {
            value["world"] = world.map(world_fields).into();
        }
        value["utc"] = utc.map(utc_fields).into();
        writeln!(io::stdout().lock(), "{}", of_type("reading", seconds, value))
    }

    fn columns(&self, it: &FrameRow<'_>) -> Vec<Column> {
        let &FrameRow { seconds, reading, error, authority, world, utc, .. } = it;
        let known = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
        let mut all: Vec<Column> = vec![
            ("s", 7, format!("{seconds:.2}")),
            ("server time s", 16, format!("{:.6}", reading.server_time.as_secs_f64())),
        ];
        if self.judge {
            all.push(("true error ms", 13, known(error.map(|it| format!("{:+.4}", it.as_millis_f64())))));
        }
        all.extend([
            ("bound ms", 10, shown(reading.error_bound)),
            ("in all ms", 10, shown(in_all(reading, authority))),
            ("expected ms", 11, shown(reading.expected_error)),
            ("round trip", 10, shown(reading.round_trip)),
            ("ppm", 8, format!("{:+.1}", reading.frequency_ppm)),
        ]);
        if self.world {
            all.extend([
                ("world time s", 14, known(world.map(|it| format!("{:.6}", it.world.as_secs_f64())))),
                ("rate", 5, known(world.map(|it| format!("{:.2}", it.rate.as_f64())))),
                ("bound ms", 10, known(world.map(|it| shown(it.error_bound)))),
                ("if unchanged", 12, known(world.map(|it| shown(it.error_bound_if_unchanged)))),
            ]);
        }
        if self.has_utc[0] {
            all.push(("server UTC", 23, utc.map_or_else(|| "unknown".to_owned(), |utc| date(utc.utc))));
        }
        if self.has_utc[1] {
            all.push(("bound ms", 10, known(utc.map(|utc| shown(utc.error_bound)))));
        }
        all
    }

    fn line(&mut self, columns: &[Column], state: &str) -> io::Result<()> {
        let heads: String = columns.iter().map(|(head, width, _)| format!("{head:>width$}  ")).collect();
        let cells: String = columns.iter().map(|(_, width, cell)| format!("{cell:>width$}  ")).collect();
        let mut out = io::stdout().lock();
        if heads != self.heads {
            writeln!(out, "{heads}state")?;
            self.heads = heads;
        }
        writeln!(out, "{cells}{state}")
    }

    pub(super) fn summary(
        &self,
        age: Span,
        reading: &Reading,
        authority: Option<Authority>,
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
                "traffic": traffic, "bytes_per_second": rate, "last": fields(reading, authority),
                "judged": judge.map(Judge::fields),
            })
        };
        let best_bound = best_bound.map_or_else(|| "-".to_owned(), shown);
        let words = || {
            format!(
                "{reads} reads, {backwards} backward; best bound {best_bound} ms; {replies} of {requests} \
                 requests answered, {rate:.0} bytes/s{}",
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

/// Returns the bound on the error relative to the timescale.
fn in_all(reading: &Reading, authority: Option<Authority>) -> Span {
    authority.map_or(reading.error_bound, |authority| reading.error_bound + authority.dispersion)
}

fn off_wall(reading: &Reading, machine: MachineTime) -> Span {
    let (offset, _) = clock::pairing();
    reading.server_time - (ServerTime::from_ticks(machine.ticks()) + offset)
}

fn fields(reading: &Reading, authority: Option<Authority>) -> Value {
    json!({
        "server_time_s": reading.server_time.as_secs_f64(),
        "bound_ms": finite_ms(reading.error_bound),
        "in_all_ms": finite_ms(in_all(reading, authority)),
        "timescale": authority.map(|authority| format!("{:#018x}", authority.timescale)),
        "expected_ms": finite_ms(reading.expected_error),
        "round_trip_ms": finite_ms(reading.round_trip),
        "frequency_ppm": reading.frequency_ppm,
        "state": state_name(reading.state),
        "epoch": reading.epoch,
        "server_epoch": format!("{:#018x}", reading.server_epoch),
    })
}

fn world_fields(world: &WorldReading) -> Value {
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

fn utc_fields(utc: &UtcReading) -> Value {
    json!({
        "utc": date(utc.utc),
        "utc_ticks": utc.utc.ticks(),
        "bound_ms": finite_ms(utc.error_bound),
    })
}

fn shown(span: Span) -> String {
    finite_ms(span).map_or_else(|| "none".to_owned(), |ms| format!("{ms:.3}"))
}
