//! The formats of other programs and their detection.

use clap::ValueEnum;

use super::lines::{Columns, fields, is_comment, names};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
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
    /// The format's name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned())
    }

    pub fn names() -> String {
        let names: Vec<String> = Self::value_variants().iter().map(|it| it.name()).collect();
        names.join(", ")
    }

    /// Detects the format of a text; `None` if it is not recognised.
    pub fn of(text: &str) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !is_comment(line));
        let first = lines.next()?;
        if first.starts_with("PING ") || is_ping(first) {
            return Some(Self::Ping);
        }
        let line = if names(first).is_some() { lines.next().map(fields)? } else { fields(first) };
        match names(first).as_deref().and_then(Columns::of) {
            Some(it) if line.len() >= 2 => Some(it.format()),
            _ => {
                let are_numbers = line.iter().all(|field| field.parse::<f64>().is_ok());
                (line.len() == 4 && are_numbers).then_some(Self::Stamps)
            }
        }
    }
}

fn is_ping(line: &str) -> bool {
    line.starts_with('[') && line.contains("bytes from")
}
