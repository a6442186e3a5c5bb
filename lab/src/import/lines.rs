//! Formats of one exchange a line.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use netclock_sim::measure::figures::{nearest_rank, sorted};

use super::format::Format;
use super::number::{Unit, is_float, ticks};
use super::{Found, Stamps};

/// Ticks of a day, and the days of 1970-01-01 in the Modified Julian Date.
const DAY: i64 = 86_400 * 10_000_000;
const MJD_1970: i64 = 40_587;

/// The fields of a line, separated by commas, semicolons or spaces.
pub(super) fn fields(line: &str) -> Vec<&str> {
    line.split([',', ';', ' ', '\t']).map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// True for lines without data: comments, and chrony's banners.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#') || line.starts_with("===") || line.contains("Date (UTC)")
}

/// The exchanges of a text.
pub(super) fn read(text: &str, format: Format, unit: Option<Unit>) -> Result<Found> {
    let mut rows: Vec<(usize, Vec<&str>)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|it| !is_comment(it.1)) {
        rows.push((number, fields(line)));
    }
    let mut notes = Vec::new();
    let is_columns = matches!(format, Format::Stamps | Format::Offsets | Format::RoundTrips);
    if is_columns && rows.first().is_some_and(|row| row.1.iter().any(|it| it.parse::<f64>().is_err())) {
        let header = rows.remove(0).1.join(" ").to_lowercase();
        // The columns of `study bench --trace` name their own units.
        if header == "t_send_s rtt_ms" {
            return Ok(Found { stamps: trips(&rows, [Unit::S, Unit::Ms])?, round_trips_only: true, notes });
        }
    }
    if let Some(place) = match format {
        Format::Rawstats | Format::Peerstats | Format::Chrony => Some(2),
        _ => None,
    } {
        keep_one_server(&mut rows, place, &mut notes);
    }
    let unit = || match unit {
        Some(unit) => Ok(unit),
        None => recognised(&rows, format),
    };
    let stamps = match format {
        Format::RoundTrips => trips(&rows, [unit()?; 2])?,
        Format::Ping => pings(text),
        Format::Stamps | Format::Offsets => {
            let unit = unit()?;
            if unit == Unit::S
                && rows.iter().flat_map(|row| &row.1).filter(|it| is_float(it)).count() > rows.len()
            {
                notes
                    .push("the stamps were floats of seconds, which are 240 ns apart in our days".to_owned());
            }
            each(&rows, |line, fields| columns(line, fields, format, unit))?
        }
        Format::Rawstats => each(&rows, rawstats)?,
        Format::Peerstats => each(&rows, peerstats)?,
        Format::Chrony => each(&rows, chrony)?,
        Format::Irtt => bail!("irtt writes JSON"),
    };
    Ok(Found { stamps, round_trips_only: matches!(format, Format::RoundTrips | Format::Ping), notes })
}

/// The stamps of each row.
fn each(rows: &[(usize, Vec<&str>)], row: impl Fn(usize, &[&str]) -> Option<Stamps>) -> Result<Vec<Stamps>> {
    let read = |(line, fields): &(usize, Vec<&str>)| {
        row(*line, fields)
            .with_context(|| format!("line {line}: \"{}\" is not of this format", fields.join(" ")))
    };
    rows.iter().map(read).collect()
}

/// Several servers have several clocks: keeps the one with the most lines.
fn keep_one_server(rows: &mut Vec<(usize, Vec<&str>)>, place: usize, notes: &mut Vec<String>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in rows.iter().filter_map(|row| row.1.get(place)) {
        *counts.entry(name).or_default() += 1;
    }
    let Some((&most, _)) = counts.iter().max_by_key(|it| it.1) else { return };
    if counts.len() > 1 {
        notes.push(format!("the file has {} servers; only {most} is read", counts.len()));
        rows.retain(|row| row.1.get(place) == Some(&most));
    }
}

/// The only unit in which the numbers can be times of exchanges.
fn recognised(rows: &[(usize, Vec<&str>)], format: Format) -> Result<Unit> {
    let values = |row: &(usize, Vec<&str>)| {
        row.1.iter().map(|it| it.parse::<f64>().ok()).collect::<Option<Vec<f64>>>()
    };
    let rows: Vec<Vec<f64>> = rows.iter().filter_map(values).filter(|it| it.len() >= 2).collect();
    let last = |row: &[f64]| row[row.len() - 1];
    let trip = |row: &Vec<f64>| if format == Format::Stamps { last(row) - row[0] } else { last(row) };
    let median = |values: Vec<f64>| nearest_rank(&values, 0.5).unwrap_or(0.0);
    let trip = median(sorted(rows.iter().map(trip)));
    let apart = median(sorted(rows.windows(2).map(|pair| (pair[1][0] - pair[0][0]).abs())));
    let at = rows.first().map_or(0.0, |row| row[0]);
    let possible = Unit::possible(at, trip, apart);
    ensure!(
        possible.len() == 1,
        "the unit is not clear: round trips are {trip} and exchanges {apart} apart in the median; give \
         --unit s, ms, us, ticks or ns"
    );
    Ok(possible[0])
}

