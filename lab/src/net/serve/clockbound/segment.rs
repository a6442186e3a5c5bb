//! The bytes of ClockBound's segment.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use netclock::Span;

/// The protocol's magic, as two numbers.
pub(super) const MAGIC: [u32; 2] = [0x414D_5A4E, 0x4342_0200];
pub(super) const VERSION: u16 = 2;
/// Bytes of the segment.
pub(super) const LENGTH: usize = 80;
/// Reads until two in a row are alike. The daemon writes for microseconds, once a second.
const TRIES: usize = 100;
/// *As of* is of a coarse clock, which a kernel advances at least 100 times a second.
const COARSE: Span = Span::from_millis(10);

const NANOSECONDS_PER_TICK: i64 = 100;
const NANOSECONDS: i64 = 1_000_000_000;

/// What the daemon knows of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Unknown,
    Synchronized,
    /// Nobody disciplines it now. The bound grows by the drift and holds.
    FreeRunning,
    Disrupted,
}

/// One statement. Times are those of the kernel's monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    as_of: Span,
    void_after: Span,
    bound: Span,
    pub(super) marker: u64,
    pub(super) drift_ppb: u32,
    pub(super) status: Status,
    pub(super) watches_disruptions: bool,
}

impl Segment {
    /// Reads the file, anew each time: a daemon that starts may replace it.
    ///
    /// # Errors
    /// It cannot be read or understood.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut last = Vec::new();
        for _ in 0..TRIES {
            let bytes = fs::read(path)?;
            // Two reads that are alike have no writing between them, which would have changed the generation.
            if bytes == last && generation(&bytes).is_none_or(|generation| generation % 2 == 0) {
                return Segment::parse(&bytes);
            }
            last = bytes;
        }
        bail!("it is written all the time")
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let mut fields = Fields { rest: bytes };
        let magic = [fields.next().map(u32::from_ne_bytes)?, fields.next().map(u32::from_ne_bytes)?];
        ensure!(magic == MAGIC, "this is no segment of ClockBound");
        let size = fields.next().map(u32::from_ne_bytes)?;
        let version = fields.next().map(u16::from_ne_bytes)?;
        ensure!(
            version == VERSION,
            "this is version {version} of ClockBound's segment, and {VERSION} is known"
        );
        let generation = fields.next().map(u16::from_ne_bytes)?;
        ensure!(generation != 0, "the daemon has not written the segment yet");
        ensure!(size as usize >= LENGTH && bytes.len() >= LENGTH, "the segment is cut off");
        let as_of = fields.timespec().context("as of")?;
        let void_after = fields.timespec().context("void after")?;
        let bound_ns = fields.next().map(i64::from_ne_bytes)?;
        ensure!(bound_ns >= 0, "the bound is {bound_ns} ns");
        let marker = fields.next().map(u64::from_ne_bytes)?;
        let drift_ppb = fields.next().map(u32::from_ne_bytes)?;
        let status = match fields.next().map(i32::from_ne_bytes)? {
            0 => Status::Unknown,
            1 => Status::Synchronized,
            2 => Status::FreeRunning,
            3 => Status::Disrupted,
            other => bail!("the status is {other}, which means nothing"),
        };
        let watches_disruptions = fields.next().map(u8::from_ne_bytes)? != 0;
        let bound = Span::from_ticks(bound_ns / NANOSECONDS_PER_TICK + 1);
        Ok(Segment { as_of, void_after, bound, marker, drift_ppb, status, watches_disruptions })
    }

    /// The bound at a time of the kernel's monotonic clock. None if it is void by then, or was stated in the future, as
    /// a segment of the time before a restart of the machine is.
    pub(super) fn bound_at(&self, now: Span) -> Option<Span> {
        if now > self.void_after || now + COARSE < self.as_of {
            return None;
        }
        let age = (now - self.as_of).max(Span::ZERO);
        let drift = i128::from(age.ticks()) * i128::from(self.drift_ppb) / i128::from(NANOSECONDS);
        Some(self.bound + Span::from_ticks(i64::try_from(drift).ok()? + 1))
    }
}

fn generation(bytes: &[u8]) -> Option<u16> {
    bytes.get(14..16)?.try_into().map(u16::from_ne_bytes).ok()
}

/// The fields that were not read yet.
struct Fields<'a> {
    rest: &'a [u8],
}

impl Fields<'_> {
    fn next<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (field, rest) = self.rest.split_first_chunk().context("the segment is cut off")?;
        self.rest = rest;
        Ok(*field)
    }

    /// Seconds and nanoseconds, rounded down to a tick.
    fn timespec(&mut self) -> Result<Span> {
        let (seconds, ns) = (self.next().map(i64::from_ne_bytes)?, self.next().map(i64::from_ne_bytes)?);
        ensure!((0..NANOSECONDS).contains(&ns), "it has {ns} ns");
        let ticks = seconds.checked_mul(netclock::TICKS_PER_SECOND).context("it is too far off")?;
        ensure!(ticks.abs() < i64::MAX / 4, "it is too far off");
        Ok(Span::from_ticks(ticks + ns / NANOSECONDS_PER_TICK))
    }
}
