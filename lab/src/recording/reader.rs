use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use netclock::authority::Authority;
use netclock::timeline::{SEGMENT_SIZE, Segment};
use netclock::{LocalTime, Refusal, RequestId, Sample, ServerTime, Span};

use super::{
    Announced, Announcement, COLUMNS, OLDER, Recorded, STATUSES, TrueOffset, UNKNOWN_STATUS, UNKNOWN_TIME,
    VERSION,
};
use crate::report::options;

/// Longer than any line of a recording (bytes). Files in other formats may contain no line breaks at all.
const LONGEST_LINE: usize = 1_000;
/// The maximum number of exchanges in memory, enough for 11 days with one exchange per second.
const MOST: usize = 1_000_000;

/// A part of a recording
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Stretch {
    /// Start this many seconds after the first exchange of a recording
    #[arg(long, value_name = "S", value_parser = options::number(0.0, 1e9))]
    pub(super) from: Option<f64>,
    /// Stop this many seconds later
    #[arg(long, value_name = "S", value_parser = options::number(0.0, 1e9))]
    pub(super) length: Option<f64>,
}

impl Stretch {
    pub(crate) fn cut(self, mut recording: Recording) -> Result<Recording> {
        let (from, until) = self.ends();
        let start = recording.exchanges.first().map(|it| it.sample.client_received);
        recording.exchanges.retain(|it| {
            let age = start.map_or(Span::ZERO, |start| it.sample.client_received - start);
            (from..=until).contains(&age)
        });
        ensure!(!recording.exchanges.is_empty(), "there are no exchanges between --from and --length");
        Ok(recording)
    }

    fn ends(self) -> (Span, Span) {
        let from = self.from.map_or(Span::ZERO, Span::from_secs_f64);
        (from, self.length.map_or(Span::MAX, |length| from + Span::from_secs_f64(length)))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    pub exchanges: Vec<Recorded>,
    pub announced: Vec<Announced>,
    pub truth: Vec<TrueOffset>,
    /// True if only round-trip times were measured. The server's timestamps are then midpoints.
    pub round_trips_only: bool,
}

enum Entry {
    Exchange(Recorded),
    Announced(Announced),
    Truth(TrueOffset),
    RoundTripsOnly,
}

impl Recording {
    pub fn read(path: &Path, stretch: Stretch) -> Result<Self> {
        let shown = path.display().to_string();
        let bytes = fs::read(path).with_context(|| {
            format!("cannot open {shown}; expected a file written by `lab sync --record` or a tap")
        })?;
        Self::of_bytes(&bytes, &shown, stretch)
    }

    pub(crate) fn of_bytes(bytes: &[u8], shown: &str, stretch: Stretch) -> Result<Self> {
        let (recording, cut) = Self::parse(bytes, shown, stretch, MOST)?;
        if let Some(line) = cut {
            eprintln!("lab: {shown}:{line}: the last line is truncated and was ignored");
        }
        Ok(recording)
    }

    /// Skips a last line without a line break, because it may be incomplete, and returns its line number.
    pub(super) fn parse(
        bytes: &[u8],
        shown: &str,
        stretch: Stretch,
        most: usize,
    ) -> Result<(Self, Option<usize>)> {
        let (from, until) = stretch.ends();
        let mut lines = (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n'));
        let mut header = |number| text(shown, number, lines.next().map_or(&[], |(_, line)| line));
        let version = header(1)?;
        let is_older = version == OLDER.0;
        ensure!(
            is_older || version == VERSION,
            "{shown}:1: the line with the format version is \"{version}\"; expected \"{VERSION}\""
        );
        let count = COLUMNS.split(',').count() - if is_older { OLDER.1 } else { 0 };
        let expected = COLUMNS.split(',').take(count).collect::<Vec<_>>().join(",");
        let names = header(2)?;
        ensure!(
            names == expected,
            "{shown}:2: the line with the column names is \"{names}\"; expected \"{expected}\""
        );
        let (mut recording, mut cut, mut exchanges) = (Recording::default(), None, 0);
        let (mut start, mut age) = (None, Span::ZERO);
        for (number, line) in lines {
            if !line.ends_with(b"\n") && line.len() < LONGEST_LINE {
                cut = Some(number);
                break;
            }
            let line = text(shown, number, line)?;
            let entry = entry(line, number, count).with_context(|| format!("{shown}:{number}"))?;
            exchanges += usize::from(matches!(entry, Entry::Exchange(_)));
            // Exchanges that were rejected for other reasons may have arbitrary timestamps.
            let at = match &entry {
                Entry::Exchange(Recorded { sample, .. }) => {
                    matches!(sample.outcome, Ok(()) | Err(Refusal::Contradiction))
                        .then_some(sample.client_received)
                }
                Entry::Announced(announced) => Some(announced.at),
                Entry::Truth(_) | Entry::RoundTripsOnly => None,
            };
            age = at.map_or(age, |at| (at - *start.get_or_insert(at)).max(Span::ZERO));
            if age > until {
                break;
            }
            if age < from {
                continue;
            }
            match entry {
                Entry::Exchange(recorded) => recording.exchanges.push(recorded),
                Entry::Announced(announced) => {
                    let after = recording.exchanges.len();
                    recording.announced.push(Announced { after, ..announced });
                }
                Entry::Truth(truth) => recording.truth.push(truth),
                Entry::RoundTripsOnly => recording.round_trips_only = true,
            }
            let Recording { exchanges: held, announced, truth, .. } = &recording;
            ensure!(
                held.len() + announced.len() + truth.len() <= most,
                "{shown} contains more than {most} exchanges; select a part with --from and --length, in \
                 seconds"
            );
        }
        ensure!(exchanges > 0, "{shown}: no exchanges after the column names");
        ensure!(
            !recording.exchanges.is_empty(),
            "{shown}: there are no exchanges between --from and --length"
        );
        recording.truth.sort_by_key(|it| it.at);
        Ok((recording, cut))
    }
}

fn text<'a>(shown: &str, number: usize, line: &'a [u8]) -> Result<&'a str> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = std::str::from_utf8(&line[..line.len().min(LONGEST_LINE)]);
    line.with_context(|| format!("{shown}:{number} is not text"))
}

