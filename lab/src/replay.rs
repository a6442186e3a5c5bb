//! `lab replay`: checks whether a new client handles a recorded session as the original client did.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;

use crate::recording::{Recording, Stretch};
use crate::report::{Difference, alarm, rerun, verdict};

/// Passes the exchanges of a recorded session to a new client with default settings
///
/// Use a recording from `lab sync --record` or a program with a tap. Exits with 1 if the result of an
/// exchange differs from the recorded result. `lab report` describes the session and compares other clocks,
/// and `lab study bench --trace` uses recorded delays.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The recorded session
    #[arg(long, value_name = "FILE.csv")]
    recording: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    stretch: Stretch,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let recording = Recording::read(&args.recording, args.stretch)?;
    let rerun = rerun(&recording.exchanges, &recording.announced, None)?;
    let (exchanges, accepted, left_out) = (recording.exchanges.len(), rerun.accepted, rerun.left_out);
    if args.json {
        let printed = json!({
            "recording": args.recording, "exchanges": exchanges, "accepted": accepted, "left_out": left_out,
            "differences": rerun.differing, "differing": rerun.differences,
        });
        println!("{}", serde_json::to_string_pretty(&printed).context("a replay is numbers and texts")?);
    } else {
        println!(
            "{exchanges} exchanges, {accepted} accepted, {left_out} skipped (unknown request), {} with a \
             different result than recorded",
            rerun.differing
        );
        for Difference { line, recorded, now } in &rerun.differences {
            println!("{}", alarm(&format!("line {line}: recorded {recorded}, now {now}")));
        }
    }
    Ok(verdict(rerun.differing == 0))
}
