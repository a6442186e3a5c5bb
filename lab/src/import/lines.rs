use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use netclock::TICKS_PER_SECOND;
use time::PrimitiveDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use super::format::Format;
use super::number::{Unit, Units, is_float, ticks};
use crate::recording::{Recorded, Recording};

/// `MJD_1970` is the Modified Julian Date of 1970-01-01.
const DAY: i64 = 86_400 * TICKS_PER_SECOND;
const MJD_1970: i64 = 40_587;
const DATE: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
const WITHOUT_UNIT: &str = "the unit is not in the header; give --unit s, ms, us, ticks or ns, or two \
                            units, such as --unit s,ms, if those of times and durations differ";

pub(super) fn fields(line: &str) -> Vec<&str> {
    line.split([',', ';', ' ', '\t']).map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// Returns true for comments, including chrony's banners.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#') || line.starts_with("===") || line.contains("Date (UTC)")
}

/// Parses a header line. Returns `None` for a line of numbers, which is not a header.
pub(super) fn names(line: &str) -> Option<Vec<String>> {
    let separators = [',', ';', '\t'];
    let parts: Vec<&str> =
        if line.contains(separators) { line.split(separators).collect() } else { fields(line) };
    let names: Vec<String> = parts.iter().map(|it| it.trim().trim_matches('"').to_lowercase()).collect();
    names.iter().all(|it| it.parse::<f64>().is_err()).then_some(names)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    at: usize,
    offset: Option<usize>,
    trip: usize,
}

impl Columns {
    /// Returns `None` if no column contains the round trip.
    pub(super) fn of(names: &[String]) -> Option<Self> {
        let find =
            |words: &[&str]| names.iter().position(|name| words.iter().any(|word| name.contains(word)));
        let offset = find(&["offset"]);
        let trip = find(&["rtt", "round", "ping", "latency"]);
        let trip = trip.or_else(|| find(&["delay"]).filter(|_| offset.is_some()))?;
        let at = find(&["time", "stamp", "date", "send", "sent", "received"]).filter(|it| *it != trip);
        Some(Columns { at: at.unwrap_or(0), offset, trip })
    }

    pub(super) fn format(self) -> Format {
        if self.offset.is_some() { Format::Offsets } else { Format::RoundTrips }
    }

    fn unnamed(format: Format) -> Self {
        if format == Format::Offsets {
            Columns { at: 0, offset: Some(1), trip: 2 }
        } else {
            Columns { at: 0, offset: None, trip: 1 }
        }
    }

    /// Returns `None` if the round trip is not a number, for example because a message was lost.
    fn exchange(self, line: usize, fields: &[&str], [at, trip]: Units) -> Result<Option<Recorded>> {
        let Some(trip) = fields.get(self.trip).and_then(|it| ticks(it, trip)).map(|it| (it, trip)) else {
            return Ok(None);
        };
        let value = |column: usize, unit| fields.get(column).and_then(|it| ticks(it, unit));
        let offset = self.offset.map_or(Some(0), |it| value(it, trip.1));
        let at = value(self.at, at).zip(offset).with_context(|| wrong(line, fields))?;
        // Files with offsets contain the time of the reply. Other files contain the time of the request.
        let received = if self.offset.is_some() { at.0 } else { at.0.saturating_add(trip.0) };
        let is_answered = self.offset.is_some() || trip.0 > 0;
        Ok(is_answered.then(|| of_offset(line, received, at.1, trip.0)))
    }
}

fn wrong(line: usize, fields: &[&str]) -> String {
    format!("line {line}: \"{}\" does not have this format", fields.join(" "))
}

