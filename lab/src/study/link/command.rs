//! `lab study link`: real processes over a bad network, over the link and by messages.

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::Result;
use netclock::link::sockets::{LinkServer, ServeConfig};

use super::child::Role;
use super::host::{Ports, Work, server_time};
use super::player::{self, Played, stop_ms};
use crate::net::child::{self, Child};
use crate::net::impair::forwarder::Forwarder;
use crate::net::impair::impairment::Impairment;
use crate::net::lifetime::Stop;
use crate::report::progress::waiting;
use crate::report::words::optional;
use crate::study::output::{Format, Study};

/// Each direction of the relay.
const BAD: &str = "delay=25,jitter=6,loss=5";
/// Errors count after this many seconds.
const FROM: u32 = 30;
/// Longest allowed time for stopping.
const LONGEST_STOP_MS: f64 = 100.0;
/// Clients are at rest after this many seconds.
const AT_REST: f64 = 125.0;

/// Compares the link with messages that wait for frames, in real processes
///
/// A server and its clients are separate processes on this machine that read the same clock, the reference.
/// Clients that use messages have a loop of 60 frames/s, and so has the server. Between them is a relay with
/// 25 ms, 6 ms of jitter and 5 % loss in each direction, or nothing. Exits with 1 if a read was outside its
/// bound, or if stopping took more than 100 ms.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Duration of each client in seconds; the first 30 are ignored
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(32..))]
    seconds: u32,
    /// Also run this many clients simultaneously, and measure the server's thread after second 125
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=60_000))]
    clients: u32,
    /// Also flood the server's link with 100,000 forged, replayed and meaningless datagrams a second
    #[arg(long)]
    flood: bool,
    #[command(flatten)]
    format: Format,
}

/// The ways in which a client gets the time.
struct Case {
    name: &'static str,
    link: bool,
    messages: bool,
    is_bad: bool,
    thread_stamps: bool,
}

const fn case(name: &'static str, link: bool, messages: bool, is_bad: bool, thread_stamps: bool) -> Case {
    Case { name, link, messages, is_bad, thread_stamps }
}

const CASES: [Case; 7] = [
    case("25 ms: messages at 60 frames/s", false, true, true, false),
    case("25 ms: link, kernel stamps", true, false, true, false),
    case("25 ms: link, thread stamps", true, false, true, true),
    case("25 ms: both", true, true, true, false),
    case("loopback: messages at 60 frames/s", false, true, false, false),
    case("loopback: link, kernel stamps", true, false, false, false),
    case("loopback: link, thread stamps", true, false, false, true),
];

pub fn run(args: &Args) -> Result<ExitCode> {
    let stop = Stop::on_ctrl_c()?;
    // An additional client, one of whose requests an attacker has seen.
    let spy = CASES.len() as u32 + args.clients + 1;
    let mut host = start(&Role::Host { keys: spy })?;
    let ports: Ports = host.line()?;
    let local = |port| SocketAddr::from(([127, 0, 0, 1], port));
    let (link, messages) = (local(ports.link), local(ports.messages));
    let bad: Impairment = BAD.parse()?;
    let relay = |to, seed| Forwarder::start(local(0), to, (bad, bad), None, seed, &stop);
    let (bad_link, bad_messages) = (relay(link, 1)?, relay(messages, 2)?);
    let mut players = Vec::new();
    for (id, case) in (1..).zip(&CASES) {
        let plan = player::PlayerConfig {
            link: case.link.then_some(if case.is_bad { bad_link.address } else { link }),
            messages: case.messages.then_some(if case.is_bad { bad_messages.address } else { messages }),
            key: id,
            kernel_stamps: !case.thread_stamps,
            from: FROM,
            seconds: args.seconds,
        };
        players.push((case.name, start(&Role::Player(plan))?));
    }
    let flood = Role::Flood { link, victim: 6, spy, seconds: args.seconds };
    let attack = args.flood.then(|| start(&flood)).transpose()?;
    // Nothing is sent to this server, so only stopping it can end its wait.
    let idle = LinkServer::serve(&ServeConfig { address: local(0), ..ServeConfig::default() }, 1, |now| {
        server_time(now.ticks())
    })?;
    let mut rows: Vec<(&str, Played)> = Vec::new();
    let line = waiting(args.seconds);
    for (name, mut player) in players {
        rows.push((name, player.line()?));
    }
    line.finish_and_clear();
    drop(attack);
    let server_stop_ms = stop_ms(|| idle.stop());
    let mut study = Study::new(args.format);
    print(&mut study, &rows, server_stop_ms);
    if args.clients > 0 {
        study.line(&crowd(args, link, &mut host)?);
    }
    stop.set();
    for (name, it) in &rows {
        study.check(it.judged.is_kept(), || format!("{name}: a read broke a guarantee"));
        study.check(it.stop_ms <= LONGEST_STOP_MS, || format!("{name}: its link took too long to stop"));
    }
    study.check(server_stop_ms <= LONGEST_STOP_MS, || "the server took too long to stop".to_owned());
    Ok(study.end())
}

/// Runs many clients until they are at rest, and then for as long as the others. Returns their cost as a
/// sentence.
fn crowd(args: &Args, link: SocketAddr, host: &mut Child) -> Result<String> {
    let begin: Work = host.latest()?;
    let first = CASES.len() as u32 + 1;
    let seconds = AT_REST as u32 + args.seconds;
    let mut crowd = start(&Role::Crowd { link, keys: first..first + args.clients, seconds })?;
    let mut rested = begin;
    while rested.seconds < begin.seconds + AT_REST {
        rested = host.line()?;
    }
    let mut last = rested;
    while last.seconds < rested.seconds + f64::from(args.seconds) - 1.0 {
        last = host.line()?;
    }
    let linked: usize = crowd.line()?;
    let seconds = (last.seconds - rested.seconds).max(1e-3);
    let answers = (last.answered - rested.answered) as f64 / seconds;
    let used = last.thread_seconds.zip(rested.thread_seconds);
    let used = used.map(|(last, rested)| format!("{:.2} %", 100.0 * (last - rested) / seconds));
    Ok(format!(
        "{linked} of {} clients linked, {answers:.0} answers/s at rest: the server's thread takes {} of a \
         core",
        args.clients,
        used.as_deref().unwrap_or("an unknown share")
    ))
}

fn start(role: &Role) -> Result<Child> {
    Child::start(&child::arguments("link", role)?)
}

/// `server_stop_ms` is the time that an idle server took to stop.
fn print(study: &mut Study, rows: &[(&str, Played)], server_stop_ms: f64) {
    let cells = |(name, played): &(&str, Played)| {
        let Played { judged, link_requests, messages, stamps, thread_percent, .. } = played;
        let us = |ms| optional(ms, |ms| format!("{:.1}", 1e3 * ms));
        let sizes = [judged.p50_ms, judged.p99_ms, judged.max_ms].map(us).join(" | ");
        let (wrong, used) = (
            judged.account.outside + judged.account.backwards,
            optional(*thread_percent, |used| format!("{used:.3}")),
        );
        format!("{name} | {sizes} | {wrong} | {link_requests} | {messages} | {stamps} | {used}")
    };
    let header =
        "client | median us | p99 us | most us | outside | link | messages | stamps | thread, % of a core";
    study.table("", header, rows.iter().map(cells));
    let slowest = rows.iter().map(|row| row.1.stop_ms).fold(0.0, f64::max);
    study.line(&format!(
        "a client's link stopped within {slowest:.1} ms, a server within {server_stop_ms:.1} ms"
    ));
}
