//! Recorded sessions: every exchange that a client got, and the result.
//!
//! `docs/recording.md` describes the format. Programs in C write it from a tap.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use netclock::{LocalTime, Path as ExchangePath, Refusal, RequestId, Sample, ServerTime};

/// The first line: the name and the version of the format.
const VERSION: &str = "# netclock recording 2";
/// The second line: the columns.
const COLUMNS: &str = "status,id,epoch,client_sent,server_received,server_sent,client_received,path";
/// The same of version 1, in which all exchanges came by messages.
const VERSION_1: &str = "# netclock recording 1";
const COLUMNS_1: &str = "status,id,epoch,client_sent,server_received,server_sent,client_received";
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
            "{status},{},{},{},{},{},{},{}",
            sample.id.map_or(0, |id| id.0),
            sample.server_epoch.unwrap_or(0),
            sample.client_sent.map_or(UNKNOWN_TIME, LocalTime::ticks),
            sample.server_received.ticks(),
            sample.server_sent.ticks(),
            sample.client_received.ticks(),
            match sample.path {
                ExchangePath::Messages => 0,
                ExchangePath::Link => 1,
            },
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

/// Reads a recording.
///
/// # Errors
/// The file cannot be read, or a line is wrong; the error names the line.
pub fn read(path: &Path) -> Result<Vec<Recorded>> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| {
        format!("cannot open {shown}; give a file that `lab sync --record` or a tap wrote")
    })?;
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is no text"))?;
    parse(&text, &shown)
}

fn parse(text: &str, shown: &str) -> Result<Vec<Recorded>> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let is_first = text.starts_with(VERSION_1);
    let (version, columns) = if is_first { (VERSION_1, COLUMNS_1) } else { (VERSION, COLUMNS) };
    let mut expect = |expected: &str, what: &str| {
        let (number, line) = lines.next().unwrap_or((text.lines().count() + 1, ""));
        ensure!(line == expected, "{shown}:{number}: {what} is \"{line}\"; it has to be \"{expected}\"");
        Ok(())
    };
    expect(version, "the line that names the format")?;
    expect(columns, "the line that names the columns")?;
    let mut recorded = Vec::new();
    for (line, values) in lines {
        let sample = sample(values, columns).with_context(|| format!("{shown}:{line}"))?;
        recorded.push(Recorded { line, sample });
    }
    ensure!(!recorded.is_empty(), "{shown}: no exchanges below the line that names the columns");
    // A line that was cut off may have lost digits of its last number.
    ensure!(text.ends_with('\n'), "{shown}:{}: the last line does not end: cut off?", text.lines().count());
    Ok(recorded)
}

fn sample(line: &str, columns: &str) -> Result<Sample> {
    let values: Vec<&str> = line.split(',').collect();
    let count = columns.split(',').count();
    ensure!(values.len() == count, "{} values in place of {count}: \"{line}\"", values.len());
    let [status, id, epoch, client_sent, server_received, server_sent, client_received, ref rest @ ..] =
        values[..]
    else {
        bail!("too few values: \"{line}\"");
    };
    let path = match rest.first() {
        None | Some(&"0") => ExchangePath::Messages,
        Some(&"1") => ExchangePath::Link,
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
        path,
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
        format!("{:#}", parse(lines, "file").expect_err("must be refused"))
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
        assert!(fault("# netclock recording 3\n").contains("has to be \"# netclock recording 2\""));
        assert!(
            fault(&format!("{VERSION}\nstatus,id\n")).contains("file:2: the line that names the columns")
        );
        assert!(fault(&below_the_head("")).contains("no exchanges"));
        for (lines, expected) in [
            ("0,1,7,0,1,1,2,0\n0,1,7,0,1,1,2\n", "file:4: 7 values in place of 8"),
            ("0,1,7,0,1,1,2,1,3\n", "file:3: 9 values in place of 8"),
            ("0,1,7,0,x,1,2,0\n", "file:3: server_received is \"x\""),
            ("0,-1,7,0,1,1,2,0\n", "file:3: id is \"-1\""),
            ("0,1,7,0,1,1,99999999999999999999,0\n", "file:3: client_received is \"99999999999999999999\""),
            ("0,1,7,0,1,1,2,2\n", "file:3: path is \"2\""),
            ("-1,1,7,0,1,1,2,0\n", "file:3: status is -1, which no exchange ends with"),
            ("-101,1,7,0,1,1,2,0\n", "file:3: status is -101 and client_sent 0"),
            (
                "0,1,7,-9223372036854775808,1,1,2,0\n",
                "file:3: status is 0 and client_sent -9223372036854775808",
            ),
            ("0,1,7,0,1,1,2,0\n\n0,1,7,0,1,1,2,0\n", "file:4: 1 values in place of 8"),
            ("0,1,7,0,1,1,2,0\n0,1,7,0,1,1,2,0", "file:4: the last line does not end"),
        ] {
            let fault = fault(&below_the_head(lines));
            assert!(fault.contains(expected), "{expected} in {fault}");
        }
    }

    #[test]
    fn the_first_version_is_still_read() {
        let old = parse(&format!("{VERSION_1}\n{COLUMNS_1}\n0,1,7,0,1,1,2\n"), "file").expect("a recording");
        assert_eq!((old.len(), old[0].sample.path), (1, ExchangePath::Messages));
        let mixed = format!("{VERSION_1}\n{COLUMNS_1}\n0,1,7,0,1,1,2,1\n");
        assert!(fault(&mixed).contains("8 values in place of 7"));
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
            path: ExchangePath::Link,
            outcome: Err(Refusal::StampOutOfRange),
        };
        let unknown = Sample {
            path: ExchangePath::Messages,
            client_sent: None,
            outcome: Err(Refusal::UnknownRequest),
            ..known
        };
        let mut recorder = Recorder::create(&path).expect("the temporary directory is writable");
        recorder.add(&known).and_then(|()| recorder.add(&unknown)).expect("the file is writable");
        recorder.finish().expect("the file is writable");
        let read = read(&path).expect("it was just written");
        let _ = std::fs::remove_file(&path);
        assert_eq!(read, [Recorded { line: 3, sample: known }, Recorded { line: 4, sample: unknown }]);
    }
}
