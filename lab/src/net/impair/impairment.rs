//! The settings for one direction of a path, in the notation that users type.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, anyhow, bail, ensure};
use serde::Serialize;

use netclock_sim::leg::LegConfig;

/// Settings such as `delay=25,jitter=6,loss=5`. By default, nothing is impaired.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Impairment {
    pub(crate) delay: f64,
    /// The mean of the exponential part of the delay (ms).
    pub(crate) jitter: f64,
    pub(crate) loss: f64,
    /// The share of datagrams that are duplicated (%).
    pub(crate) duplicate: f64,
    /// The share of datagrams that are held back for `hold` (%), so that later ones overtake them.
    pub(crate) reorder: f64,
    pub(crate) hold: f64,
    /// The rate of the queue (bytes per second), or 0 for no queue.
    pub(crate) rate: f64,
    /// The capacity of the queue (bytes). Datagrams that do not fit are dropped.
    pub(crate) queue: f64,
    /// The share of the rate (%) that other traffic uses with 1200-byte datagrams at random times.
    pub(crate) other: f64,
}

impl Default for Impairment {
    fn default() -> Self {
        Impairment {
            delay: 0.0,
            jitter: 0.0,
            loss: 0.0,
            duplicate: 0.0,
            reorder: 0.0,
            hold: 10.0,
            rate: 0.0,
            queue: 32_000.0,
            other: 0.0,
        }
    }
}

pub(crate) const SETTINGS: &str = "delay, jitter, hold (ms), loss, duplicate, reorder, other (%), rate \
                                   (bytes/s), queue (bytes)";

type Setting = (&'static str, f64, fn(&mut Impairment) -> &mut f64);

const MINUTE_MS: f64 = 60_000.0;
const ALL: [Setting; 9] = [
    ("delay", MINUTE_MS, |it| &mut it.delay),
    ("jitter", MINUTE_MS, |it| &mut it.jitter),
    ("loss", 100.0, |it| &mut it.loss),
    ("duplicate", 100.0, |it| &mut it.duplicate),
    ("reorder", 100.0, |it| &mut it.reorder),
    ("hold", MINUTE_MS, |it| &mut it.hold),
    ("rate", 1e10, |it| &mut it.rate),
    ("queue", 1e9, |it| &mut it.queue),
    ("other", 95.0, |it| &mut it.other),
];

impl Impairment {
    pub(crate) fn with(mut self, text: &str) -> Result<Self> {
        for change in text.split([',', ' ']).filter(|change| !change.is_empty()) {
            let (name, value) = change
                .split_once('=')
                .ok_or_else(|| anyhow!("`{change}` is not NAME=NUMBER; names: {SETTINGS}"))?;
            let number: f64 = value.parse().map_err(|_| anyhow!("`{change}`: `{value}` is not a number"))?;
            let Some((_, most, field)) = ALL.iter().find(|known| known.0 == name) else {
                bail!("unknown setting `{name}`; the settings are {SETTINGS}")
            };
            ensure!((0.0..=*most).contains(&number), "`{change}`: the range is 0 to {most}");
            *field(&mut self) = number;
        }
        Ok(self)
    }

    pub(super) fn leg(&self) -> LegConfig {
        LegConfig {
            base_ms: self.delay,
            jitter_ms: self.jitter,
            loss: self.loss / 100.0,
            duplicate: self.duplicate / 100.0,
            reorder: self.reorder / 100.0,
            reorder_ms: self.hold,
            ..LegConfig::default()
        }
    }
}

impl FromStr for Impairment {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        Impairment::default().with(text)
    }
}

impl fmt::Display for Impairment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut own, mut off) = (*self, Impairment::default());
        let shown = ALL.iter().filter_map(|(name, _, field)| {
            let is_on = match *name {
                "delay" => true,
                "hold" => own.reorder != off.reorder,
                "queue" => own.rate != off.rate,
                _ => field(&mut own) != field(&mut off),
            };
            is_on.then(|| format!("{name}={}", field(&mut own)))
        });
        f.write_str(&shown.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_parsed_and_written() -> Result<()> {
        let settings: Impairment = "delay=25,jitter=6 loss=5".parse()?;
        assert_eq!((settings.delay, settings.jitter, settings.loss), (25.0, 6.0, 5.0));
        assert_eq!(settings.to_string(), "delay=25,jitter=6,loss=5");
        assert_eq!(settings.with("delay=65,loss=0")?.to_string(), "delay=65,jitter=6");
        let leg = settings.with("duplicate=2,reorder=3,hold=7")?.leg();
        assert_eq!((leg.base_ms, leg.jitter_ms, leg.loss), (25.0, 6.0, 0.05));
        assert_eq!((leg.duplicate, leg.reorder, leg.reorder_ms), (0.02, 0.03, 7.0));
        for (wrong, hint) in [
            ("speed=1", "unknown setting"),
            ("loss", "NAME=NUMBER"),
            ("loss=x", "not a number"),
            ("loss=101", "0 to 100"),
        ] {
            let error = wrong.parse::<Impairment>().map_or_else(|error| error.to_string(), |_| String::new());
            assert!(error.contains(hint), "{wrong}: {error}");
        }
        assert!("delay=NaN".parse::<Impairment>().is_err());
        Ok(())
    }
}
