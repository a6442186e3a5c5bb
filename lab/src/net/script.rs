//! A script that pauses and slows a server's world clock. World time is an exact function of server time, so
//! the script defines the true world time at any instant.

use anyhow::{Result, ensure};
use netclock::timeline::Rate;
use netclock::{ServerTime, Span, WorldTime};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Pause,
    /// The rate is 0.2.
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
    pub(crate) at: Span,
    pub(crate) length: Span,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    parts: Vec<Part>,
}

impl Script {
    pub(crate) fn new(mut parts: Vec<Part>) -> Result<Self> {
        parts.sort_by_key(|part| part.at);
        let mut free = Span::ZERO;
        for Part { at, length, .. } in &parts {
            ensure!(*at >= free, "two events in the world's script overlap");
            free = *at + *length;
        }
        Ok(Script { parts })
    }

    pub(crate) fn with(&self, part: Part) -> Result<Self> {
        Self::new([&self.parts[..], &[part]].concat())
    }

    pub(crate) fn world_at(&self, real: ServerTime) -> WorldTime {
        let since = Span::from_ticks(real.ticks());
        let lost = |Part { kind, at, length }: &Part| {
            let ticks = (since - *at).max(Span::ZERO).min(*length).ticks();
            if *kind == Kind::Pause { ticks } else { ticks - ticks / 5 }
        };
        WorldTime::from_ticks(real.ticks() - self.parts.iter().map(lost).sum::<i64>())
    }

    pub(crate) fn rate_at(&self, real: ServerTime) -> Rate {
        let since = Span::from_ticks(real.ticks());
        let now = self.parts.iter().find(|it| (it.at..it.at + it.length).contains(&since));
        now.map_or(Rate::ONE, |it| match it.kind {
            Kind::Pause => Rate::PAUSED,
            Kind::Slow => Rate::new(0.2).unwrap_or(Rate::ONE),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(parts: &[(Kind, i64, i64)]) -> Result<Script> {
        let seconds = Span::from_secs;
        let part = |&(kind, at, length)| Part { kind, at: seconds(at), length: seconds(length) };
        Script::new(parts.iter().map(part).collect())
    }

    #[test]
    fn the_world_runs_at_its_rate_and_never_backward() {
        let script = script(&[(Kind::Slow, 9, 3), (Kind::Pause, 4, 2), (Kind::Pause, 2, 2)]).unwrap();
        let world = |millis: i64| script.world_at(ServerTime::from_ticks(millis * 10_000)).ticks() / 10_000;
        assert_eq!([0, 2_000, 5_000, 6_000, 9_000].map(world), [0, 2_000, 2_000, 2_000, 5_000]);
        assert_eq!([12_000, 13_000].map(world), [5_600, 6_600]);
        let mut last = script.world_at(ServerTime::from_ticks(0));
        for millis in 1..20_000 {
            let rate = script.rate_at(ServerTime::from_ticks(millis * 10_000 - 5_000)).as_f64();
            let now = script.world_at(ServerTime::from_ticks(millis * 10_000));
            let passed = (now - last).ticks();
            assert!(passed >= 0, "{millis}: {passed} {rate}");
            assert!((passed as f64 - rate * 10_000.0).abs() < 2.0, "{millis}: {passed} {rate}");
            last = now;
        }
    }

    #[test]
    fn overlapping_events_are_rejected() {
        for parts in [[(Kind::Pause, 1, 2), (Kind::Slow, 2, 2)], [(Kind::Pause, -1, 2), (Kind::Slow, 2, 2)]] {
            let error = script(&parts).map_or_else(|error| error.to_string(), |_| String::new());
            assert!(error.contains("overlap"), "{parts:?}: {error}");
        }
    }
}
