//! The process of a demo client: reads its clock and the world's all the time, and judges every read.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netclock::keyed::SessionKey;
use netclock::utc::UtcReading;
use netclock::{Config, LocalTime, Reading, Span};

use super::judge::Judge;
use super::protocol::{Order, Report, Status, UtcStatus};
use super::rivals::Rivals;
use crate::net::clock::{self, MachineTime, ServerClock, SkewedClock};
use crate::net::key_file;
use crate::net::lifetime::Stop;
use crate::net::sync::beats::Beats;
use crate::net::sync::client::Session;
use crate::net::sync::events::{describe, state_name};

/// Time between reports to the parent.
const REPORT_EVERY: Span = Span::from_millis(100);

/// The settings of a demo client: the defaults, with two exceptions. The demo's stall counts as a local gap.
/// And it asks once a second, as in the bench: rivals that get a reply in 4 s would be slower to learn.
fn config() -> Config {
    Config { local_gap: Span::from_secs(2), steady_interval: Span::from_secs(1), ..Config::default() }
}

/// Follows `server` with a clock that starts at `origin` and runs `ppm` fast, until an order or `stop` ends
/// it.
///
/// # Errors
/// The socket fails, or an order is unreadable.
pub(crate) fn run(
    server: SocketAddr,
    origin: LocalTime,
    ppm: f64,
    orders: &Receiver<String>,
    stop: &Stop,
) -> Result<()> {
    let clock = SkewedClock::new(origin, ppm);
    let mut session = Session::new(server, clock, config())?;
    session.keep_samples()?;
    session.use_key(first_key(orders)?)?;
    session.follow_world()?;
    let mut rivals = Rivals::new()?;
    let mut judge = Judge::default();
    let mut reported = clock::now();
    judge.settle(Some(reported));
    let mut beats = [Beats::every_second()?, Beats::every_second()?, Beats::every_second()?];
    let mut is_told_to_end = false;
    while !stop.is_set() {
        for line in orders.try_iter() {
            match serde_json::from_str(&line).with_context(|| format!("unreadable order `{line}`"))? {
                Order::Truth { epoch, start_ticks, world } => {
                    let clock = ServerClock::started_at(MachineTime::from_ticks(start_ticks));
                    judge.learn(epoch, clock, world.parse()?);
                }
                Order::Key { .. } => bail!("a client has one key"),
                Order::Settled { until } => judge.settle(Some(MachineTime::from_ticks(until))),
                Order::Sleep { millis } => std::thread::sleep(Duration::from_millis(millis)),
                Order::End => {
                    is_told_to_end = true;
                    stop.set();
                }
            }
        }
        session.step()?;
        let (machine, reading) = session.read();
        let world = session.read_world(&reading);
        session.take_samples()?.iter().for_each(|sample| rivals.take(sample));
        let others = rivals.shown(clock.at(machine));
        judge.add(machine, &reading, world.as_ref(), others);
        let utc = session.read_utc(&reading);
        if let (Some(utc), Some(truth)) = (&utc, netclock::utc_now()) {
            judge.add_utc(machine, utc, &truth);
        }
        while let Some(event) = session.next_event() {
            say(&Report::Event { at: machine.ticks(), described: describe(&event) })?;
        }
        let [own, of_rivals @ ..] = &mut beats;
        let passed = of_rivals.iter_mut().zip(others);
        let passed = passed.map(|(beats, it)| it.and_then(|it| beats.passed_by(machine, it.server, it.run)));
        for (clock, passed) in std::iter::once(own.passed(machine, &reading)).chain(passed).enumerate() {
            if let Some((at, number)) = passed {
                say(&Report::Beat { clock, at: at.ticks(), number })?;
            }
        }
        match (is_told_to_end, stop.is_set()) {
            (true, _) => judge.settle(None),
            (false, true) => judge.interrupt(),
            (false, false) => {}
        }
        if machine - reported >= REPORT_EVERY || stop.is_set() {
            reported = machine;
            say(&Report::Reads {
                reads: judge.take(),
                tally: Box::new(judge.tally()),
                status: status(&reading, utc.as_ref()),
                traffic: session.traffic(),
                news: session.world_traffic(),
            })?;
        }
    }
    say(&Report::End)
}

/// The key, which the parent gives first.
fn first_key(orders: &Receiver<String>) -> Result<SessionKey> {
    let line = orders.recv().context("the demo ended before it gave a key")?;
    match serde_json::from_str(&line) {
        Ok(Order::Key { key }) => key_file::key(&key),
        // The line may have a secret.
        _ => bail!("the first order is no key"),
    }
}

fn status(reading: &Reading, utc: Option<&UtcReading>) -> Status {
    Status {
        round_trip_ms: reading.round_trip.as_millis_f64(),
        ppm: reading.frequency_ppm,
        state: state_name(reading.state).to_owned(),
        utc: utc.map(|utc| UtcStatus { utc: utc.utc.ticks(), bound: utc.error_bound.ticks() }),
    }
}

fn say(report: &Report) -> Result<()> {
    let line = serde_json::to_string(report)?;
    writeln!(io::stdout().lock(), "{line}").context("the demo has ended")
}
