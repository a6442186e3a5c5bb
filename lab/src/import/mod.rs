//! Creates recordings from exchanges logged by other programs.

pub mod command;
pub mod format;
mod lines;
pub mod number;

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::recording::{Recording, Stretch, VERSION};
use format::Format;
use number::{Units, units};

#[derive(clap::Args, Clone, Debug, Default)]
pub struct Reading {
    /// The format of the files [default: detected]
    #[arg(long = "as", value_name = "FORMAT")]
    format: Option<Format>,
    /// Unit of the numbers, or units of times and durations, such as "s,ms" [default: from the header]
    #[arg(long, value_name = "UNIT[,UNIT]", value_parser = units)]
    unit: Option<Units>,
}

/// Reads a recording, and returns it together with notes for the user.
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
    let (mut recording, mut notes) = found.with_context(|| shown.to_owned())?;
    let exchanges = &mut recording.exchanges;
    ensure!(!exchanges.is_empty(), "{shown}: no exchanges found, read as {}", format.name());
    exchanges.sort_by_key(|it| it.sample.client_received);
    notes.insert(0, format!("{shown}: read as {}, {} exchanges", format.name(), exchanges.len()));
    Ok((stretch.cut(recording)?, notes))
}

#[cfg(test)]
mod tests;
