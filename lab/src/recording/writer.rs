use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use netclock::{LocalTime, Sample, Span};

use super::{Announcement, COLUMNS, STATUSES, TrueOffset, UNKNOWN_STATUS, UNKNOWN_TIME, VERSION};

#[derive(Debug)]
pub struct Recorder {
    file: BufWriter<File>,
    shown: String,
}

impl Recorder {
    pub fn create(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let file =
            File::create(path).with_context(|| format!("cannot write {shown}; the directory must exist"))?;
        let mut recorder = Recorder { file: BufWriter::new(file), shown };
        recorder.line(&format!("{VERSION}\n{COLUMNS}"))?;
        Ok(recorder)
    }

    pub fn add(&mut self, sample: &Sample) -> Result<()> {
        let status = STATUSES.iter().find(|status| status.2 == sample.outcome);
        let (status, ..) = status.with_context(|| format!("{sample:?} has no status number"))?;
        self.exchange(&status.to_string(), sample)
    }

    pub fn add_foreign(&mut self, sample: &Sample) -> Result<()> {
        self.exchange(UNKNOWN_STATUS, sample)
    }

    pub fn add_truth(&mut self, truth: &TrueOffset) -> Result<()> {
        let TrueOffset { at, offset, uncertainty } = truth;
        self.line(&format!("truth,{},{},{}", at.ticks(), offset.ticks(), uncertainty.ticks()))
    }

    pub fn note_round_trips_only(&mut self) -> Result<()> {
        self.line("round_trips_only")
    }

    fn exchange(&mut self, status: &str, sample: &Sample) -> Result<()> {
        self.line(&format!(
            "{status},{},{},{},{},{},{},{},{},{}",
            sample.id.map_or(0, |id| id.0),
            sample.server_epoch.unwrap_or(0),
            sample.client_sent.map_or(UNKNOWN_TIME, LocalTime::ticks),
            sample.server_received.ticks(),
            sample.server_sent.ticks(),
            sample.client_received.ticks(),
            u8::from(sample.by_link),
            wait(sample.server_wait),
            wait(sample.client_wait),
        ))
    }

    pub fn announce(&mut self, at: LocalTime, what: &Announcement) -> Result<()> {
        let at = at.ticks();
        let line = match what {
            Announcement::Authority(it) => {
                format!("{at},{},{},{}", it.epoch, it.timescale, it.dispersion.ticks())
            }
            Announcement::Segment(segment) => {
                let bytes = segment.encode().context("a segment from a server is valid")?;
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{at},{digits}")
            }
            Announcement::Start { version, server_epoch, at: start } => {
                format!("{at},{version},{server_epoch},{}", start.map_or(UNKNOWN_TIME, |start| start.ticks()))
            }
            Announcement::Paused { since } => format!("{at},{}", since.ticks()),
            Announcement::Ended => at.to_string(),
        };
        self.line(&format!("{},{line}", what.name()))
    }

    pub fn finish(mut self) -> Result<()> {
        self.file.flush().with_context(|| format!("cannot write {}", self.shown))
    }

    fn line(&mut self, text: &str) -> Result<()> {
        writeln!(self.file, "{text}").with_context(|| format!("cannot write {}", self.shown))
    }
}

/// As in `netclock_sample`, 0 means unknown, and 1 means that the message was timestamped on arrival.
fn wait(wait: Option<Span>) -> i64 {
    wait.map_or(0, |wait| wait.ticks().max(1))
}
