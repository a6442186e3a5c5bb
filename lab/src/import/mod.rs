//! Creates recordings from exchanges logged by other programs.

pub mod command;
pub mod format;
mod lines;
pub mod number;

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::recording::{Recorded, Recording, Stretch, VERSION};
use format::Format;
use number::{Units, units};

/// Timestamps are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamps {
    line: usize,
    client_sent: i64,
    server_received: i64,
    server_sent: i64,
    client_received: i64,
    epoch: Option<u64>,
}

impl Stamps {
    /// The timestamps must be in chronological order.
    fn of_four(line: usize, stamps: [i64; 4]) -> Self {
        let [client_sent, server_received, server_sent, client_received] = stamps;
        Stamps { line, client_sent, server_received, server_sent, client_received, epoch: None }
    }

    fn of_offset(line: usize, received: i64, offset: i64, round_trip: i64) -> Self {
        let client_sent = received.saturating_sub(round_trip);
        let server = client_sent.saturating_add(round_trip / 2).saturating_add(offset);
        Stamps::of_four(line, [client_sent, server, server, received])
    }
}

#[derive(Debug, Default)]
struct Found {
    stamps: Vec<Stamps>,
    round_trips_only: bool,
    notes: Vec<String>,
}

/// Options that determine how files are read.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Reading {
    /// The format of the files [default: detected]
    #[arg(long = "as", value_name = "FORMAT")]
    format: Option<Format>,
    /// Unit of the numbers, or units of times and durations, such as "s,ms" [default: from the header]
    #[arg(long, value_name = "UNIT[,UNIT]", value_parser = units)]
    unit: Option<Units>,
}

/// Also returns notes for the user. Fails if the file is unreadable, its format is unknown or a line is
/// invalid.
pub fn read(path: &Path, stretch: Stretch, how: &Reading) -> Result<(Recording, Vec<String>)> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| {
        format!(
            "cannot open {shown}; give a recording of `lab sync --record` or a tap, or a file that `lab \
             import` reads"
        )
    })?;
    parse(&bytes, &shown, stretch, how)
}

pub fn parse(bytes: &[u8], shown: &str, stretch: Stretch, how: &Reading) -> Result<(Recording, Vec<String>)> {
    // Empty and binary files cause the same error message as invalid recordings.
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    if how.format.is_none() && (text.trim().is_empty() || text.starts_with("# netclock recording")) {
        return Ok((Recording::of_bytes(bytes, shown, stretch)?, Vec::new()));
    }
    let format = how.format.or_else(|| Format::of(text)).with_context(|| {
        format!(
            "{shown}: this is neither a recording (first line \"{VERSION}\") nor a known \
             format; name it with --as: {}",
            Format::names()
        )
    })?;
    let found = lines::read(text, format, how.unit);
    let Found { mut stamps, round_trips_only, mut notes } = found.with_context(|| shown.to_owned())?;
    ensure!(!stamps.is_empty(), "{shown}: no exchanges found, read as {}", format.name());
    stamps.sort_by_key(|it| it.client_received);
    notes.insert(0, format!("{shown}: read as {}, {} exchanges", format.name(), stamps.len()));
    let exchanges = stamps.into_iter().map(recorded).collect();
    let recording = Recording { exchanges, round_trips_only, ..Recording::default() };
    Ok((stretch.cut(recording)?, notes))
}

fn recorded(it: Stamps) -> Recorded {
    let stamps = [it.client_sent, it.server_received, it.server_sent, it.client_received];
    let mut recorded = Recorded::foreign(it.line, stamps);
    recorded.sample.server_epoch = it.epoch;
    recorded
}

#[cfg(test)]
mod tests;
