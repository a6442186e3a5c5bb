//! `lab export`: recordings as a trace.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use netclock::Config;

use super::perfetto::{Client, Trace};
use crate::inspect::windows::Windows;
use crate::recording::Stretch;

/// Writes recorded sessions as a trace for Perfetto (ui.perfetto.dev)
///
/// The trace shows client and server on one timeline, the server's clock, by the offset that was measured. It
/// has the four stamps of each exchange with arrows between them, the bound, the expected error and the rate
/// as counters, and the clock's events. Recordings of several clients of one server become one trace. They
/// may be larger than memory.
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
    let earliest = earliest(args)?;
    let shown = args.perfetto.display();
    // What is wrong with a recording may be far down in it. Until then the trace has another name.
    let mut unfinished = args.perfetto.clone().into_os_string();
    unfinished.push(".part");
    let unfinished = PathBuf::from(unfinished);
    let written = write(args, earliest, &unfinished);
    if written.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    written?;
    std::fs::rename(&unfinished, &args.perfetto).with_context(|| format!("cannot write {shown}"))?;
    println!("{shown}: open it at https://ui.perfetto.dev, which reads it on this machine.");
    Ok(ExitCode::SUCCESS)
}

/// The time of the first event (ticks).
fn earliest(args: &Args) -> Result<i64> {
    let (mut run, mut earliest) = (None, i64::MAX);
    for path in &args.recordings {
        let mut client = Client::new(1);
        let window = Windows::open(path, args.stretch, &Config::default())?.next()?;
        let begin = window.and_then(|window| client.earliest(&window));
        let (Some(first), Some(begin)) = (client.first_run(), begin) else {
            bail!("{} has no accepted exchange, so nothing is known of its offset", path.display())
        };
        ensure!(
            *run.get_or_insert(first) == first,
            "the recordings begin with different runs of a server's clock; export those of one server together"
        );
        earliest = earliest.min(begin);
    }
    Ok(earliest)
}

/// Writes the trace window by window, whatever the size of the recordings.
fn write(args: &Args, earliest: i64, to: &Path) -> Result<()> {
    let shown = args.perfetto.display();
    let file = File::create(to)
        .with_context(|| format!("cannot write {shown}; give a file in a directory that exists"))?;
    let failed = || format!("cannot write {shown}");
    let names: Vec<String> = args.recordings.iter().map(|path| path.display().to_string()).collect();
    let mut trace = Trace::begin(BufWriter::new(file), earliest, &names).with_context(failed)?;
    for (number, path) in (1..).zip(&args.recordings) {
        let mut client = Client::new(number);
        let mut windows = Windows::open(path, args.stretch, &Config::default())?;
        while let Some(window) = windows.next()? {
            trace.add(&mut client, &window).with_context(failed)?;
        }
    }
    trace.end().with_context(failed)?;
    Ok(())
}