pub(super) fn read(text: &str, format: Format, units: Option<Units>) -> Result<(Recording, Vec<String>)> {
    let mut lines = (1..).zip(text.lines()).filter(|it| !is_comment(it.1)).peekable();
    let is_columns = matches!(format, Format::Stamps | Format::Offsets | Format::RoundTrips);
    let names = lines.next_if(|it| is_columns && names(it.1).is_some()).and_then(|it| names(it.1));
    let mut rows: Vec<(usize, Vec<&str>)> = lines.map(|(number, line)| (number, fields(line))).collect();
    let mut notes = Vec::new();
    if matches!(format, Format::Rawstats | Format::Peerstats | Format::Chrony) {
        keep_one_server(&mut rows, 2, &mut notes);
    }
    let exchanges = match format {
        Format::Ping => pings(text)?,
        Format::Stamps => {
            let [unit, _] = units.context(WITHOUT_UNIT)?;
            if unit == Unit::S
                && rows.iter().flat_map(|row| &row.1).filter(|it| is_float(it)).count() > rows.len()
            {
                notes.push(
                    "the timestamps were floats in seconds, which now have a resolution of 240 ns".to_owned(),
                );
            }
            each(&rows, |line, fields| {
                let values: Option<Vec<i64>> = fields.iter().map(|it| ticks(it, unit)).collect();
                Some(Recorded::foreign(line, values?.try_into().ok()?))
            })?
        }
        Format::Offsets | Format::RoundTrips => {
            let columns = names.as_deref().and_then(Columns::of).unwrap_or_else(|| Columns::unnamed(format));
            let named = |column: usize| names.as_ref().and_then(|it| Unit::of_name(it.get(column)?));
            let in_header = || Some([named(columns.at)?, named(columns.trip)?]);
            let units = units.or_else(in_header).context(WITHOUT_UNIT)?;
            let read = rows.iter().map(|(line, fields)| columns.exchange(*line, fields, units));
            let exchanges: Vec<Recorded> = read.filter_map(Result::transpose).collect::<Result<_>>()?;
            if exchanges.len() < rows.len() {
                notes.push(format!("{} lines have no round trip", rows.len() - exchanges.len()));
            }
            exchanges
        }
        Format::Rawstats => each(&rows, rawstats)?,
        Format::Peerstats => each(&rows, peerstats)?,
        Format::Chrony => each(&rows, chrony)?,
    };
    let round_trips_only = matches!(format, Format::RoundTrips | Format::Ping);
    Ok((Recording { exchanges, round_trips_only, ..Recording::default() }, notes))
}

fn of_offset(line: usize, received: i64, offset: i64, round_trip: i64) -> Recorded {
    let sent = received.saturating_sub(round_trip);
    let server = sent.saturating_add(round_trip / 2).saturating_add(offset);
    Recorded::foreign(line, [sent, server, server, received])
}

fn each(
    rows: &[(usize, Vec<&str>)],
    row: impl Fn(usize, &[&str]) -> Option<Recorded>,
) -> Result<Vec<Recorded>> {
    let read = |(line, fields): &(usize, Vec<&str>)| row(*line, fields).with_context(|| wrong(*line, fields));
    rows.iter().map(read).collect()
}

/// Keeps only the server with the most lines, because each server has its own clock.
fn keep_one_server(rows: &mut Vec<(usize, Vec<&str>)>, place: usize, notes: &mut Vec<String>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in rows.iter().filter_map(|row| row.1.get(place)) {
        *counts.entry(name).or_default() += 1;
    }
    let Some((&most, _)) = counts.iter().max_by_key(|it| it.1) else { return };
    if counts.len() > 1 {
        notes.push(format!("the file has {} servers, of which only {most} is read", counts.len()));
        rows.retain(|row| row.1.get(place) == Some(&most));
    }
}

/// Parses lines such as `[1700000000.123456] 64 bytes from 192.0.2.1: icmp_seq=1 ttl=60 time=12.3 ms`.
fn pings(text: &str) -> Result<Vec<Recorded>> {
    let read = |(line, text): (usize, &str)| {
        let (at, rest) = text.strip_prefix('[')?.split_once(']')?;
        let trip = rest.split_once("time=")?.1.split(' ').next()?;
        Some(of_offset(line, ticks(at, Unit::S)?, 0, ticks(trip, Unit::Ms)?))
    };
    let all: Vec<Recorded> = (1..).zip(text.lines()).filter_map(read).collect();
    ensure!(!all.is_empty(), "no line contains a time of arrival; use `ping -D`, which prints it");
    Ok(all)
}

/// Parses day, second, two addresses, and four timestamps in seconds since 1900.
fn rawstats(line: usize, fields: &[&str]) -> Option<Recorded> {
    let stamp = |place: usize| ticks(fields.get(place)?, Unit::S);
    Some(Recorded::foreign(line, [stamp(4)?, stamp(5)?, stamp(6)?, stamp(7)?]))
}

fn peerstats(line: usize, fields: &[&str]) -> Option<Recorded> {
    let &[day, second, _, _, offset, delay, ..] = fields else { return None };
    let day = day.parse::<i64>().ok()?.checked_sub(MJD_1970)?.checked_mul(DAY)?;
    let at = day.checked_add(ticks(second, Unit::S)?)?;
    Some(of_offset(line, at, ticks(offset, Unit::S)?, ticks(delay, Unit::S)?))
}

/// Parses date, time, offset (column 12, positive if the local clock is slow) and delay (column 13).
fn chrony(line: usize, fields: &[&str]) -> Option<Recorded> {
    let date = PrimitiveDateTime::parse(&fields.get(..2)?.join(" "), DATE).ok()?;
    let at = date.assume_utc().unix_timestamp().checked_mul(TICKS_PER_SECOND)?;
    Some(of_offset(line, at, ticks(fields.get(11)?, Unit::S)?, ticks(fields.get(12)?, Unit::S)?))
}
