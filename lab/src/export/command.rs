//! `lab export`: recordings as a trace.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use netclock::Config;

use super::perfetto::{Client, Trace};
use crate::inspect::look::Look;
use crate::recording::{Recording, Stretch};
use crate::report::file;

/// Writes recorded sessions as a trace for Perfetto (ui.perfetto.dev)
///
/// The trace shows client and server on one timeline, the server's clock, by the offset that was measured. It
/// has the four stamps of each exchange with arrows between them, the bound, the expected error and the rate
/// as counters, and the clock's events. Recordings of several clients of one server become one trace.
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
    let look = |path: &PathBuf| {
        let recording = Recording::read(path, args.stretch)?;
        Look::new(path.display().to_string(), &Config::default(), recording, None)
    };
    let looks = args.recordings.iter().map(look).collect::<Result<Vec<Look>>>()?;
    let mut trace = Trace::begin(Vec::new(), earliest(&looks)?, &looks)?;
    for (number, look) in (1..).zip(&looks) {
        trace.add(&mut Client::new(number), look)?;
    }
    file::write(&args.perfetto, &trace.end()?)?;
    println!(
        "{}: open it at https://ui.perfetto.dev, which reads it on this machine.",
        args.perfetto.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// The time of the first event (ticks).
fn earliest(looks: &[Look]) -> Result<i64> {
    let (mut run, mut earliest) = (None, i64::MAX);
    for look in looks {
        let mut client = Client::new(1);
        let begin = client.earliest(look);
        let (Some(first), Some(begin)) = (client.first_run(), begin) else {
            bail!("{} has no accepted exchange, so nothing is known of its offset", look.name)
        };
        ensure!(
            *run.get_or_insert(first) == first,
            "the recordings begin with different runs of a server's clock; export those of one server \
             together"
        );
        earliest = earliest.min(begin);
    }
    Ok(earliest)
}
