//! Reads recordings, one entry after the other.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use netclock::authority::Authority;
use netclock::timeline::{SEGMENT_SIZE, Segment};
use netclock::{LocalTime, Refusal, RequestId, Sample, ServerTime, Span};

use super::{Announced, Announcement, COLUMNS, Entry, FORMAT, Recorded, STATUSES, UNKNOWN_TIME, VERSION};

/// No line of a recording is as long (bytes). A foreign file may have no lines at all.
const LONGEST_LINE: u64 = 1_000;
/// The columns of version 1, in which all exchanges came by messages.
pub(super) const COLUMNS_1: &str = "status,id,epoch,client_sent,server_received,server_sent,client_received";
/// The newest version that this program reads.
const NEWEST: u32 = 3;
/// Most exchanges that are held at once, 11 days at one a second.
const MOST: usize = 1_000_000;

/// A stretch of a recording
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Stretch {
    /// Begin this many seconds after the first exchange of a recording
    #[arg(long, value_name = "S")]
    pub(super) from: Option<f64>,
    /// End this many seconds later
    #[arg(long, value_name = "S")]
    pub(super) length: Option<f64>,
}

/// A recording, or a stretch of one, in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The exchanges.
    pub exchanges: Vec<Recorded>,
    /// What servers announced.
    pub announced: Vec<Announced>,
}

impl Recording {
    /// Reads a stretch of a recording.
    ///
    /// # Errors
    /// The file cannot be read, a line is wrong, or the stretch is empty or too long; the error says where
    /// and why.
    pub fn read(path: &Path, stretch: Stretch) -> Result<Self> {
        Self::collect(&mut Reader::open(path, stretch)?, MOST)
    }

    pub(super) fn collect<R: BufRead>(reader: &mut Reader<R>, most: usize) -> Result<Self> {
        let mut recording = Recording::default();
        while let Some(entry) = reader.next_entry()? {
            match entry {
                Entry::Exchange(recorded) => recording.exchanges.push(recorded),
                Entry::Announced(announced) => recording.announced.push(announced),
            }
            ensure!(
                recording.exchanges.len() + recording.announced.len() <= most,
                "{} holds more than {most} exchanges, too many to look at together; give --from and \
                 --length, in seconds",
                reader.shown
            );
        }
        Ok(recording)
    }
}

/// Reads a recording line by line, whatever its size. A last line that was cut off is left out, and the
/// standard error says so.
#[derive(Debug)]
pub struct Reader<R> {
    file: R,
    shown: String,
    bytes: Vec<u8>,
    number: usize,
    columns: usize,
    version: u32,
    /// Exchanges that were read.
    exchanges: usize,
    /// Exchanges in the stretch.
    given: usize,
    /// What times count from.
    start: Option<LocalTime>,
    /// The time since then of the newest entry that says it.
    age: Span,
    from: Span,
    until: Span,
    /// The number of a last line that was cut off, once it was read.
    pub(super) cut: Option<usize>,
}

impl Reader<BufReader<File>> {
    /// Opens a recording and reads its first lines.
    ///
    /// # Errors
    /// The file cannot be read, or is no recording that this program knows.
    pub fn open(path: &Path, stretch: Stretch) -> Result<Self> {
        let shown = path.display().to_string();
        let file = File::open(path).with_context(|| {
            format!("cannot open {shown}; give a file that `lab sync --record` or a tap wrote")
        })?;
        Self::new(BufReader::new(file), &shown, stretch)
    }
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(file: R, shown: &str, stretch: Stretch) -> Result<Self> {
        let seconds = |name: &str, value: Option<f64>, default: Span| match value {
            None => Ok(default),
            Some(value) if (0.0..=1e9).contains(&value) => Ok(Span::from_secs_f64(value)),
            Some(value) => bail!("--{name} is {value}; give 0 to 1000000000 seconds"),
        };
        let from = seconds("from", stretch.from, Span::ZERO)?;
        let length = seconds("length", stretch.length, Span::MAX)?;
        let until = if length == Span::MAX { Span::MAX } else { from + length };
        let mut reader = Reader {
            file,
            shown: shown.to_owned(),
            bytes: Vec::new(),
            number: 0,
            columns: 0,
            version: 0,
            exchanges: 0,
            given: 0,
            start: None,
            age: Span::ZERO,
            from,
            until,
            cut: None,
        };
        reader.head()?;
        Ok(reader)
    }

    fn head(&mut self) -> Result<()> {
        let (head, _) = self.line()?;
        let (version, columns) = version_of(&head).with_context(|| format!("{}:1", self.shown))?;
        let (line, _) = self.line()?;
        ensure!(
            line == columns,
            "{}:2: the line that names the columns is \"{line}\"; it has to be \"{columns}\"",
            self.shown
        );
        (self.version, self.columns) = (version, columns.split(',').count());
        Ok(())
    }

