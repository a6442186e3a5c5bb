//! The process of a demo client: reads its clock and the world's continuously, and judges every read.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netclock::keyed::SessionKey;
use netclock::session::View;
use netclock::utc::UtcReading;
use netclock::{Config, Earlier, LocalTime, Reading, Span};
use serde::{Deserialize, Serialize};

use super::judge::Judge;
use super::protocol::{Order, Report, Status, UtcStatus};
use super::rivals::Rivals;
pub use crate::net::child::Args;
use crate::net::child::say;
use crate::net::clock::{self, MachineTime, ServerClock, SkewedClock};
use crate::net::key_file;
use crate::net::sync::beats::Beats;
use crate::net::sync::client::Session;
use crate::net::sync::events::{describe, state_name};

/// Time between reports to the parent.
const REPORT_EVERY: Span = Span::from_millis(100);

/// The settings of a demo client: the defaults, with two exceptions. The demo's stall counts as a local gap.
/// And the client asks once per second, as in the bench, because rivals with a reply every 4 s would learn
/// more slowly.
fn config() -> Config {
    Config { local_gap: Span::from_secs(2), steady_interval: Span::from_secs(1), ..Config::default() }
}

/// What a client is told when it starts.
#[derive(Serialize, Deserialize)]
pub(super) struct Plan {
    /// The address of its forwarder.
    pub(super) server: SocketAddr,
    /// Time of its clock at the start (ticks).
    pub(super) origin: i64,
    /// Rate error of its clock; positive if fast.
    pub(super) ppm: f64,
    /// The published clock beside it.
    pub(super) rival: String,
}

/// Follows the server until it is told to end or Ctrl-C is pressed.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (plan, stop, orders) = args.begin::<Plan>()?;
    let clock = SkewedClock::new(LocalTime::from_ticks(plan.origin), plan.ppm);
    let mut session = Session::new(plan.server, clock, config(), &Earlier::NONE)?;
    session.take_samples()?;
    session.use_key(first_key(&orders)?)?;
    let mut rivals = Rivals::new(&plan.rival)?;
    let mut judge = Judge::default();
    let mut reported = clock::now();
    judge.settle(Some(reported));
    let mut beats = [Beats::every_second()?, Beats::every_second()?, Beats::every_second()?];
    let mut is_told_to_end = false;
    while !stop.is_set() {
        for line in orders.try_iter() {
            match serde_json::from_str(&line).with_context(|| format!("unreadable order `{line}`"))? {
                Order::Truth { epoch, start_ticks, world } => {
                    let clock = ServerClock { start: MachineTime::from_ticks(start_ticks) };
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
        let (machine, View { reading, worlds, utc, .. }) = session.view()?;
        session.take_samples()?.iter().for_each(|sample| rivals.take(sample));
        let others = rivals.shown(clock.at(machine));
        judge.add(machine, &reading, worlds[0].as_ref(), others);
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
            })?;
        }
    }
    say(&Report::End)?;
    Ok(ExitCode::SUCCESS)
}

/// The key, which is the parent's first order.
fn first_key(orders: &Receiver<String>) -> Result<SessionKey> {
    let line = orders.recv().context("the demo ended before it gave a key")?;
    match serde_json::from_str(&line) {
        Ok(Order::Key { key }) => key_file::key(&key),
        // The line may contain a secret.
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
