//! `lab sync`: a UDP client.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use netclock::authority::Authority;
use netclock::timeline::{TimelineConfig, WorldReading};
use netclock::utc::UtcReading;
use netclock::{Config, Earlier, LocalTime, RateHint, Reading, ServerTime, Span, State, TICKS_PER_SECOND};
use serde_json::{Value, json};

use super::beats::Beats;
use super::broadcast::Broadcast;
use super::client::{Session, TakingPart, Traffic};
use super::events::{Described, describe, describe_pause, describe_utc, state_name};
use super::judge::Judge;
use super::state::StateFile;
use super::taking_part::StartNews;
use crate::game::follower::Follower;
use crate::live::address::{self as live, LiveAddress};
use crate::net::address;
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::key_file;
use crate::net::lifetime::Stop;
use crate::recording::Recorder;
use crate::report::date::date;
use crate::report::exit::{FAULT, NO_SERVER};
use crate::report::words::{finite_ms, say};
use netclock_sim::measure::last_read::LastRead;

/// Time between lines.
const LINE_EVERY: Span = Span::from_secs(1);
/// Longest wait for the first reply.
const PATIENCE: Span = Span::from_secs(5);
/// Longest wait for the first reply, if the network reports that nobody listens at the server.
const PATIENCE_REFUSED: Span = Span::from_secs(2);

