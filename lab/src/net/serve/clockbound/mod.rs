//! The bound that ClockBound states for the machine's clock, in memory that its daemon shares.
//!
//! This is version 2 of the protocol, a file of 80 bytes that every daemon since 2.0 writes (`docs/PROTOCOL.md` of
//! `aws/clock-bound`). The crate `clock-bound` would read it too. But it maps the file, which is unsafe, has only previews of
//! its release 3.0, and brings a dozen crates. All numbers are in the order of the machine:
//!
//! | at | bytes | field |
//! |---|---|---|
//! | 0 | 4, 4 | magic, two numbers |
//! | 8 | 4 | size of the segment |
//! | 12 | 2 | version |
//! | 14 | 2 | generation; odd while the segment is written, 0 before it was |
//! | 16 | 8, 8 | as of: seconds and nanoseconds of the kernel's monotonic clock |
//! | 32 | 8, 8 | void after, of the same clock |
//! | 48 | 8 | bound of the machine's clock at *as of* (ns) |
//! | 56 | 8 | disruption marker that the daemon took from VMClock |
//! | 64 | 4 | largest drift since *as of* (parts per billion) |
//! | 68 | 4 | status |
//! | 72 | 1 | 1 if the daemon watches VMClock |

mod segment;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use netclock::Span;
use serde_json::{Value, json};

use crate::net::clock;
use segment::{Segment, Status};

/// What to do after a disruption.
pub(crate) const REMEDY: &str = "Wait until ClockBound says that the clock is synchronized";

/// A daemon's segment, and the newest good statement in it.
pub(crate) struct ClockBound {
    path: PathBuf,
    newest: Segment,
    /// Why the segment says nothing newer.
    trouble: Option<String>,
}

impl ClockBound {
    /// Reads the segment at `path`. `marker` is that of the machine's VMClock page, if it has one.
    ///
    /// # Errors
    /// There is no segment, it cannot be understood, or it states no bound.
    pub(crate) fn open(path: &Path, marker: Option<u64>) -> Result<Self> {
        let newest = Segment::read(path).with_context(|| {
            format!(
                "cannot read ClockBound's statement in {}: does its daemon run (systemctl start clockbound)? If its \
                 segment is elsewhere, name it with --clockbound",
                path.display()
            )
        })?;
        match newest.status {
            Status::Synchronized => {}
            Status::Disrupted => bail!("ClockBound says that this machine's clock was disrupted. {REMEDY}"),
            Status::Unknown | Status::FreeRunning => bail!(
                "ClockBound has not synchronised this machine's clock (status {:?}). {REMEDY}, as `clockbound`'s log \
                 tells",
                newest.status
            ),
        }
        if let Some(marker) = marker.filter(|_| newest.watches_disruptions) {
            ensure!(
                marker == newest.marker,
                "the hypervisor says that this machine's clock was disrupted, and ClockBound has not noticed yet. {REMEDY}"
            );
        }
        let clockbound = ClockBound { path: path.to_owned(), newest, trouble: None };
        clockbound.bound(Span::ZERO)?;
        Ok(clockbound)
    }

    /// Reads the segment again. What states no bound leaves the last statement, which holds until it is void.
    ///
    /// # Errors
    /// The clock was disrupted: the epoch is over.
    pub(crate) fn look(&mut self) -> Result<()> {
        match Segment::read(&self.path) {
            Ok(read) if read.status == Status::Disrupted || read.marker != self.newest.marker => bail!(
                "ClockBound says that this machine's clock was disrupted, as by a live migration. This epoch is over. \
                 {REMEDY}, and serve again"
            ),
            Ok(read) if read.status == Status::Unknown => {
                self.trouble = Some("its status is unknown".to_owned());
            }
            Ok(read) => (self.newest, self.trouble) = (read, None),
            Err(error) => self.trouble = Some(format!("{error:#}")),
        }
        Ok(())
    }

    /// The bound of the machine's clock, from now until `holds_for` from now.
    ///
    /// # Errors
    /// The newest statement is void by then.
    pub(crate) fn bound(&self, holds_for: Span) -> Result<Span> {
        let until = clock::kernel_monotonic()? + holds_for;
        self.newest.bound_at(until).ok_or_else(|| {
            let trouble = self.trouble.as_deref().unwrap_or("its daemon writes no more");
            anyhow!("ClockBound's newest statement in {} is void: {trouble}", self.path.display())
        })
    }

    fn bound_now(&self) -> Option<Span> {
        self.newest.bound_at(clock::kernel_monotonic().ok()?)
    }

    /// The statement in words.
    pub(crate) fn words(&self) -> String {
        let us = self.bound_now().unwrap_or(Span::MAX).as_secs_f64() * 1e6;
        format!(
            "By ClockBound: {:?}, drift at most {} ppb{}: within {us:.1} us of UTC.",
            self.newest.status,
            self.newest.drift_ppb,
            if self.newest.watches_disruptions { ", watches for disruptions" } else { "" }
        )
    }

    /// The statement as JSON.
    pub(crate) fn fields(&self) -> Value {
        json!({
            "status": format!("{:?}", self.newest.status), "drift_ppb": self.newest.drift_ppb,
            "watches_disruptions": self.newest.watches_disruptions,
            "bound_ms": self.bound_now().map(Span::as_millis_f64),
        })
    }
}

#[cfg(test)]
mod tests;
