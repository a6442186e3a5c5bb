//! Recorded sessions: every exchange that a client got, and the result.
//!
//! `docs/recording.md` describes the format. Programs in C write it from a tap.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use netclock::{LocalTime, Refusal, RequestId, Sample, ServerTime};

/// The first line: the name and the version of the format.
const VERSION: &str = "# netclock recording 1";
const FORMAT: &str = "# netclock recording ";
const VERSION_NUMBER: u32 = 1;
/// No line of a recording is as long (bytes). A foreign file may have no lines at all.
const LONGEST_LINE: u64 = 1_000;
/// The second line: the columns.
const COLUMNS: &str = "status,id,epoch,client_sent,server_received,server_sent,client_received";
/// `NETCLOCK_UNKNOWN_TIME`.
const UNKNOWN_TIME: i64 = i64::MIN;

/// The possible results of an exchange, with the number and the name of `netclock.h`.
const STATUSES: [(i32, &str, Result<(), Refusal>); 9] = [
    (0, "NETCLOCK_OK", Ok(())),
    (-101, "NETCLOCK_UNKNOWN_REQUEST", Err(Refusal::UnknownRequest)),
    (-6, "NETCLOCK_STAMP_OUT_OF_RANGE", Err(Refusal::StampOutOfRange)),
    (-102, "NETCLOCK_ARRIVED_BEFORE_SENT", Err(Refusal::ArrivedBeforeSent)),
    (-103, "NETCLOCK_SENT_BEFORE_RECEIVED", Err(Refusal::SentBeforeReceived)),
    (-104, "NETCLOCK_HELD_TOO_LONG", Err(Refusal::HeldTooLong)),
    (-105, "NETCLOCK_TOO_SLOW", Err(Refusal::TooSlow)),
    (-106, "NETCLOCK_CONTRADICTION", Err(Refusal::Contradiction)),
    (-107, "NETCLOCK_SEVERAL_SERVERS", Err(Refusal::SeveralServers)),
];

/// The name of a result in C.
pub fn name(outcome: Result<(), Refusal>) -> &'static str {
    STATUSES.iter().find(|status| status.2 == outcome).map_or("an unknown status", |status| status.1)
}

/// Writes a recording.
#[derive(Debug)]
pub struct Recorder {
    file: BufWriter<File>,
    shown: String,
}

impl Recorder {
    /// Begins a recording in a new file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let file = File::create(path)
            .with_context(|| format!("cannot write {shown}; give a file in a directory that exists"))?;
        let mut recorder = Recorder { file: BufWriter::new(file), shown };
        recorder.line(&format!("{VERSION}\n{COLUMNS}"))?;
        Ok(recorder)
    }

    /// Adds an exchange.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, sample: &Sample) -> Result<()> {
        let status = STATUSES.iter().find(|status| status.2 == sample.outcome);
        let (status, ..) = status.with_context(|| format!("no number is known for {sample:?}"))?;
        self.line(&format!(
            "{status},{},{},{},{},{},{}",
            sample.id.map_or(0, |id| id.0),
            sample.server_epoch.unwrap_or(0),
            sample.client_sent.map_or(UNKNOWN_TIME, LocalTime::ticks),
            sample.server_received.ticks(),
            sample.server_sent.ticks(),
            sample.client_received.ticks(),
        ))
    }

    /// Ends the recording: writes what is left.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.file.flush().with_context(|| format!("cannot write {}", self.shown))
    }

    fn line(&mut self, text: &str) -> Result<()> {
        writeln!(self.file, "{text}").with_context(|| format!("cannot write {}", self.shown))
    }
}

/// An exchange in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The number of its line in the file, from 1.
    pub line: usize,
    /// The exchange and its recorded result.
    pub sample: Sample,
}

/// Reads a recording, line by line. A last line that was cut off is left out, and the standard error says so.
///
/// # Errors
/// The file cannot be read, or a line is wrong; the error names the line.
pub fn read(path: &Path) -> Result<Vec<Recorded>> {
    let shown = path.display().to_string();
    let file = File::open(path).with_context(|| {
        format!("cannot open {shown}; give a file that `lab sync --record` or a tap wrote")
    })?;
    let (recorded, cut) = parse(BufReader::new(file), &shown)?;
    if let Some(line) = cut {
        eprintln!("lab: {shown}:{line}: the last line does not end; it was cut off, and is left out");
    }
    Ok(recorded)
}

/// The exchanges, and the number of a last line that was cut off.
fn parse(mut file: impl BufRead, shown: &str) -> Result<(Vec<Recorded>, Option<usize>)> {
    let mut recorded = Vec::new();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let length = file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let is_whole = bytes.last() == Some(&b'\n');
        bytes.truncate(bytes.len() - usize::from(is_whole));
        let is_end = length.with_context(|| format!("cannot read {shown}"))? == 0;
        // A line that was cut off may have lost digits of its last number.
        if number > 2 && !is_whole && bytes.len() < LONGEST_LINE as usize {
            ensure!(!recorded.is_empty(), "{shown}: no exchanges below the line that names the columns");
            return Ok((recorded, (!is_end).then_some(number)));
        }
        let line = std::str::from_utf8(&bytes).with_context(|| format!("{shown}:{number} is no text"))?;
        match number {
            1 => check_version(line).with_context(|| format!("{shown}:1"))?,
            2 => ensure!(
                line == COLUMNS,
                "{shown}:2: the line that names the columns is \"{line}\"; it has to be \"{COLUMNS}\""
            ),
            _ => {
                let sample = sample(line).with_context(|| format!("{shown}:{number}"))?;
                recorded.push(Recorded { line: number, sample });
            }
        }
    }
    bail!("{shown} has too many lines")
}