/// Follows a server's clock and prints the time that it shows
///
/// Exits with 3 if no server answered. Exits with 1 if the clock or the world's clock went backwards.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Host and port of the server
    #[arg(value_name = "HOST:PORT")]
    server: String,
    /// Another server to use when the one before is gone; repeat for several
    ///
    /// If it shows the same timescale (`lab serve --time-source chrony`), the clock continues without a step.
    #[arg(long, value_name = "HOST:PORT")]
    next: Vec<String>,
    /// How long to follow the server, in seconds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Show the time of the server's world too (`lab serve --world`)
    #[arg(long)]
    world: bool,
    /// Take part in the server's starts (`lab serve --start-every`): all who do start at one instant of the
    /// server's time
    #[arg(long)]
    start: bool,
    /// Use the first key of this file (`lab serve --key-file`)
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// How far this machine's clock may err in its rate, in ppm
    ///
    /// The clock that is read is one that no time service slews.
    #[arg(long, value_name = "X", default_value_t = Config::default().client_drift_ppm)]
    client_drift_ppm: f64,
    /// How far the server's clock may err in its rate, in ppm; more than 500 if a time service may slew it
    #[arg(long, value_name = "X", default_value_t = Config::default().server_drift_ppm)]
    server_drift_ppm: f64,
    /// Begin with what earlier sessions left in this file, and leave it what this one learned
    ///
    /// It keeps the rate of this machine's crystal, and beside it that of each server, under the name given
    /// here. A file that is wrong costs no more than none. With --next it is only read.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Tell the clock what the system knows of its crystal's rate
    #[arg(long)]
    hint: bool,
    /// Show the true error of each read, if this machine runs the server too (`lab serve`)
    ///
    /// Both read one kernel clock, and so one crystal, which makes the job easier than between machines.
    /// `lab impair` makes it harder. Exits with 1 if a read was outside its bound.
    #[arg(long)]
    judge: bool,
    /// Leave requests unmarked
    ///
    /// Otherwise they have DSCP 45 (RFC 9956), so that bottlenecks with a queue for such packets let them
    /// pass full ones. Where marked ones are dropped, that is noticed and said, and the mark removed. Not on
    /// Windows.
    #[arg(long)]
    no_mark: bool,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Serve a page for browsers that shows the clock as it runs
    ///
    /// PORT is for browsers on this machine only. With ADDR:PORT, everybody who reaches it can watch.
    #[arg(long, value_name = "PORT|ADDR:PORT", num_args = 0..=1, default_missing_value = live::DEFAULT)]
    live: Option<LiveAddress>,
    /// Write every exchange to a file, for `lab report`
    #[arg(long, value_name = "FILE.csv")]
    record: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut server = address::resolve(&args.server)?;
    let next: Result<Vec<SocketAddr>> = args.next.iter().map(|next| address::resolve(next)).collect();
    let mut next = next?.into_iter();
    let stop = Stop::on_ctrl_c()?;
    let start = clock::now();
    let clock = SkewedClock::new(LocalTime::from_ticks(start.ticks()), 0.0);
    let config = Config {
        client_drift_ppm: args.client_drift_ppm,
        server_drift_ppm: args.server_drift_ppm,
        client_rate: if args.hint { netclock::rate_hint() } else { RateHint::default() },
        ..Config::default()
    };
    let mut state = args.state.as_ref().map(|file| StateFile::open(file, &args.server)).transpose()?;
    let earlier = state.as_ref().map_or(Earlier::NONE, |state| state.earlier(calendar()));
    let mut session = Session::new(server, clock, config, &earlier)?;
    if args.no_mark {
        session.leave_unmarked();
    }
    if let Some(file) = &args.key_file {
        session.use_key(key_file::first(file)?)?;
    }
    if let Some(file) = &args.record {
        session.record(Recorder::create(file)?)?;
    }
    session.follower = args.world.then(|| Follower::new(TimelineConfig::default())).transpose()?;
    session.starts = args.start.then(TakingPart::new).transpose()?;
    session.judge = args.judge.then(|| Judge::new(start)).transpose()?;
    let mut out = Output {
        json: args.json,
        world: args.world,
        judge: args.judge,
        has_utc: [false; 2],
        heads: String::new(),
    };
    let mut live =
        args.live.map(|address| Broadcast::start(address, &args.server, start, args.judge)).transpose()?;
    out.start(server)?;
    if let Some(live) = &live {
        out.live(&live.url())?;
    }
    let mut beats = Beats::every_second()?;
    if state.is_some() || args.hint {
        out.known(session.client.run(|client| client.used_saved()), config.client_rate)?;
    }
    let mut followed = Followed::default();
    let mut next_line = start;
    loop {
        session.step()?;
        let (machine, reading) = session.read();
        let age = machine - start;
        let world = session.read_world(&reading);
        followed.add(&reading, world.as_ref());
        let error = session.judge.as_mut().map(|judge| judge.error(machine, &reading)).transpose()?.flatten();
        let told = std::iter::from_fn(|| session.next_event()).map(|event| describe(&event));
        let mut told: Vec<Described> = told.collect();
        told.extend(session.pause.take().map(describe_pause));
        told.extend(session.utc_change.take().as_ref().and_then(describe_utc));
        told.extend(session.take_mark_dropped());
        told.extend(session.take_start_news().iter().map(StartNews::described));
        for described in &told {
            out.event(age, described)?;
        }
        if let Some(live) = &mut live {
            told.iter().for_each(|described| live.event(machine, described));
            live.reading(machine, &reading, error);
            if let Some(beat) = beats.passed(machine, &reading) {
                live.beat(machine, beat);
            }
        }
        if !session.is_synced() && gave_up(age, session.traffic()) {
            eprintln!("lab: {}", nobody(server, age, session.traffic(), args.key_file.is_some()));
            return Ok(ExitCode::from(NO_SERVER));
        }
        if session.is_synced() && machine >= next_line {
            let utc = session.utc.read(&reading).ok();
            let authority = session.authority();
            out.reading((age, machine), &reading, error, authority, world.as_ref(), utc.as_ref())?;
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
    if let Some(live) = live {
        live.end(followed.reads, followed.backwards);
    }
    session.end_recording()?;
    // After a turn to another server the state would be that of two.
    if let (Some(state), true) = (&mut state, args.next.is_empty()) {
        let saved = session.client.run(|client| client.save(calendar()));
        saved.map_or(Ok(()), |saved| state.keep(&saved))?;
    }
    let (machine, reading) = session.read();
    let judge = session.judge.as_ref();
    out.summary(machine - start, &reading, session.authority(), &followed, judge, session.traffic())?;
    if !session.is_synced() {
        eprintln!("lab: {}", nobody(server, machine - start, session.traffic(), args.key_file.is_some()));
        return Ok(ExitCode::from(NO_SERVER));
    }
    let is_outside = judge.is_some_and(|judge| judge.outside() > 0);
    Ok(if followed.backwards > 0 || is_outside { ExitCode::from(FAULT) } else { ExitCode::SUCCESS })
}

/// Seconds of the calendar that ages of states are counted in.
fn calendar() -> i64 {
    clock::wall_ticks() / TICKS_PER_SECOND
}

fn gave_up(age: Span, traffic: Traffic) -> bool {
    age >= if traffic.refused > 0 { PATIENCE_REFUSED } else { PATIENCE }
}

fn nobody(server: SocketAddr, age: Span, traffic: Traffic, is_keyed: bool) -> String {
    let (seconds, Traffic { requests, malformed, .. }) = (age.as_secs_f64(), traffic);
    if traffic.refused > 0 {
        return format!(
            "connection refused: nothing listens at {server} (asked {requests} times in {seconds:.1} s). Is \
             `lab serve` running there, on that port?"
        );
    }
    let strange =
        format!(" {malformed} datagrams came back that are no NetClock replies: is that another service?");
    let strange = if malformed > 0 { &strange } else { "" };
    let key = if is_keyed { "that the server has this key" } else { "that the server asks for no key" };
    format!(
        "no reply from {server} to {requests} requests in {seconds:.1} s.{strange} Check the host and the \
         port, that `lab serve` runs there, {key}, and that firewalls let UDP through in both directions."
    )
}

/// What the reads of the clock showed.
#[derive(Default)]
struct Followed {
    reads: u64,
    backwards: u64,
    last: LastRead,
    last_world: LastRead,
    best_bound: Option<Span>,
}

impl Followed {
    fn add(&mut self, reading: &Reading, world: Option<&WorldReading>) {
        if let Some(world) = world {
            self.backwards += u64::from(self.last_world.goes_back(world.epoch, world.world.ticks()));
        }
        if reading.state == State::Unsynced {
            return;
        }
        self.reads += 1;
        self.backwards += u64::from(self.last.goes_back(reading.epoch, reading.server_time.ticks()));
        self.best_bound =
            Some(self.best_bound.map_or(reading.error_bound, |best| best.min(reading.error_bound)));
    }
}

struct Output {
    json: bool,
    world: bool,
    judge: bool,
    /// Something was known of the server's UTC, and of its bound: columns stay once they are there.
    has_utc: [bool; 2],
    /// The heads that were printed last.
    heads: String,
}

/// A column: its head, its width, and the cell of a line.
type Column = (&'static str, usize, String);

impl Output {
    fn start(&self, server: SocketAddr) -> io::Result<()> {
        say(self.json, || json!({"type": "start", "server": server}), || format!("Following {server}."))
    }

    /// What is known of the rate at the start.
    fn known(&self, (machine, server): (bool, bool), hint: RateHint) -> io::Result<()> {
        let RateHint { ppm, doubt_ppm } = hint;
        let known = json!({
            "type": "known", "machine": machine, "server": server, "ppm": ppm, "doubt_ppm": doubt_ppm,
        });
        let words = || {
            let word = |is_known| if is_known { "known" } else { "not known" };
            let of_system = format!(
                "The system says that this clock runs {ppm:+.2} ppm fast, give or take {doubt_ppm}.\n"
            );
            format!(
                "{}From earlier sessions: this machine is {}, the server is {}.",
                if doubt_ppm > 0.0 { of_system } else { String::new() },
                word(machine),
                word(server)
            )
        };
        say(self.json, || known, words)
    }

    fn live(&self, url: &str) -> io::Result<()> {
        say(self.json, || json!({"type": "live", "url": url}), || format!("Live page: {url}"))
    }

    fn turn(&self, age: Span, server: SocketAddr) -> io::Result<()> {
        let seconds = age.as_secs_f64();
        let words = || format!("{seconds:7.2}  the server does not answer any more: turning to {server}");
        say(self.json, || json!({"type": "turn", "seconds": seconds, "server": server}), words)
    }

    fn event(&self, age: Span, described: &Described) -> io::Result<()> {
        let seconds = age.as_secs_f64();
        let fields = || of_type("event", seconds, json!(described));
        say(self.json, fields, || format!("{seconds:7.2}  {}: {}", described.event, described.meaning))
    }

    fn reading(
        &mut self,
        (age, machine): (Span, MachineTime),
        reading: &Reading,
        error: Option<Span>,
        authority: Option<Authority>,
        world: Option<&WorldReading>,
        utc: Option<&UtcReading>,
    ) -> io::Result<()> {
        let seconds = age.as_secs_f64();
        let bound = utc.and_then(|utc| finite_ms(utc.error_bound));
        self.has_utc = [self.has_utc[0] || utc.is_some(), self.has_utc[1] || bound.is_some()];
        if !self.json {
            let columns = self.columns(seconds, reading, error, authority, world, utc);
            return self.line(&columns, state_name(reading.state));
        }
        let mut value = fields(reading, authority);
        // If the server shows the wall clock of this machine, this is the error.
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

    fn columns(
        &self,
        seconds: f64,
        reading: &Reading,
        error: Option<Span>,
        authority: Option<Authority>,
        world: Option<&WorldReading>,
        utc: Option<&UtcReading>,
    ) -> Vec<Column> {
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

    /// Prints a line, below its heads if they are not those that were printed last.
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

    fn summary(
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
        let Followed { reads, backwards, best_bound, .. } = followed;
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
                "{reads} reads, {backwards} backwards; best bound {best_bound} ms; {replies} of {requests} \
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

/// The bound of the shown time against the timescale: the error bound plus the authority's dispersion.
fn in_all(reading: &Reading, authority: Option<Authority>) -> Span {
    authority.map_or(reading.error_bound, |authority| reading.error_bound + authority.dispersion)
}

/// The shown time minus this machine's wall clock.
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
        "version": utc.version,
    })
}

fn shown(span: Span) -> String {
    finite_ms(span).map_or_else(|| "none".to_owned(), |ms| format!("{ms:.3}"))
}
