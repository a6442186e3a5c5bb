use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::forwarder::{Counts, Forwarder};
use super::impairment::{Impairment, SETTINGS};
use super::leg::Played;
use crate::net::address;
use crate::net::clock;
use crate::net::lifetime::{Lifetime, input_lines};
use crate::recorded;
use crate::report::options::{seed, seed_or_random};
use crate::report::words::say;

const LOOK_UP: Duration = Duration::from_millis(50);

/// Forwards UDP between clients and a server over a simulated bad network, for example to test your own game
///
/// Settings are NAME=NUMBER, separated by commas: delay, jitter, hold (ms), loss, duplicate, reorder, other
/// (%), rate (bytes/s), queue (bytes). To change them while it runs, write lines such as `up delay=65` or
/// `both loss=10` to standard input.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Address and port for the clients; port 0 chooses a free one
    #[arg(long, value_name = "ADDR:PORT", value_parser = address::listening)]
    listen: SocketAddr,
    /// Host and port of the server
    #[arg(long, value_name = "HOST:PORT")]
    to: String,
    /// Settings for both directions, such as delay=25,jitter=6,loss=5,duplicate=2,reorder=2
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    both: String,
    /// Settings for the direction from the clients to the server, applied after --both
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    up: String,
    /// Settings for the direction from the server to the clients, applied after --both
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    down: String,
    /// Recorded delays to play in addition to the settings: a name such as real_up_before, or a file of
    /// delays
    #[arg(long, value_name = "NAME|FILE")]
    play: Option<String>,
    /// Random seed [default: random and printed]
    #[arg(long, value_name = "N", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    lifetime: Lifetime,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let both: Impairment = args.both.parse()?;
    let (up, down) = (both.with(&args.up)?, both.with(&args.down)?);
    let seed = seed_or_random(args.seed)?;
    let to = address::resolve(&args.to)?;
    let (stop, commands) = args.lifetime.begin()?;
    let commands = commands.unwrap_or_else(|| input_lines(&stop, false));
    let trace = args.play.as_deref().map(recorded::trace).transpose()?;
    let played = trace.map(|trace| Played::new(trace, seed));
    let forwarder = Forwarder::start(args.listen, to, (up, down), played, seed, &stop)?;
    let address = forwarder.address;
    let fields = || json!({"type": "relaying", "address": address, "to": to, "seed": seed});
    let words = || {
        format!(
            "Forwarding between {address} and {to}, seed {seed}.\n  up   {up}\n  down {down}\nChange it with \
             lines such as `up delay=65` ({SETTINGS}). Ctrl-C ends."
        )
    };
    say(args.json, fields, words)?;
    let start = clock::now();
    while !stop.is_set() && !args.lifetime.is_over(start) {
        match commands.recv_timeout(LOOK_UP) {
            Ok(line) if line.trim().is_empty() => {}
            Ok(line) => match forwarder.command(&line) {
                Ok(()) => {
                    let [up, down] = forwarder.status().map(|way| way.0);
                    let words = || format!("  up   {up}\n  down {down}");
                    say(args.json, || json!({"type": "changed", "command": line}), words)?;
                }
                Err(error) => eprintln!("lab: {error:#}"),
            },
            Err(RecvTimeoutError::Timeout) => {}
            // Forwarding continues after standard input is closed.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOOK_UP),
        }
    }
    end(args.json, &forwarder)?;
    Ok(ExitCode::SUCCESS)
}

fn end(as_json: bool, forwarder: &Forwarder) -> io::Result<()> {
    let ways = forwarder.status();
    let fields = || {
        let [up, down] = ways.map(|(settings, counts)| json!({"settings": settings, "counts": counts}));
        json!({"type": "summary", "up": up, "down": down})
    };
    let words = |(name, (_, counts)): (&str, (Impairment, Counts))| {
        let Counts { received, sent, lost, dropped, copied } = counts;
        format!(
            "{name:4} {received} received, {sent} sent; {lost} lost, {dropped} dropped by queue, {copied} \
             copied"
        )
    };
    say(as_json, fields, || ["up", "down"].into_iter().zip(ways).map(words).collect::<Vec<_>>().join("\n"))
}
