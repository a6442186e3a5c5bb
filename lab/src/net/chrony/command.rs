//! `lab study chrony`: chronyd and NetClock over the same bad network.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context, Result, bail, ensure};
use netclock::{Config, Earlier, LocalTime, Span, State};
use serde_json::json;

use super::daemon::{Daemon, Installed, free_port};
use crate::net::address;
use crate::net::clock::{self, MachineTime, ServerClock, SkewedClock};
use crate::net::impair::forwarder::Forwarder;
use crate::net::impair::impairment::Impairment;
use crate::net::judge::{Judge, Judged};
use crate::net::lifetime::Stop;
use crate::net::serve::chrony::Tracking;
use crate::net::serve::server::Server;
use crate::net::sync::client::Session;
use crate::report::exit;
use crate::report::progress::waiting;
use crate::report::table;
use crate::report::words::{alarm, ms, ratio};

/// Each direction of the network.
const BAD: &str = "delay=25,jitter=6,loss=5";
/// Mean time between requests, of both.
const APART: Span = Span::from_secs(1);
/// Time between reads, of both.
const READ_EVERY: Span = Span::from_millis(250);

/// Measures chronyd and `lab sync` over the same bad network, a request a second each
///
/// Both ask servers on this machine, through relays of the same settings. All of them read this machine's
/// clock, so that it is the truth. With -x, chronyd says how far off it thinks this machine's clock is, and
/// does not touch it. That is its error. Ends with 1 if a read of NetClock was outside its bound or went
/// backwards. Needs chrony.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Seconds that are judged
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// Seconds before them
    #[arg(long, value_name = "N", default_value_t = 30,
          value_parser = clap::value_parser!(u32).range(5..=3_600))]
    after: u32,
    /// Settings of both directions, as of `lab impair`
    #[arg(long, value_name = "SETTINGS", default_value = BAD)]
    both: Impairment,
    /// Seed of the network
    #[arg(long, value_name = "N", default_value_t = 2026)]
    seed: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let installed = Installed::find()?;
    let stop = Stop::on_ctrl_c()?;
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let relay = |to, seed| Forwarder::start(any, to, (args.both, args.both), None, seed, &stop);

    let (server, answers) = serve(any, &stop)?;
    let netclock = relay(answers, args.seed)?;
    let truth = free_port()?;
    let local = format!("local stratum 1\nallow 127.0.0.1\nbindaddress 127.0.0.1\nport {}", truth.port());
    let mut source = Daemon::start(&installed, "a", &local)?;
    source.wait(&stop)?;
    let chrony = relay(truth, args.seed.wrapping_add(1))?;
    let asks = format!("server 127.0.0.1 port {} minpoll 0 maxpoll 0\nport 0", chrony.address.port());
    let mut follower = Daemon::start(&installed, "b", &asks)?;

    let start = clock::now();
    let judged = (start + Span::from_secs(args.after.into()))
        ..(start + Span::from_secs((args.after + args.seconds).into()));
    // In the 5 s or more before they are judged both know the time.
    let asked = {
        let (stop, judged) = (stop.clone(), judged.clone());
        thread::spawn(move || {
            let errors = follower.wait(&stop).and_then(|()| said_by(&follower, &judged, &stop));
            errors.inspect_err(|_| stop.set())
        })
    };
    let line = waiting(args.after + args.seconds);
    let own = follow(netclock.address, server, &judged, &stop);
    line.finish_and_clear();
    let stopped = stop.is_set();
    let by_chrony = asked.join().unwrap_or_else(|_| bail!("the thread that asks chronyd broke down"))?;
    stop.set();
    if stopped {
        bail!("stopped before the end");
    }
    let requests = |relay: &Forwarder| relay.status()[0].1.received;
    let rows = [
        ("lab sync".to_owned(), requests(&netclock), own?.judged()),
        (format!("chronyd {}", installed.version), requests(&chrony), by_chrony.judged()),
    ];
    ensure!(rows.iter().all(|(.., judged)| judged.reads > 0), "a clock was never read");
    print(&rows, args.json);
    let (.., own) = &rows[0];
    if !own.is_kept() {
        let faults = own.outside + own.backwards + own.above_bound;
        println!("{}", alarm(&format!("{faults} reads of NetClock broke a promise")));
    }
    Ok(exit::verdict(own.is_kept()))
}