fn entry(line: &str, number: usize, columns: usize) -> Result<Entry> {
    let values: Vec<&str> = line.split(',').collect();
    let ticks = |name, at: usize| self::number(name, values.get(at).copied().unwrap_or_default());
    Ok(match (values[0], values.len()) {
        ("authority" | "segment" | "start" | "pause" | "end", _) => {
            let what = announcement(&values)?;
            Entry::Announced(Announced { at: LocalTime::from_ticks(ticks("arrived", 1)?), after: 0, what })
        }
        ("truth", 4) => Entry::Truth(TrueOffset {
            at: LocalTime::from_ticks(ticks("local", 1)?),
            offset: Span::from_ticks(ticks("offset", 2)?),
            uncertainty: Span::from_ticks(ticks("uncertainty", 3)?),
        }),
        ("round_trips_only", 1) => Entry::RoundTripsOnly,
        _ => Entry::Exchange(exchange(line, number, &values, columns)?),
    })
}

fn announcement(values: &[&str]) -> Result<Announcement> {
    Ok(match *values {
        ["authority", _, epoch, timescale, dispersion] => Announcement::Authority(Authority {
            epoch: number("epoch", epoch)?,
            timescale: number("timescale", timescale)?,
            dispersion: Span::from_ticks(number("dispersion", dispersion)?),
        }),
        ["segment", _, digits] => {
            let byte = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
            let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
            let bytes =
                bytes.with_context(|| format!("a segment has {} hexadecimal digits", 2 * SEGMENT_SIZE))?;
            Announcement::Segment(Segment::decode(&bytes).context("not a segment")?)
        }
        ["start", _, version, epoch, at] => {
            let at: i64 = number("start", at)?;
            Announcement::Start {
                version: number("version", version)?,
                server_epoch: number("epoch", epoch)?,
                at: (at != UNKNOWN_TIME).then(|| ServerTime::from_ticks(at)),
            }
        }
        ["pause", _, since] => Announcement::Paused { since: LocalTime::from_ticks(number("since", since)?) },
        ["end", _] => Announcement::Ended,
        _ => bail!(
            "\"{}\", with {} values, does not match any line in docs/recording.md",
            values.join(","),
            values.len()
        ),
    })
}

fn exchange(line: &str, line_number: usize, values: &[&str], columns: usize) -> Result<Recorded> {
    ensure!(values.len() == columns, "{} values instead of {columns}: \"{line}\"", values.len());
    let wait = |name| {
        let ticks: u32 = of(values, name)?;
        // A wait of 0 is written as 1, because 0 means unknown.
        anyhow::Ok((ticks > 0).then(|| Span::from_ticks(if ticks == 1 { 0 } else { ticks.into() })))
    };
    let path: u8 = of(values, "path")?;
    ensure!(path <= 1, "path is \"{path}\"; expected 0 for messages or 1 for a link");
    let has_status = values[0] != UNKNOWN_STATUS;
    let status: i32 = if has_status { of(values, "status")? } else { 0 };
    let Some(&(_, _, outcome)) = STATUSES.iter().find(|known| known.0 == status) else {
        bail!("status {status} is not a result of an exchange; see docs/recording.md");
    };
    let (id, epoch): (u64, u64) = (of(values, "id")?, of(values, "epoch")?);
    let client_sent: i64 = of(values, "client_sent")?;
    let is_unknown = outcome == Err(Refusal::UnknownRequest);
    ensure!(
        is_unknown == (client_sent == UNKNOWN_TIME),
        "status is {status} and client_sent {client_sent}; it must be {UNKNOWN_TIME} for status -101 only"
    );
    let sample = Sample {
        id: (id != 0).then_some(RequestId(id)),
        server_epoch: (epoch != 0).then_some(epoch),
        client_sent: (!is_unknown).then(|| LocalTime::from_ticks(client_sent)),
        server_received: ServerTime::from_ticks(of(values, "server_received")?),
        server_sent: ServerTime::from_ticks(of(values, "server_sent")?),
        client_received: LocalTime::from_ticks(of(values, "client_received")?),
        server_wait: wait("server_wait")?,
        client_wait: wait("client_wait")?,
        by_link: path == 1,
        outcome,
    };
    Ok(Recorded { line: line_number, sample, has_status })
}

/// The last columns, which older versions lack, default to 0.
fn of<T: std::str::FromStr>(values: &[&str], column: &str) -> Result<T> {
    let found = COLUMNS.split(',').zip(values).find(|(name, _)| *name == column);
    number(column, found.map_or("0", |(_, value)| value))
}

fn number<T: std::str::FromStr>(column: &str, text: &str) -> Result<T> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => bail!("{column} is \"{text}\"; expected a whole number in the column's range"),
    }
}
