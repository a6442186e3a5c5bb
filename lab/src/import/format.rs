use clap::ValueEnum;

use super::lines::{Columns, fields, is_comment, names};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// ntpd's `rawstats`: four timestamps
    Rawstats,
    /// ntpd's `peerstats`: offset and delay
    Peerstats,
    /// chrony's `measurements.log` or `rawmeasurements.log`: offset and delay
    Chrony,
    /// Four columns: client sent, server received, server sent, client received
    Stamps,
    /// Columns: client received, offset (server minus client), round trip
    Offsets,
    /// Columns: client sent, round trip
    RoundTrips,
    /// The output of `ping -D`
    Ping,
}

impl Format {
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned())
    }

    pub fn names() -> String {
        let names: Vec<String> = Self::value_variants().iter().map(|it| it.name()).collect();
        names.join(", ")
    }

    pub fn of(text: &str) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !is_comment(line));
        let first = lines.next()?;
        if first.starts_with("PING ") || is_ping(first) {
            return Some(Self::Ping);
        }
        let is_number = |field: &&str| field.parse::<f64>().is_ok();
        let is_date = |text: &&str| text.len() == 10 && text.matches('-').count() == 2;
        let line = if names(first).is_some() { lines.next().map(fields)? } else { fields(first) };
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
        match names(first).as_deref().and_then(Columns::of) {
            Some(it) if line.len() >= 2 => Some(it.format()),
            _ => (line.len() == 4 && are_numbers(0, 4)).then_some(Self::Stamps),
        }
    }
}

fn is_ping(line: &str) -> bool {
    line.starts_with('[') && line.contains("bytes from")
}