/// Starts a server of the time since now, on a thread of its own; its clock and address.
fn serve(at: SocketAddr, stop: &Stop) -> Result<(ServerClock, SocketAddr)> {
    let socket = address::bind(at)?;
    let address = socket.local_address().context("cannot find the server's address")?;
    let mut server = Server::new(socket, None)?;
    let (clock, stop) = (server.clock, stop.clone());
    thread::spawn(move || {
        while !stop.is_set() {
            if let Err(error) = server.step() {
                eprintln!("lab: the server cannot go on: {error:#}");
                stop.set();
            }
        }
    });
    Ok((clock, address))
}

/// How far off chronyd thinks the machine's clock is, at each read: its error.
fn said_by(daemon: &Daemon, judged: &std::ops::Range<MachineTime>, stop: &Stop) -> Result<Judge> {
    let (mut errors, mut next) = (Judge::default(), judged.start);
    while next < judged.end && !stop.is_set() {
        let left = next - clock::now();
        if left > Span::ZERO {
            thread::sleep(std::time::Duration::from_secs_f64(left.min(READ_EVERY).as_secs_f64()));
            continue;
        }
        let off = Tracking::ask(Some(&daemon.socket()))?.system_offset_s;
        errors.add(Span::from_secs_f64(off), None, true);
        next += READ_EVERY;
    }
    Ok(errors)
}

/// Follows the server as `lab sync` does, with a request a second.
fn follow(
    relay: SocketAddr,
    server: ServerClock,
    judged: &std::ops::Range<MachineTime>,
    stop: &Stop,
) -> Result<Judge> {
    let local = SkewedClock::new(LocalTime::from_ticks(clock::now().ticks()), 0.0);
    let config = Config { steady_interval: APART, ..Config::default() };
    let mut session = Session::new(relay, local, config, &Earlier::NONE)?;
    session.only_time = true;
    let (mut own, mut next) = (Judge::default(), judged.start);
    while next < judged.end && !stop.is_set() {
        session.step()?;
        let (machine, reading) = session.read();
        if machine < next {
            continue;
        }
        next += READ_EVERY;
        if reading.state == State::Unsynced {
            bail!("NetClock has no time yet: is `{relay}` reachable, and not everything lost?");
        }
        own.read(&reading, server.at(machine), true);
    }
    Ok(own)
}

/// A clock, how many of its requests reached the network, and how it did.
type Row = (String, u64, Judged);

/// Prints both, and the first one's errors in those of the second.
fn print(rows: &[Row; 2], as_json: bool) {
    let errors = |(.., judged): &Row| {
        let Judged { p50_ms, p99_ms, rms_ms, .. } = judged;
        [p50_ms, p99_ms, rms_ms].map(|error| error.unwrap_or(f64::NAN))
    };
    let [first, second] = rows.each_ref().map(errors);
    let share = [0, 1, 2].map(|which| first[which] / second[which]);
    if as_json {
        for (clock, requests, judged) in rows {
            println!("{}", json!({"type": "clock", "clock": clock, "requests": requests, "judged": judged}));
        }
        println!("{}", json!({"type": "ratio", "p50": share[0], "p99": share[1], "rms": share[2]}));
        return;
    }
    let clock = |row: &Row| {
        let (clock, requests, judged) = row;
        format!("{clock} | {requests} | {} | {}", judged.reads, errors(row).map(ms).join(" | "))
    };
    let last = format!("ratio |  |  | {}", share.map(ratio).join(" | "));
    let lines = rows.iter().map(clock).chain([last]);
    println!("{}", table::plain("clock | requests | reads | p50 ms | p99 ms | rms ms", lines, false));
}
