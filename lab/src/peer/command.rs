//! `lab peer`: a peer that shares a clock through a relay, or a simulation of three.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use netclock::peer::{MESSAGE_MOST, Peer, PeerError, PeerReading, PeerStage, Role};
use netclock::{Config, LocalTime, Span};
use serde_json::json;

use super::line::Line;
use super::simulation;
use crate::net::address;
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::key_file;
use crate::net::lifetime::Lifetime;
use crate::net::random_seed;
use crate::report::exit::{FAULT, NO_SERVER, verdict};
use crate::report::options::number;
use crate::report::table;
use crate::report::words::{ms, say};
use netclock_sim::measure::account::Account;

/// Shares one clock with other peers of a game, through a relay (`lab relay`)
///
/// Prints the shared time and its difference from the machine's clock. All peers on one machine show the same
/// difference, within their bounds. Exits with 1 if the shared time ran backwards, and with 3 if there never
/// was one.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Host and port of the relay
    #[arg(long, value_name = "HOST:PORT", required_unless_present = "simulate")]
    relay: Option<String>,
    /// Number of the game
    #[arg(long, value_name = "ID", default_value_t = 1)]
    game: u64,
    /// Use the first key of this file (`lab relay --key-file`)
    #[arg(long, value_name = "FILE", requires = "relay")]
    key_file: Option<PathBuf>,
    /// Rate error of this peer's clock, in ppm (-1000 to 1000), positive if fast
    #[arg(long, value_name = "PPM", default_value_t = 0.0, allow_negative_numbers = true,
          value_parser = number(-1e3, 1e3))]
    ppm: f64,
    #[command(flatten)]
    lifetime: Lifetime,
    /// Print JSON, one object per line, ten lines a second
    #[arg(long)]
    json: bool,
    /// Simulate three peers on links of 25 ms with 4 ms of jitter, and print their differences
    #[arg(long)]
    simulate: bool,
    /// Number of seeds of the simulation
    #[arg(long, value_name = "N", default_value_t = 5, requires = "simulate",
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.relay {
        Some(relay) if !args.simulate => take_part(args, relay),
        _ => simulate(args),
    }
}

fn simulate(args: &Args) -> Result<ExitCode> {
    let rows = simulation::suite(1..1 + args.seeds)?;
    if args.json {
        println!("{:#}", json!(rows));
    } else {
        println!(
            "Three peers, 120 s after 10 s, 25 ms and 4 ms of jitter each way to the relay, {} seeds; errors \
             in ms\n",
            args.seeds
        );
        let cells = |row: &simulation::Row| {
            let figures = [row.bias_ms, row.p50_ms, row.p99_ms, row.bound_ms, row.trimmed_mean_p99_ms];
            format!("{} | {}", row.name, figures.map(ms).join(" | "))
        };
        let header = "the relay | bias | p50 | p99 | bound | trimmed_mean p99";
        println!("{}", table::plain(header, rows.iter().map(cells), false));
        println!("trimmed_mean: the published system's clock on the same exchanges");
    }
    let broken =
        rows.iter().any(|row| row.backwards > 0 || row.steps > 0 || (row.is_honest && row.outside > 0));
    Ok(verdict(!broken))
}

fn take_part(args: &Args, relay: &str) -> Result<ExitCode> {
    let (stop, _) = args.lifetime.begin()?;
    let (relay, key) = (address::resolve(relay)?, args.key_file.as_deref().map(key_file::first).transpose()?);
    let mut line = Line::to(relay, key)?;
    let mut peer = Peer::new(Config::default(), args.game, random_seed()?)?;
    // The origin and the rate differ from the machine's clock, as they would on a different machine.
    let origin = i64::from(getrandom::u32()?) * 1_000_000;
    let own = SkewedClock::new(LocalTime::from_ticks(origin), args.ppm);
    let mut view = View { json: args.json, ..View::default() };
    let start = clock::now();
    let mut message = [0; MESSAGE_MOST];
    while !stop.is_set() && !args.lifetime.is_over(start) {
        line.receive(|bytes, at| {
            if let Err(PeerError::Rejected(why)) = peer.receive(bytes, own.at(at)) {
                eprintln!("lab: refused by the relay: {why:?}");
            }
        });
        let now = own.at(clock::now());
        peer.tick(now)?;
        while let Some(size) = peer.next_message(own.at(clock::now()), &mut message) {
            line.send(&message[..size]);
        }
        let machine = clock::now();
        view.show(machine, &peer.read(own.at(machine)));
    }
    peer.leave();
    while let Some(size) = peer.next_message(own.at(clock::now()), &mut message) {
        line.send(&message[..size]);
    }
    Ok(view.end())
}

/// What the peer displays, and its faults.
#[derive(Default)]
struct View {
    json: bool,
    due: Option<MachineTime>,
    account: Account,
    epoch: u32,
    played: bool,
}

impl View {
    fn show(&mut self, now: MachineTime, reading: &PeerReading) {
        self.account.goes_back(reading.epoch, reading.time.ticks());
        self.epoch = reading.epoch;
        self.played |= reading.stage == PeerStage::Playing;
        if self.due.is_some_and(|due| now < due) {
            return;
        }
        self.due = Some(now + if self.json { Span::from_millis(100) } else { Span::from_secs(1) });
        let PeerReading { stage, role, players, time, error_bound, authority, epoch, .. } = reading;
        let fields = || {
            json!({
                "type": "read", "machine": now.ticks(), "stage": format!("{stage:?}"),
                "role": role.map(|role| format!("{role:?}")), "players": players,
                "time": time.ticks(), "bound": error_bound.ticks(),
                "expected": reading.expected_error.ticks(), "inherited": reading.inherited.ticks(),
                "authority": format!("{authority:016x}"), "epoch": epoch,
                "round_trip": reading.round_trip.ticks(), "backwards": self.account.backwards,
            })
        };
        let words = || {
            let role = match role {
                None => "no slot",
                Some(Role::Primary) => "primary",
                Some(Role::Secondary) => "secondary",
            };
            let is_bound = *error_bound != Span::MAX;
            let bound = if is_bound { format!("± {error_bound}") } else { "unbounded".to_owned() };
            let stage = format!("{stage:?}").to_lowercase();
            let off = Span::from_ticks(time.ticks() - now.ticks()).as_secs_f64();
            let (shared, authority) = (time.as_secs_f64(), authority >> 48);
            format!(
                "{role:9} {stage:8} {players} peers  shared {shared:9.3} s  {bound}  off the machine's clock \
                 by {off:.4} s  authority {authority:04x}"
            )
        };
        // The output is closed, but other peers may need this one.
        let _ = say(self.json, fields, words);
    }

    fn end(&self) -> ExitCode {
        let View { account: Account { backwards, .. }, epoch, played, .. } = self;
        let fields = || json!({"type": "summary", "backwards": backwards, "epoch": epoch, "played": played});
        let _ = say(self.json, fields, || format!("{backwards} backward steps, epoch {epoch}"));
        match (backwards, played) {
            (1.., _) => ExitCode::from(FAULT),
            (_, false) => ExitCode::from(NO_SERVER),
            _ => ExitCode::SUCCESS,
        }
    }
}
