//! The formats of other programs, and how to recognise them.

use clap::ValueEnum;

use super::lines::{fields, is_comment};

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// ntpd's `rawstats`: the four stamps
    Rawstats,
    /// ntpd's `peerstats`: offset and delay
    Peerstats,
    /// chrony's `measurements.log` or `rawmeasurements.log`: offset and delay
    Chrony,
    /// Four columns: client sent, server received, server sent, client received
    Stamps,
    /// Three columns: client received, offset (server minus client), round trip
    Offsets,
    /// Two columns: client sent, round trip
    RoundTrips,
    /// The output of `ping -D`
    Ping,
    /// The JSON of `irtt client -o FILE.json`
    Irtt,
}

impl Format {
    /// Its name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned())
    }

    /// All names.
    pub fn names() -> String {
        let names: Vec<String> = Self::value_variants().iter().map(|it| it.name()).collect();
        names.join(", ")
    }

    /// The format of a text; `None` if it is not recognised.
    pub fn of(text: &str) -> Option<Self> {
        if text.trim_start().starts_with('{') {
            return text.contains("\"round_trips\"").then_some(Self::Irtt);
        }
        let mut lines = text.lines().filter(|line| !is_comment(line));
        let first = lines.next()?;
        if first.starts_with("PING ") || is_ping(first) {
            return Some(Self::Ping);
        }
        let is_number = |field: &&str| field.parse::<f64>().is_ok();
        let is_date = |text: &&str| text.len() == 10 && text.matches('-').count() == 2;
        let header = fields(first);
        let has_header = !header.first().is_some_and(|it| is_number(it) || is_date(it));
        let line = if has_header { lines.next().map(fields)? } else { header.clone() };
        let is_day = line.first().is_some_and(|it| it.len() == 5 && it.bytes().all(|it| it.is_ascii_digit()));
        let are_numbers =
            |from: usize, to: usize| line.get(from..to).is_some_and(|it| it.iter().all(is_number));
        if is_day && !line.get(2).is_some_and(is_number) && are_numbers(4, 8) && line[7].len() > 10 {
            return Some(Self::Rawstats);
        }
        if is_day && (7..=8).contains(&line.len()) && are_numbers(4, line.len()) {
            return Some(Self::Peerstats);
        }
        if line.len() >= 17 && line.first().is_some_and(is_date) {
            return Some(Self::Chrony);
        }
        let names = header.join(" ").to_lowercase();
        match (line.len(), are_numbers(0, line.len())) {
            (4, true) => Some(Self::Stamps),
            (3, true) if names.contains("offset") => Some(Self::Offsets),
            (2, true) if has_header && (names.contains("rtt") || names.contains("round")) => {
                Some(Self::RoundTrips)
            }
            _ => None,
        }
    }
}

fn is_ping(line: &str) -> bool {
    line.starts_with('[') && line.contains("bytes from")
}
