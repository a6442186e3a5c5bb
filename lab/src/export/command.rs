//! `lab export`: recordings as a trace.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use netclock::Config;

use super::perfetto::{self, Session};
use crate::inspect::look::Look;
use crate::recording::{Recording, Stretch};

/// Writes recorded sessions as a trace for Perfetto (ui.perfetto.dev)
///
/// The trace shows client and server on one timeline, the server's clock, by the offset that was measured. It has the four stamps
/// of each exchange with arrows between them, the bound, the expected error and the rate as counters, and the clock's events.
/// Recordings of several clients of one server become one trace.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Recorded sessions, as `lab sync --record` or a tap writes them
    #[arg(value_name = "FILE.csv", required = true)]
    recordings: Vec<PathBuf>,
    #[command(flatten)]
    stretch: Stretch,
    /// Where to write the trace
    #[arg(long, value_name = "OUT.pftrace")]
    perfetto: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let sessions: Result<Vec<Session>> = args
        .recordings
        .iter()
        .map(|path| {
            let Recording { exchanges: recorded, announced } = Recording::read(path, args.stretch)?;
            let name = path.display().to_string();
            let look = Look::new(name, &Config::default(), &recorded, &announced, None)?;
            Ok(Session { look, recorded })
        })
        .collect();
    let shown = args.perfetto.display();
    let mut trace = Vec::new();
    perfetto::write(&sessions?, &mut trace)?;
    let file = File::create(&args.perfetto)
        .with_context(|| format!("cannot write {shown}; give a file in a directory that exists"))?;
    let mut file = BufWriter::new(file);
    file.write_all(&trace).and_then(|()| file.flush()).with_context(|| format!("cannot write {shown}"))?;
    println!("{shown}: open it at https://ui.perfetto.dev, which reads it on this machine.");
    Ok(ExitCode::SUCCESS)
}
