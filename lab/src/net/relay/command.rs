//! `lab relay`: a relay between peers that share a clock.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::hub::{Counts, Hub};
use crate::net::address;
use crate::net::clock;
use crate::net::key_file;
use crate::net::lifetime::Lifetime;
use crate::report::options::seed;
use crate::report::words::{program, say};

/// Forwards messages between peers that share one clock (`lab peer`)
///
/// The relay does not have its own clock. The first peer of a game is the primary; if it is lost, another
/// peer becomes the primary. With --hold, the relay deliberately delays messages. This does not harm the
/// clocks, because it reports the delays.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Address and port to listen on; port 0 chooses a free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "0.0.0.0:7118", value_parser = address::listening)]
    listen: SocketAddr,
    /// Hold each message for a random time, in ms
    #[arg(long, value_name = "LEAST..MOST", default_value = "0..0", value_parser = range)]
    hold: (f64, f64),
    /// Accept only peers with a key from this file, as in `lab serve`
    ///
    /// The relay opens each message and seals it with the receiving peer's key.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    #[command(flatten)]
    lifetime: Lifetime,
    /// Seed of the holds
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

fn range(text: &str) -> Result<(f64, f64)> {
    let (least, most) = text.split_once("..").with_context(|| format!("`{text}` is not LEAST..MOST"))?;
    let (least, most): (f64, f64) = (least.parse()?, most.parse()?);
    ensure!(
        (0.0..=10_000.0).contains(&least) && (least..=10_000.0).contains(&most),
        "give 0..0 to 10000..10000"
    );
    Ok((least, most))
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let (stop, _) = args.lifetime.begin()?;
    let keys = args.key_file.as_deref().map(key_file::sessions).transpose()?;
    let mut hub = Hub::start(args.listen, (args.hold, args.seed), keys)?;
    let bound = hub.socket.local_address().context("cannot find the relay's address")?;
    let words = || {
        let port = bound.port();
        format!(
            "Relaying between peers on {bound}. Peers: {} peer --relay HOST:{port} --game N. Ctrl-C ends.",
            program()
        )
    };
    say(args.json, || json!({"type": "relaying", "address": bound}), words)?;
    let start = clock::now();
    while !stop.is_set() && !args.lifetime.is_over(start) {
        hub.step();
    }
    let Counts { received, unkeyed, refused, sent } = hub.counts;
    let fields = || {
        let mut summary = json!(hub.counts);
        summary["type"] = "summary".into();
        summary
    };
    let words =
        || format!("{received} messages received, {unkeyed} without a key, {refused} refused; {sent} sent");
    say(args.json, fields, words)?;
    Ok(ExitCode::SUCCESS)
}
