//! A script that pauses and slows a server's world clock. World time is an exact function of server time, so
//! the script is the truth at any instant.

use std::f64::consts::TAU;

use anyhow::{Result, ensure};
use netclock::timeline::Rate;
use netclock::{ServerTime, Span, WorldTime};

const SLOWEST: f64 = 0.2;
/// The mean rate during slow motion is this much below 1.
const MEAN_LOSS: f64 = (1.0 - SLOWEST) / 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pause,
    /// The rate follows a cosine from 1 to 0.2 and back.
    Slow,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Pause => "pause",
            Kind::Slow => "slow motion",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) kind: Kind,
    /// Relative to the server's start.
    pub(crate) at: Span,
    pub(crate) length: Span,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    pub(crate) parts: Vec<Part>,
}

impl Part {
    /// Returns how much world time the event has taken away `elapsed` after its start.
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
    pub(crate) fn new(mut parts: Vec<Part>) -> Result<Self> {
        parts.sort_by_key(|part| part.at);
        let mut free = Span::ZERO;
        for Part { at, length, .. } in &parts {
            ensure!(*length > Span::ZERO, "an event in the world's script has no duration");
            ensure!(*at >= free, "two events in the world's script overlap");
            free = *at + *length;
        }
        Ok(Script { parts })
    }

    pub(crate) fn with(&self, part: Part) -> Result<Self> {
        let mut parts = self.parts.clone();
        parts.push(part);
        Self::new(parts)
    }

    pub(crate) fn world_at(&self, real: ServerTime) -> WorldTime {
        let since = Span::from_ticks(real.ticks());
        let lost: i64 = self.parts.iter().map(|part| part.lost(since - part.at).ticks()).sum();
        WorldTime::from_ticks(real.ticks() - lost)
    }

    pub(crate) fn rate_at(&self, real: ServerTime) -> Rate {
        let since = Span::from_ticks(real.ticks());
        self.parts.iter().find_map(|part| part.rate(since - part.at)).unwrap_or(Rate::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> ServerTime {
        ServerTime::from_ticks(millis * 10_000)
    }

    fn script(parts: &[(Kind, i64, i64)]) -> Result<Script> {
        let seconds = Span::from_secs;
        let part = |&(kind, at, length)| Part { kind, at: seconds(at), length: seconds(length) };
        Script::new(parts.iter().map(part).collect())
    }

    #[test]
    fn pauses_and_slow_motion_lose_world_time() {
        let script = script(&[(Kind::Slow, 9, 3), (Kind::Pause, 4, 2)]).unwrap();
        let world = |millis| script.world_at(at(millis)).ticks() / 10_000;
        assert_eq!([0, 4_000, 5_000, 6_000, 9_000].map(world), [0, 4_000, 4_000, 4_000, 7_000]);
        assert_eq!([12_000, 13_000].map(world), [8_800, 9_800]);
        let rate = |millis| script.rate_at(at(millis)).as_f64();
        assert_eq!([3_999, 4_000, 5_999, 6_000, 9_000, 12_000].map(rate), [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert!((rate(10_500) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn the_world_runs_at_its_rate_and_never_backward() {
        let script = script(&[(Kind::Pause, 1, 1), (Kind::Slow, 2, 3), (Kind::Pause, 9, 2)]).unwrap();
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
    fn overlapping_and_empty_events_are_rejected() {
        for (parts, why) in [
            ([(Kind::Pause, 1, 2), (Kind::Slow, 2, 2)], "overlap"),
            ([(Kind::Pause, -1, 2), (Kind::Slow, 2, 2)], "overlap"),
            ([(Kind::Pause, 1, 1), (Kind::Slow, 2, 0)], "has no duration"),
        ] {
            let error = script(&parts).map_or_else(|error| error.to_string(), |_| String::new());
            assert!(error.contains(why), "{parts:?}: {error}");
        }
    }
}