fn check_version(line: &str) -> Result<()> {
    let other = line.strip_prefix(FORMAT).and_then(|version| version.parse::<u32>().ok());
    if let Some(version) = other.filter(|&version| version > VERSION_NUMBER) {
        bail!(
            "a newer NetClock made this recording (format {version}); this one reads format {VERSION_NUMBER}. Use a \
             newer one"
        );
    }
    ensure!(line == VERSION, "the line that names the format is \"{line}\"; it has to be \"{VERSION}\"");
    Ok(())
}

fn sample(line: &str) -> Result<Sample> {
    let values: Vec<&str> = line.split(',').collect();
    let columns: Vec<&str> = COLUMNS.split(',').collect();
    let [status, id, epoch, client_sent, server_received, server_sent, client_received] = values[..] else {
        bail!("{} values in place of {}: \"{line}\"", values.len(), columns.len());
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
        path: netclock::Path::Messages,
        outcome,
    })
}

fn number<T: std::str::FromStr>(column: &str, text: &str) -> Result<T> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) => bail!("{column} is \"{text}\"; write a whole number that fits the column"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(lines: &str) -> String {
        format!("{:#}", parse(lines.as_bytes(), "file").expect_err("must be refused"))
    }

    fn below_the_head(lines: &str) -> String {
        format!("{VERSION}\n{COLUMNS}\n{lines}")
    }

    #[test]
    fn statuses_are_those_of_the_header() {
        let header = include_str!("../../include/netclock/netclock.h");
        for (number, name, _) in STATUSES {
            let value = if number < 0 { format!("({number})") } else { number.to_string() };
            assert!(header.contains(&format!("#define {name} {value}\n")), "{name}");
        }
    }

    #[test]
    fn faults_name_the_line_and_what_is_wrong() {
        assert!(fault("").contains("file:1: the line that names the format is \"\""));
        assert!(
            fault("# netclock recording 2\n").contains("a newer NetClock made this recording (format 2)")
        );
        assert!(fault("# netclock recording 0\n").contains("has to be \"# netclock recording 1\""));
        assert!(fault(VERSION).contains("file:2: the line that names the columns is \"\""));
        assert!(fault(&"x".repeat(5_000)).contains("file:1: the line that names the format is \"xxx"));
        assert!(fault(&below_the_head(&"9".repeat(5_000))).contains("file:3: 1 values in place of 7"));
        assert!(
            fault(&format!("{VERSION}\nstatus,id\n")).contains("file:2: the line that names the columns")
        );
        assert!(fault(&below_the_head("")).contains("no exchanges"));
        for (lines, expected) in [
            ("0,1,7,0,1,1,2\n0,1,7,0,1,1\n", "file:4: 6 values in place of 7"),
            ("0,1,7,0,1,1,2,3\n", "file:3: 8 values in place of 7"),
            ("0,1,7,0,x,1,2\n", "file:3: server_received is \"x\""),
            ("0,-1,7,0,1,1,2\n", "file:3: id is \"-1\""),
            ("0,1,7,0,1,1,99999999999999999999\n", "file:3: client_received is \"99999999999999999999\""),
            ("-1,1,7,0,1,1,2\n", "file:3: status is -1, which no exchange ends with"),
            ("-101,1,7,0,1,1,2\n", "file:3: status is -101 and client_sent 0"),
            (
                "0,1,7,-9223372036854775808,1,1,2\n",
                "file:3: status is 0 and client_sent -9223372036854775808",
            ),
            ("0,1,7,0,1,1,2\n\n0,1,7,0,1,1,2\n", "file:4: 1 values in place of 7"),
        ] {
            let fault = fault(&below_the_head(lines));
            assert!(fault.contains(expected), "{expected} in {fault}");
        }
    }

    #[test]
    fn a_tail_that_was_cut_off_loses_only_itself() {
        let whole = below_the_head("0,1,7,0,1,1,2\n0,2,7,10,11,11,12\n");
        let (all, cut) = parse(whole.as_bytes(), "file").expect("it is whole");
        assert_eq!((all.len(), cut), (2, None));
        let first = below_the_head("0,1,7,0,1,1,2\n").len();
        for end in first + 1..whole.len() {
            let (kept, cut) = parse(&whole.as_bytes()[..end], "file").expect("its beginning is whole");
            assert_eq!((kept, cut), (all[..1].to_vec(), Some(4)), "cut to {end} bytes");
        }
        let strange = [whole.as_bytes(), &[0xff, 0xfe]].concat();
        assert_eq!(parse(&strange[..], "file").expect("its beginning is whole").1, Some(5));
    }

    #[test]
    fn what_was_written_is_read_back() {
        let path = std::env::temp_dir().join(format!("netclock-recording-{}.csv", std::process::id()));
        let known = Sample {
            id: Some(RequestId(u64::MAX)),
            server_epoch: None,
            client_sent: Some(LocalTime::from_ticks(-5)),
            server_received: ServerTime::from_ticks(i64::MAX),
            server_sent: ServerTime::from_ticks(6),
            client_received: LocalTime::from_ticks(7),
            path: netclock::Path::Messages,
            outcome: Err(Refusal::StampOutOfRange),
        };
        let unknown = Sample { client_sent: None, outcome: Err(Refusal::UnknownRequest), ..known };
        let mut recorder = Recorder::create(&path).expect("the temporary directory is writable");
        recorder.add(&known).and_then(|()| recorder.add(&unknown)).expect("the file is writable");
        recorder.finish().expect("the file is writable");
        let read = read(&path).expect("it was just written");
        let _ = std::fs::remove_file(&path);
        assert_eq!(read, [Recorded { line: 3, sample: known }, Recorded { line: 4, sample: unknown }]);
    }
}