fn columns(line: usize, fields: &[&str], format: Format, unit: Unit) -> Option<Stamps> {
    let values: Vec<i64> = fields.iter().map(|it| ticks(it, unit)).collect::<Option<_>>()?;
    match (format, &values[..]) {
        (Format::Stamps, &[client_sent, server_received, server_sent, client_received]) => {
            Some(Stamps { line, client_sent, server_received, server_sent, client_received })
        }
        (Format::Offsets, &[received, offset, round_trip]) => {
            Some(Stamps::of_offset(line, received, offset, round_trip))
        }
        _ => None,
    }
}

/// Round trips alone: when each request left, and how long it took.
fn trips(rows: &[(usize, Vec<&str>)], units: [Unit; 2]) -> Result<Vec<Stamps>> {
    each(rows, |line, fields| {
        let &[sent, trip] = fields else { return None };
        let (sent, trip) = (ticks(sent, units[0])?, ticks(trip, units[1])?);
        Some(Stamps::of_offset(line, sent.checked_add(trip)?, 0, trip))
    })
}

/// Lines such as `[1700000000.123456] 64 bytes from 192.0.2.1: icmp_seq=1 ttl=60 time=12.3 ms`.
fn pings(text: &str) -> Vec<Stamps> {
    let read = |(line, text): (usize, &str)| {
        let (at, rest) = text.strip_prefix('[')?.split_once(']')?;
        let trip = rest.split_once("time=")?.1.split(' ').next()?;
        Some(Stamps::of_offset(line, ticks(at, Unit::S)?, 0, ticks(trip, Unit::Ms)?))
    };
    (1..).zip(text.lines()).filter_map(read).collect()
}

/// Day, second, two addresses, and the four stamps in seconds since 1900.
fn rawstats(line: usize, fields: &[&str]) -> Option<Stamps> {
    let stamp = |place: usize| ticks(fields.get(place)?, Unit::S);
    Some(Stamps {
        line,
        client_sent: stamp(4)?,
        server_received: stamp(5)?,
        server_sent: stamp(6)?,
        client_received: stamp(7)?,
    })
}

/// Day, second, address, status, offset, delay.
fn peerstats(line: usize, fields: &[&str]) -> Option<Stamps> {
    let &[day, second, _, _, offset, delay, ..] = fields else { return None };
    let day = day.parse::<i64>().ok()?.checked_sub(MJD_1970)?.checked_mul(DAY)?;
    let at = day.checked_add(ticks(second, Unit::S)?)?;
    Some(Stamps::of_offset(line, at, ticks(offset, Unit::S)?, ticks(delay, Unit::S)?))
}

/// Date, time, and, as columns 12 and 13, offset and delay. Positive means that the local clock is slow.
fn chrony(line: usize, fields: &[&str]) -> Option<Stamps> {
    let (date, time) = (fields.first()?, fields.get(1)?);
    let part = |text: &str, by: char, at: usize| text.split(by).nth(at)?.parse::<i64>().ok();
    let days = days(part(date, '-', 0)?, part(date, '-', 1)?, part(date, '-', 2)?);
    let seconds = part(time, ':', 0)? * 3_600 + part(time, ':', 1)? * 60 + part(time, ':', 2)?;
    let at = days.checked_mul(DAY)?.checked_add(seconds.checked_mul(10_000_000)?)?;
    Some(Stamps::of_offset(line, at, ticks(fields.get(11)?, Unit::S)?, ticks(fields.get(12)?, Unit::S)?))
}

/// Days since 1970-01-01 in the Gregorian calendar: years begin in March, so that leap days are their last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 719_469
}

#[cfg(test)]
mod tests {
    use super::days;

    #[test]
    fn days_are_counted_from_1970() {
        let dates = [(1970, 1, 1), (1970, 3, 1), (2000, 2, 29), (2000, 3, 1), (2026, 11, 25)];
        assert_eq!(dates.map(|(year, month, day)| days(year, month, day)), [0, 59, 11_016, 11_017, 20_782]);
    }
}
