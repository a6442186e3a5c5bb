use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock::Span;
use serde_json::{Value, json};

use super::asked::Asked;
use super::counts::Counts;
use super::server::Server;
use super::source::Disciplined;
use crate::net::address;
use crate::net::clock::{self, Frames};
use crate::net::key_file;
use crate::net::lifetime::Lifetime;
use crate::net::script::{Kind, Part, Script};
use crate::report::words::{program, say};

/// Answers NetClock requests over UDP with the time since the server's start
///
/// The server also publishes its UTC and its world. It runs until Ctrl-C, or for --seconds.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Address and port to listen on; port 0 chooses a free one, and [::] means all IPv4 and IPv6 addresses
    #[arg(long, value_name = "ADDR:PORT", default_value = "[::]:7117", value_parser = address::listening)]
    bind: SocketAddr,
    /// Also serve a world, which pauses from second 4 to 6 and slows down from second 9 to 12 (see `lab sync
    /// --world`)
    #[arg(long)]
    world: bool,
    /// Time source
    ///
    /// monotonic: the time since the start. chrony: the machine's clock as disciplined by chrony, in seconds
    /// since 1970 (UTC, without leap seconds). The clients' bounds then include chrony's error, and servers
    /// with the same --timescale can replace each other. Configure chrony to smear leap seconds (leapsecmode
    /// slew) and to slew gently (maxslewrate 100). A step of the clock begins a new epoch.
    #[arg(long, value_enum, default_value_t = TimeSource::Monotonic, conflicts_with = "world")]
    time_source: TimeSource,
    /// Identifier of the timescale that a fleet of servers shares
    #[arg(long, value_name = "HEX", value_parser = hexadecimal, default_value = "5543")]
    timescale: u64,
    /// Address or socket path of chronyd's command port, if it is not the default
    #[arg(long, value_name = "ADDR|PATH")]
    chrony_host: Option<String>,
    /// Error of the reference clock that chrony follows, in microseconds
    ///
    /// Chrony assumes that a reference clock has no error.
    #[arg(long, value_name = "US", value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    reference_error_us: Option<u32>,
    /// Error of this machine's UTC in microseconds, if known
    ///
    /// Clients show the server's UTC. Its error is unbounded without this option or --time-source chrony.
    #[arg(long, value_name = "US", value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    utc_error_us: Option<u32>,
    /// Answer only clients with a key from this file
    ///
    /// `lab keys N` writes one. Each line has an id (a number) and a secret (32 hexadecimal digits). Make the
    /// file readable only by you.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Poll for requests this often per second, like a game loop, instead of timestamping them on arrival
    #[arg(long, value_name = "N", conflicts_with = "key_file",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    fps: Option<u32>,
    #[command(flatten)]
    lifetime: Lifetime,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// The source of the server's time.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum TimeSource {
    Monotonic,
    Chrony,
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16).map_err(|_| "give up to 16 hexadecimal digits".to_owned())
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let (stop, _parent) = args.lifetime.begin()?;
    let keys = args.key_file.as_deref().map(key_file::read).transpose()?;
    let disciplined = disciplined(args)?;
    let socket = address::bind(args.bind)?;
    let bound = socket.local_address().context("cannot find the server's address")?;
    let world = args.world.then(world).transpose()?;
    let mut server = Server::new(socket, world)?;
    server.disciplined = disciplined;
    server.frames = args.fps.map(Frames::new);
    server.utc_error = args.utc_error_us.map(|us| Span::from_micros(us.into()));
    if let Some(keys) = keys {
        server.require(keys)?;
    }
    print_start(args, bound, &server);
    let start = server.clock.start;
    loop {
        server.step()?;
        let now = clock::now();
        if args.lifetime.is_over(start) || stop.is_set() {
            let (age, counts) = (now - start, server.counts());
            say(args.json, || fields(age, &counts), || words(age, &counts))?;
            return Ok(ExitCode::SUCCESS);
        }
    }
}

fn world() -> Result<Script> {
    let part = |kind, at, length| Part { kind, at: Span::from_secs(at), length: Span::from_secs(length) };
    Script::new(vec![part(Kind::Pause, 4, 2), part(Kind::Slow, 9, 3)])
}

fn disciplined(args: &Args) -> Result<Option<Disciplined>> {
    if args.time_source == TimeSource::Monotonic {
        return Ok(None);
    }
    let told = args.reference_error_us.map(|us| Span::from_micros(us.into()));
    let chrony = Asked::new(args.chrony_host.clone(), told)?;
    Ok(Some(Disciplined::new(args.timescale, chrony)))
}

fn print_start(args: &Args, bound: SocketAddr, server: &Server) {
    if args.json {
        let start = server.clock.start.ticks();
        let epoch = format!("{:#018x}", server.epoch());
        let mut serving = json!({
            "type": "serving", "address": bound, "epoch": epoch, "start_ticks": start, "world": args.world,
        });
        if let Some(disciplined) = &server.disciplined {
            serving["chrony"] = disciplined.chrony.fields();
        }
        println!("{serving}");
        return;
    }
    let what =
        if server.disciplined.is_some() { "this machine's clock" } else { "the time since this start" };
    println!("Serving {what} on {bound}, epoch {:#018x}.", server.epoch());
    if let Some(disciplined) = &server.disciplined {
        println!("{}", disciplined.chrony.words());
    }
    let mut options = if args.world { " --world".to_owned() } else { String::new() };
    if let Some(file) = &args.key_file {
        // Clients use the first key in their file, so each client needs a file with its own key.
        options += &format!(" --key-file {}", file.display());
    }
    let port = bound.port();
    let lab = program();
    println!("Clients: {lab} sync HOST:{port}{options}; on this machine --judge shows their true error.");
    println!("Ctrl-C ends.");
}

fn fields(age: Span, counts: &Counts) -> Value {
    let mut fields = json!(counts);
    (fields["type"], fields["seconds"]) = ("summary".into(), age.as_secs_f64().into());
    fields
}

fn words(age: Span, counts: &Counts) -> String {
    let Counts { answered, published, players, unsent, malformed: bad, unkeyed } = counts;
    let seconds = age.as_secs_f64();
    let mut words = format!(
        "{seconds:.0} s: {answered} requests answered ({:.1}/s)",
        *answered as f64 / seconds.max(1e-3)
    );
    for (what, reasons) in [("ignored", bad), ("not answered", unkeyed)] {
        let listed: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{} {count}", reason.replace('_', " "))).collect();
        if !listed.is_empty() {
            words += &format!(", {} {what} ({})", reasons.values().sum::<u64>(), listed.join(", "));
        }
    }
    if *published > 0 {
        words += &format!(", {published} world segments published, {players} clients follow it");
    }
    if *unsent > 0 {
        words += &format!(", {unsent} replies not sent");
    }
    words
}