    /// The next line, and whether it ends.
    fn line(&mut self) -> Result<(String, bool)> {
        self.number += 1;
        self.bytes.clear();
        let read = self.file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.bytes);
        read.with_context(|| format!("cannot read {}", self.shown))?;
        let is_whole = self.bytes.last() == Some(&b'\n');
        self.bytes.truncate(self.bytes.len() - usize::from(is_whole));
        // A line that was cut off may have lost digits of its last number, or half of a letter.
        if self.number > 2 && !is_whole && self.bytes.len() < LONGEST_LINE as usize {
            self.cut = (!self.bytes.is_empty()).then_some(self.number);
            return Ok((String::new(), false));
        }
        let line = std::str::from_utf8(&self.bytes);
        let line = line.with_context(|| format!("{}:{} is no text", self.shown, self.number))?;
        Ok((line.to_owned(), true))
    }

    /// The next entry of the stretch; none at its end.
    ///
    /// # Errors
    /// The file cannot be read, or a line is wrong; the error names the line. Or the stretch is empty.
    pub fn next_entry(&mut self) -> Result<Option<Entry>> {
        loop {
            let (line, is_whole) = self.line()?;
            if !is_whole {
                break;
            }
            let entry = self.entry(&line).with_context(|| format!("{}:{}", self.shown, self.number))?;
            let age = self.age(&entry);
            if age > self.until {
                break;
            }
            if age < self.from {
                continue;
            }
            return Ok(Some(match entry {
                Entry::Exchange(recorded) => {
                    self.given += 1;
                    Entry::Exchange(recorded)
                }
                Entry::Announced(announced) => Entry::Announced(Announced { after: self.given, ..announced }),
            }));
        }
        let shown = &self.shown;
        if let Some(line) = self.cut {
            eprintln!("lab: {shown}:{line}: the last line does not end; it was cut off, and is left out");
        }
        ensure!(self.exchanges > 0, "{shown}: no exchanges below the line that names the columns");
        ensure!(self.given > 0, "{shown}: no exchanges in the stretch of --from and --length");
        Ok(None)
    }

    /// The time since the first entry. Only a usable exchange says what time it was.
    fn age(&mut self, entry: &Entry) -> Span {
        let at = match entry {
            Entry::Exchange(Recorded { sample, .. })
                if matches!(sample.outcome, Ok(()) | Err(Refusal::Contradiction)) =>
            {
                Some(sample.client_received)
            }
            Entry::Exchange(_) => None,
            Entry::Announced(announced) => Some(announced.at),
        };
        let Some(at) = at else { return self.age };
        self.age = (at - *self.start.get_or_insert(at)).max(Span::ZERO);
        self.age
    }

    fn entry(&mut self, line: &str) -> Result<Entry> {
        let values: Vec<&str> = line.split(',').collect();
        let what = match (self.version, values[0]) {
            (3.., "authority" | "segment" | "start" | "pause" | "end") => announcement(&values)?,
            _ => {
                let sample = sample(line, &values, self.columns)?;
                self.exchanges += 1;
                return Ok(Entry::Exchange(Recorded { line: self.number, sample }));
            }
        };
        let at = values.get(1).copied().unwrap_or_default();
        Ok(Entry::Announced(Announced { at: LocalTime::from_ticks(number("arrived", at)?), after: 0, what }))
    }
}

/// The version that a first line names, and its columns.
fn version_of(head: &str) -> Result<(u32, &'static str)> {
    match head.strip_prefix(FORMAT).and_then(|version| version.parse::<u32>().ok()) {
        Some(1) => Ok((1, COLUMNS_1)),
        Some(version @ 2..=NEWEST) => Ok((version, COLUMNS)),
        Some(version) if version > NEWEST => bail!(
            "a newer NetClock made this recording (format {version}); this one reads formats 1 to {NEWEST}. \
             Use a newer one"
        ),
        _ => bail!("the line that names the format is \"{head}\"; it has to be \"{VERSION}\""),
    }
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
            Announcement::Segment(Segment::decode(&bytes).context("that is no segment")?)
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
        _ => bail!("{} values: \"{}\" is no line of docs/recording.md", values.len(), values.join(",")),
    })
}

fn sample(line: &str, values: &[&str], count: usize) -> Result<Sample> {
    ensure!(values.len() == count, "{} values in place of {count}: \"{line}\"", values.len());
    let [status, id, epoch, client_sent, server_received, server_sent, client_received, ref rest @ ..] =
        *values
    else {
        bail!("too few values: \"{line}\"");
    };
    let by_link = match rest.first() {
        None | Some(&"0") => false,
        Some(&"1") => true,
        Some(path) => bail!("path is \"{path}\"; it is 0 for messages and 1 for a link"),
    };
    let status: i32 = number("status", status)?;
    let Some(&(_, _, outcome)) = STATUSES.iter().find(|known| known.0 == status) else {
        bail!("status is {status}, which no exchange ends with; see docs/recording.md");
    };
    let (id, epoch): (u64, u64) = (number("id", id)?, number("epoch", epoch)?);
    let client_sent: i64 = number("client_sent", client_sent)?;
    let is_unknown = outcome == Err(Refusal::UnknownRequest);
    ensure!(
        is_unknown == (client_sent == UNKNOWN_TIME),
        "status is {status} and client_sent {client_sent}; it is {UNKNOWN_TIME} for status -101 and no other"
    );
    Ok(Sample {
        id: (id != 0).then_some(RequestId(id)),
        server_epoch: (epoch != 0).then_some(epoch),
        client_sent: (!is_unknown).then(|| LocalTime::from_ticks(client_sent)),
        server_received: ServerTime::from_ticks(number("server_received", server_received)?),
        server_sent: ServerTime::from_ticks(number("server_sent", server_sent)?),
        client_received: LocalTime::from_ticks(number("client_received", client_received)?),
        by_link,
        outcome,
    })
}

fn number<T: std::str::FromStr>(column: &str, text: &str) -> Result<T> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => bail!("{column} is \"{text}\"; write a whole number that fits the column"),
    }
}
