use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};

use super::{Reading, read};
use crate::recording::{Recorder, Recording, Stretch};

/// Creates a recording from exchanges that another program has logged
///
/// Detects ntpd's rawstats and peerstats, chrony's measurements.log and rawmeasurements.log, `ping -D`, and
/// columns of numbers. If a file contains several servers, only the one with the most exchanges is read. The
/// status of each exchange is unknown, and the lines are sorted by arrival.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files of one format, or recordings
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// File to write the recording to
    #[arg(short, long, value_name = "SESSION.csv")]
    output: PathBuf,
    #[command(flatten)]
    how: Reading,
    #[command(flatten)]
    stretch: Stretch,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut all = Recording::default();
    for (number, path) in args.files.iter().enumerate() {
        let (read, notes) = read(path, args.stretch, &args.how)?;
        notes.iter().for_each(|note| println!("{note}"));
        let is_same = number == 0 || read.round_trips_only == all.round_trips_only;
        ensure!(is_same, "{}: some files contain only round trips; import them separately", path.display());
        all.round_trips_only = read.round_trips_only;
        all.exchanges.extend(read.exchanges);
        all.truth.extend(read.truth);
    }
    if args.files.len() > 1 {
        all.exchanges.sort_by_key(|it| it.sample.client_received);
    }
    let mut recorder = Recorder::create(&args.output)?;
    if all.round_trips_only {
        recorder.note_round_trips_only()?;
    }
    all.truth.iter().try_for_each(|it| recorder.add_truth(it))?;
    for it in &all.exchanges {
        if it.has_status { recorder.add(&it.sample)? } else { recorder.add_foreign(&it.sample)? }
    }
    recorder.finish()?;
    println!("{} exchanges in {}", all.exchanges.len(), args.output.display());
    Ok(ExitCode::SUCCESS)
}
