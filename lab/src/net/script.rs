//! Scripts of pauses and slow motion for a server's world clock.
//!
//! World time is an exact function of server time, so anyone who knows the script knows the truth at any
//! instant.

use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use netclock::timeline::Rate;
use netclock::{ServerTime, Span, WorldTime};

/// The slowest rate during slow motion, reached in the middle.
const SLOWEST: f64 = 0.2;
/// The mean rate during slow motion is this much below one.
const MEAN_LOSS: f64 = (1.0 - SLOWEST) / 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The world stands still.
    Pause,
    /// The rate follows a cosine from 1 to 0.2 and back.
    Slow,
}

impl Kind {
    /// The kind's name in words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Pause => "pause",
            Kind::Slow => "slow motion",
        }
    }
}

/// An event of the world's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) kind: Kind,
    /// When the event begins, counted from the server's start.
    pub(crate) at: Span,
    pub(crate) length: Span,
}

/// All events. With a period, they repeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    parts: Vec<Part>,
    every: Option<Span>,
}

impl Part {
    /// The world time lost by `elapsed` after the beginning of the event.
    fn lost(&self, elapsed: Span) -> Span {
        let elapsed = elapsed.max(Span::ZERO).min(self.length);
        match self.kind {
            Kind::Pause => elapsed,
            Kind::Slow => {
                let turn = self.turn(elapsed);
                let lost = MEAN_LOSS * (turn - turn.sin()) / TAU * self.length.ticks() as f64;
                Span::from_ticks(lost.round() as i64)
            }
        }
    }

    fn rate(&self, elapsed: Span) -> Option<Rate> {
        if elapsed < Span::ZERO || elapsed >= self.length {
            return None;
        }
        match self.kind {
            Kind::Pause => Some(Rate::PAUSED),
            Kind::Slow => Rate::new(1.0 - MEAN_LOSS * (1.0 - self.turn(elapsed).cos())),
        }
    }

    fn turn(&self, elapsed: Span) -> f64 {
        TAU * elapsed.ticks() as f64 / self.length.ticks() as f64
    }
}

impl Script {
    /// A script with these `parts`, repeated after `every`.
    pub(crate) fn new(mut parts: Vec<Part>, every: Option<Span>) -> Result<Self> {
        parts.sort_by_key(|part| part.at);
        let mut free = Span::ZERO;
        for Part { at, length, .. } in &parts {
            ensure!(*length > Span::ZERO, "a part of the world's script has no duration");
            ensure!(*at >= free, "two parts of the world's script overlap");
            free = *at + *length;
        }
        ensure!(every.is_none_or(|every| every >= free), "the world's script is longer than its period");
        ensure!(every.is_none_or(|every| every > Span::ZERO), "the period of the world's script is zero");
        Ok(Script { parts, every })
    }

    /// This script with one additional part.
    pub(crate) fn with(&self, part: Part) -> Result<Self> {
        let mut parts = self.parts.clone();
        parts.push(part);
        Self::new(parts, self.every)
    }

    /// The world's time: the server's time minus the lost time, exactly.
    pub(crate) fn world_at(&self, real: ServerTime) -> WorldTime {
        let (round, since) = self.round(real);
        let of_one = |since: Span| {
            let lost = |sum, part: &Part| sum + part.lost(since - part.at);
            self.parts.iter().fold(Span::ZERO, lost)
        };
        let whole = of_one(Span::MAX).ticks() * round;
        WorldTime::from_ticks(real.ticks() - whole - of_one(since).ticks())
    }

    /// The rate of the world's clock.
    pub(crate) fn rate_at(&self, real: ServerTime) -> Rate {
        let (_, since) = self.round(real);
        self.parts.iter().find_map(|part| part.rate(since - part.at)).unwrap_or(Rate::ONE)
    }

    /// The number of whole periods passed, and the time since.
    fn round(&self, real: ServerTime) -> (i64, Span) {
        let ticks = real.ticks();
        match self.every {
            Some(every) => {
                (ticks.div_euclid(every.ticks()), Span::from_ticks(ticks.rem_euclid(every.ticks())))
            }
            None => (0, Span::from_ticks(ticks)),
        }
    }

    /// All parts that begin before `end`, including repetitions. Their times count from the server's start.
    pub(crate) fn parts_until(&self, end: Span) -> Vec<Part> {
        let rounds = self.every.map_or(1, |every| end.ticks() / every.ticks() + 1);
        let every = self.every.unwrap_or(Span::ZERO);
        let all = (0..rounds).flat_map(|round| {
            let shift = Span::from_ticks(round * every.ticks());
            self.parts.iter().map(move |part| Part { at: part.at + shift, ..*part })
        });
        all.filter(|part| part.at < end).collect()
    }
}

