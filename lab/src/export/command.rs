use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::perfetto::trace;
use crate::recording::{Recording, Stretch};
use crate::report::{Evaluation, file};

/// Writes recorded sessions as a trace for Perfetto (ui.perfetto.dev)
///
/// The trace shows clients and server on a single timeline, the server's clock. It contains the four
/// timestamps of each exchange, connected by arrows, and the clock's events. The bound, the expected error
/// and the rate appear as counters. Recordings from several clients of the same server are combined.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Recorded sessions from `lab sync --record` or a tap
    #[arg(value_name = "FILE.csv", required = true)]
    recordings: Vec<PathBuf>,
    #[command(flatten)]
    stretch: Stretch,
    /// File to write the trace to
    #[arg(long, value_name = "OUT.json")]
    perfetto: PathBuf,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let evaluate = |path: &PathBuf| {
        let recording = Recording::read(path, args.stretch)?;
        Evaluation::of(path.display().to_string(), recording)
    };
    let sessions = args.recordings.iter().map(evaluate).collect::<Result<Vec<Evaluation>>>()?;
    file::write(&args.perfetto, serde_json::to_vec(&trace(&sessions)?)?)?;
    println!("Open {} at https://ui.perfetto.dev, which does not upload it.", args.perfetto.display());
    Ok(ExitCode::SUCCESS)
}
