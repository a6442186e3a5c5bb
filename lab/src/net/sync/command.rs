use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use netclock::session::View;
use netclock::{Config, LocalTime, Span};

use super::client::{SyncClient, Traffic};
use super::events::{Described, describe, describe_pause};
use super::judge::Judge;
use super::noted::Notes;
use super::output::{Followed, Output, fields, utc_fields, world_fields};
use crate::net::address;
use crate::net::clock::{self, Frames, SkewedClock};
use crate::net::key_file;
use crate::net::lifetime::Stop;
use crate::recording::Recorder;
use crate::report::exit::{FAULT, NO_SERVER};
use crate::report::words::program;

const LINE_EVERY: Span = Span::from_secs(1);
const PATIENCE: Span = Span::from_secs(5);
/// We give up sooner once the network has reported that nothing listens on the port.
const PATIENCE_REFUSED: Span = Span::from_secs(2);

/// Follows a server's clock and prints the time
///
/// Exits with 3 if no server answered, and with 1 if server time or world time ran backward.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Host and port of the server
    #[arg(value_name = "HOST:PORT")]
    server: String,
    /// Another server to use when the previous one is gone; repeat for several
    ///
    /// If it has the same timescale (`lab serve --time-source chrony`), the clock continues without a step.
    #[arg(long, value_name = "HOST:PORT")]
    next: Vec<String>,
    /// Duration in seconds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Also print the world time of a server that runs `lab serve --world`
    #[arg(long)]
    world: bool,
    /// Use the first key in this file (`lab serve --key-file`)
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Poll for replies this often per second, like a game loop, instead of timestamping them on arrival
    #[arg(long, value_name = "N", conflicts_with = "key_file",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    fps: Option<u32>,
    /// Show the true error of each read if the server runs on this machine (`lab serve`)
    ///
    /// Server and client then read the same kernel clock and thus the same crystal, which is easier to follow
    /// than a clock on a different machine. Use `lab impair` to make it harder. Exits with 1 if a read was
    /// outside its bound.
    #[arg(long)]
    judge: bool,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Write every exchange to a file, for `lab report`
    #[arg(long, value_name = "FILE.csv")]
    record: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut server = address::resolve(&args.server)?;
    let next: Result<Vec<SocketAddr>> = args.next.iter().map(|next| address::resolve(next)).collect();
    let mut next = next?.into_iter();
    let stop = Stop::on_ctrl_c()?;
    let start = clock::now();
    let clock = SkewedClock::new(LocalTime::from_ticks(start.ticks()), 0.0);
    let mut session = SyncClient::new(server, clock, Config::default())?;
    if let Some(file) = &args.key_file {
        session.use_key(key_file::first(file)?)?;
    }
    if let Some(file) = &args.record {
        session.guest.note(Notes::File(Recorder::create(file)?))?;
    }
    session.has_world = args.world;
    session.frames = args.fps.map(Frames::new);
    session.judge = args.judge.then(|| Judge::new(start)).transpose()?;
    let mut out = Output::new(args.json);
    out.start(server)?;
    let mut followed = Followed::default();
    let mut next_line = start;
    loop {
        session.step()?;
        let (machine, View { reading, worlds, utc, .. }) = session.view()?;
        let age = machine - start;
        let world = worlds[0].filter(|_| args.world);
        followed.add(&reading, world.as_ref());
        let error = session.judge.as_mut().map(|judge| judge.error(machine, &reading)).transpose()?.flatten();
        let told = std::iter::from_fn(|| session.next_event()).map(|event| describe(&event));
        let mut told: Vec<Described> = told.collect();
        told.extend(session.pause.take().map(describe_pause));
        told.extend(session.take_mark_dropped());
        told.extend(session.take_key_in_use());
        for described in &told {
            out.event(age, described)?;
        }
        let patience = if session.traffic().refused > 0 { PATIENCE_REFUSED } else { PATIENCE };
        if !session.is_synced() && age >= patience {
            eprintln!("lab: {}", nobody(server, age, session.traffic(), args.key_file.is_some()));
            return Ok(ExitCode::from(NO_SERVER));
        }
        if session.is_synced() && machine >= next_line {
            let mut fields = fields(machine, &reading, session.authority());
            fields["true_error_ms"] = error.map(Span::as_millis_f64).into();
            fields["world"] = world.as_ref().map(world_fields).into();
            fields["utc"] = utc.as_ref().map(utc_fields).into();
            out.reading(age, fields)?;
            next_line = machine + LINE_EVERY;
        }
        if session.is_deserted() {
            if let Some(other) = next.next() {
                server = other;
                session.turn_to(server)?;
                out.turn(age, server)?;
            }
        }
        if stop.is_set() || age >= Span::from_secs(args.seconds.into()) {
            break;
        }
    }
    session.end_recording()?;
    let (machine, reading) = session.read();
    let judge = session.judge.as_ref();
    let last = fields(machine, &reading, session.authority());
    out.summary(machine - start, &last, &followed, judge, session.traffic())?;
    if !session.is_synced() {
        eprintln!("lab: {}", nobody(server, machine - start, session.traffic(), args.key_file.is_some()));
        return Ok(ExitCode::from(NO_SERVER));
    }
    let is_outside = judge.is_some_and(|judge| judge.judged().account.outside > 0);
    Ok(if followed.backwards() > 0 || is_outside { ExitCode::from(FAULT) } else { ExitCode::SUCCESS })
}

fn nobody(server: SocketAddr, age: Span, traffic: Traffic, is_keyed: bool) -> String {
    let (seconds, Traffic { requests, malformed, .. }) = (age.as_secs_f64(), traffic);
    if traffic.refused > 0 {
        return format!(
            "connection refused: nothing listens at {server} ({requests} requests in {seconds:.1} s). Is \
             `{} serve` running there, on that port?",
            program()
        );
    }
    let strange =
        format!(" {malformed} received datagrams are not NetClock replies; is this a different service?");
    let strange = if malformed > 0 { &strange } else { "" };
    let key = if is_keyed { "that the server has this key" } else { "that the server requires no key" };
    format!(
        "no reply from {server} to {requests} requests in {seconds:.1} s.{strange} Check the host and the \
         port, that `{} serve` runs there, {key}, and that firewalls let UDP through in both directions.",
        program()
    )
}