impl FromStr for Script {
    type Err = anyhow::Error;

    /// Parses a text such as `pause=4+2,slow=9+3,every=14`: kind, beginning and length, in seconds.
    fn from_str(text: &str) -> Result<Self> {
        let (mut parts, mut every) = (Vec::new(), None);
        for item in text.split(',').filter(|item| !item.is_empty()) {
            let usage =
                || format!("`{item}`: expected pause=AT+LENGTH, slow=AT+LENGTH or every=PERIOD, in seconds");
            let (what, times) = item.split_once('=').with_context(usage)?;
            if what == "every" {
                every = Some(seconds(times).with_context(usage)?);
                continue;
            }
            let kind = match what {
                "pause" => Kind::Pause,
                "slow" => Kind::Slow,
                _ => bail!(usage()),
            };
            let (at, length) = times.split_once('+').with_context(usage)?;
            let (at, length) = (seconds(at).with_context(usage)?, seconds(length).with_context(usage)?);
            parts.push(Part { kind, at, length });
        }
        Script::new(parts, every)
    }
}

/// Parses a number of seconds from 0 to one year, exact to the tick.
fn seconds(text: &str) -> Option<Span> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=3.2e7).contains(&seconds).then(|| Span::from_secs_f64(seconds))
}

impl fmt::Display for Script {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Part { kind, at, length }) in self.parts.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let name = match kind {
                Kind::Pause => "pause",
                Kind::Slow => "slow",
            };
            write!(out, "{comma}{name}={}+{}", at.as_secs_f64(), length.as_secs_f64())?;
        }
        let comma = if self.parts.is_empty() { "" } else { "," };
        self.every.map_or(Ok(()), |every| write!(out, "{comma}every={}", every.as_secs_f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> ServerTime {
        ServerTime::from_ticks(millis * 10_000)
    }

    fn script(text: &str) -> Script {
        text.parse().expect("a script")
    }

    #[test]
    fn pauses_and_slow_motion_cost_what_they_should() {
        let script = script("slow=9+3,pause=4+2");
        let world = |millis| script.world_at(at(millis)).ticks() / 10_000;
        assert_eq!([0, 4_000, 5_000, 6_000, 9_000].map(world), [0, 4_000, 4_000, 4_000, 7_000]);
        assert_eq!([12_000, 13_000].map(world), [8_800, 9_800]);
        let rate = |millis| script.rate_at(at(millis)).as_f64();
        assert_eq!([3_999, 4_000, 5_999, 6_000, 9_000, 12_000].map(rate), [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert!((rate(10_500) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn the_world_runs_at_the_rate_that_is_said_and_never_falls() {
        let script = script("pause=1+0.5,slow=2+3,every=6");
        let mut last = script.world_at(at(0));
        for millis in 1..20_000 {
            let (world, middle) =
                (script.world_at(at(millis)), ServerTime::from_ticks(millis * 10_000 - 5_000));
            let said = script.rate_at(middle).as_f64() * 10_000.0;
            let passed = (world - last).ticks();
            assert!(passed >= 0, "{millis}: {passed} {said}");
            assert!((passed as f64 - said).abs() < 2.0, "{millis}: {passed} {said}");
            last = world;
        }
    }

    #[test]
    fn texts_are_read_back_and_wrong_ones_explained() {
        for text in ["", "pause=4+2,slow=9+3,every=14", "slow=0.25+1.5"] {
            assert_eq!(script(text).to_string(), text);
        }
        // Exact to the tick, because server and clients get the script as text.
        for ticks in [1, 123_456_789, 85_999_999] {
            let part =
                Part { kind: Kind::Slow, at: Span::from_ticks(ticks), length: Span::from_ticks(7 * ticks) };
            let exact = Script::new(vec![part], None).expect("a script");
            assert_eq!(script(&exact.to_string()), exact);
        }
        for (text, cure) in [
            ("pause", "expected pause="),
            ("stop=1+2", "expected pause="),
            ("pause=1", "expected pause="),
            ("pause=-1+2", "expected pause="),
            ("pause=nan+2", "expected pause="),
            ("pause=1+0", "has no duration"),
            ("pause=1+2,slow=2+2", "overlap"),
            ("pause=1+2,every=2", "longer than its period"),
            ("every=0", "zero"),
        ] {
            let error = text.parse::<Script>().map_or_else(|error| error.to_string(), |_| String::new());
            assert!(error.contains(cure), "{text}: {error}");
        }
    }

    #[test]
    fn parts_are_listed_round_by_round() {
        let listed = script("pause=1+1,every=3").parts_until(Span::from_secs(5));
        let begins: Vec<i64> = listed.iter().map(|part| part.at.ticks() / 10_000_000).collect();
        assert_eq!(begins, [1, 4]);
    }
}
