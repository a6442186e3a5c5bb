//! `lab impair`: forwards datagrams and makes the network bad.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::forwarder::{Direction, Forwarder};
use super::impairment::{Impairment, SETTINGS};
use crate::net::address;
use crate::net::clock;
use crate::net::lifetime::Lifetime;

/// Longest wait for a command.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Forwards UDP between clients and a server over a bad network, for example to try your own game
///
/// Write settings as NAME=NUMBER, separated by commas: delay, jitter, hold (ms), loss, duplicate, reorder,
/// other (%), rate (bytes/s), queue (bytes). To change them while it runs, write lines such as `up delay=65`
/// or `both loss=10` to the standard input.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Address and port for the clients; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
    listen: SocketAddr,
    /// Host and port of the server
    #[arg(long, value_name = "HOST:PORT")]
    to: String,
    /// Settings of both directions, such as delay=25,jitter=6,loss=5,duplicate=2,reorder=2
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    both: String,
    /// Settings from the clients to the server, on top of --both
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    up: String,
    /// Settings from the server to the clients, on top of --both
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    down: String,
    /// Seed of everything random [default: drawn and printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    lifetime: Lifetime,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let both: Impairment = args.both.parse()?;
    let (up, down) = (both.with(&args.up)?, both.with(&args.down)?);
    let seed = match args.seed {
        Some(seed) => seed,
        None => u64::from(getrandom::u32()?),
    };
    let to = address::resolve(&args.to)?;
    let (stop, commands) = args.lifetime.begin_with_commands()?;
    let forwarder = Forwarder::start(args.listen, to, (up, down), seed, &stop)?;
    if args.json {
        println!("{}", json!({"type": "relaying", "address": forwarder.address(), "to": to, "seed": seed}));
    } else {
        println!("Forwarding between {} and {to}, seed {seed}.", forwarder.address());
        println!(
            "  up   {up}\n  down {down}\nChange it by lines such as `up delay=65` ({SETTINGS}). Ctrl-C ends."
        );
    }
    let start = clock::now();
    while !stop.is_set() && !args.lifetime.is_over(start) {
        match commands.recv_timeout(LOOK_UP) {
            Ok(line) if line.trim().is_empty() => {}
            Ok(line) => match forwarder.command(&line) {
                Ok(()) if args.json => println!("{}", json!({"type": "changed", "command": line})),
                Ok(()) => {
                    println!(
                        "  up   {}\n  down {}",
                        forwarder.status(Direction::Up).0,
                        forwarder.status(Direction::Down).0
                    );
                }
                Err(error) => eprintln!("lab: {error:#}"),
            },
            Err(RecvTimeoutError::Timeout) => {}
            // The input has ended: there are no more commands, but it continues to forward.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOOK_UP),
        }
    }
    end(args.json, &forwarder);
    Ok(ExitCode::SUCCESS)
}

fn end(as_json: bool, forwarder: &Forwarder) {
    let directions = [("up", Direction::Up), ("down", Direction::Down)];
    if as_json {
        let mut summary = json!({"type": "summary"});
        for (name, direction) in directions {
            let (settings, counts) = forwarder.status(direction);
            summary[name] = json!({"settings": settings, "counts": counts});
        }
        let summary: Value = summary;
        println!("{summary}");
        return;
    }
    for (name, direction) in directions {
        let counts = forwarder.status(direction).1;
        println!(
            "{name:4} {} came, {} sent; {} lost, {} dropped by the queue, {} copied",
            counts.received, counts.sent, counts.lost, counts.dropped, counts.copied
        );
    }
}
