//! The reads of one client, as figures and curves: an hour of them needs no more memory than a minute.
//!
//! A read counts three seconds after it was reported. Until then it may turn out that the clock was set
//! before it.

use std::collections::VecDeque;

use netclock::Span;

use super::phase::Phase;
use super::protocol::{Read, WorldRead};
use crate::game::script::Kind;
use crate::report::envelope::Envelope;
use crate::report::quantiles::Quantiles;
use crate::report::words::finite_ms;

/// Errors count from this time on.
pub(crate) const SETTLED: Span = Span::from_secs(5);
/// A client synchronises again for this long after a discontinuity of its clock.
pub(crate) const RESYNC: Span = Span::from_secs(1);
/// A clock has synchronised again once its error stays below this.
pub(crate) const RESYNCED: Span = Span::from_millis(1);
/// Reads wait for this long until they count.
const WAIT: Span = Span::from_secs(3);
/// A longer gap between reads interrupts a line.
const GAP: Span = Span::from_millis(250);

/// The reads of a client.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reads {
    /// The newest one.
    latest: Option<Read>,
    /// Those that do not count yet, with the times since the start.
    waiting: VecDeque<(Span, Read)>,
    /// When the clock was set lately, or declared that it may have to be set.
    discontinuities: VecDeque<Span>,
    /// When the last read that counts was.
    counted: Option<Span>,
    pub(crate) figures: Figures,
    pub(crate) curves: Curves,
}

/// Sizes of errors and bounds (ticks).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    /// From second 5 on.
    pub(crate) error: Quantiles,
    /// The same without the second after each discontinuity.
    pub(crate) apart: Quantiles,
    /// Longest time from a discontinuity to the last read with an error above 1 ms, within one second; none
    /// without discontinuities.
    pub(crate) resync: Option<Span>,
    pub(crate) world: WorldFigures,
}

/// Sizes of errors and bounds of the world's time (ticks).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WorldFigures {
    pub(crate) error: Quantiles,
    pub(crate) paused: Quantiles,
    pub(crate) slow: Quantiles,
    /// Without pauses, slow motion, the second after each, and the second after discontinuities.
    pub(crate) calm: Quantiles,
    /// Of finite bounds.
    pub(crate) bound: Quantiles,
    pub(crate) if_unchanged: Quantiles,
}

/// Curves over time (s, ms).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curves {
    pub(crate) error: Envelope,
    pub(crate) bound: Envelope,
    pub(crate) expected: Envelope,
    pub(crate) world_error: Envelope,
    pub(crate) world_bound: Envelope,
    pub(crate) world_if_unchanged: Envelope,
}

impl Reads {
    /// The newest read.
    pub(crate) fn latest(&self) -> Option<&Read> {
        self.latest.as_ref()
    }

    /// The clock declared a discontinuity at this time since the start.
    pub(crate) fn set_at(&mut self, at: Span) {
        self.figures.resync = self.figures.resync.or(Some(Span::ZERO));
        self.discontinuities.push_back(at);
    }

    /// Adds reads, with the times since the start. The phases are those of the server's world.
    pub(crate) fn add(&mut self, reads: impl IntoIterator<Item = (Span, Read)>, phases: &[Phase]) {
        for (at, read) in reads {
            self.latest = Some(read);
            self.waiting.push_back((at, read));
        }
        let Some(&(newest, _)) = self.waiting.back() else { return };
        self.count_until(newest - WAIT, phases);
    }

    /// The demo is over: all reads count.
    pub(crate) fn end(&mut self, phases: &[Phase]) {
        self.count_until(Span::MAX, phases);
    }

    fn count_until(&mut self, until: Span, phases: &[Phase]) {
        while let Some((at, read)) = self.waiting.front().copied().filter(|(at, _)| *at <= until) {
            self.waiting.pop_front();
            self.discontinuities.retain(|since| at < *since + RESYNC + WAIT);
            self.count(at, &read, phases);
        }
    }

    fn count(&mut self, at: Span, read: &Read, phases: &[Phase]) {
        self.draw(at, read);
        let ages = self.discontinuities.iter().map(|since| at - *since);
        let age = ages.filter(|age| (Span::ZERO..RESYNC).contains(age)).max();
        let Figures { error, apart, resync, world } = &mut self.figures;
        if let Some(age) = age.filter(|_| read.error.abs() > RESYNCED.ticks()) {
            *resync = (*resync).max(Some(age));
        }
        if at < SETTLED {
            return;
        }
        let size = i64::abs;
        error.add(size(read.error));
        if age.is_none() {
            apart.add(size(read.error));
        }
        let Some(WorldRead { error, bound, if_unchanged }) = read.world else { return };
        let within = |kind: Kind, longer: Span| {
            phases.iter().any(|phase| phase.kind == kind && at >= phase.from && at < phase.to + longer)
        };
        world.error.add(size(error));
        if within(Kind::Pause, Span::ZERO) {
            world.paused.add(size(error));
        }
        if within(Kind::Slow, Span::ZERO) {
            world.slow.add(size(error));
        }
        if age.is_none() && ![Kind::Pause, Kind::Slow].into_iter().any(|kind| within(kind, RESYNC)) {
            world.calm.add(size(error));
        }
        for (bounds, bound) in [(&mut world.bound, bound), (&mut world.if_unchanged, if_unchanged)] {
            if bound != i64::MAX {
                bounds.add(bound);
            }
        }
    }

    fn draw(&mut self, at: Span, read: &Read) {
        let seconds = at.as_secs_f64();
        let is_gap = self.counted.is_some_and(|last| at - last >= GAP);
        self.counted = Some(at);
        let world = |value: fn(&WorldRead) -> i64| read.world.as_ref().and_then(|world| ms(value(world)));
        let curves = &mut self.curves;
        let all: [(&mut Envelope, Option<f64>); 6] = [
            (&mut curves.error, ms(read.error)),
            (&mut curves.bound, ms(read.bound)),
            (&mut curves.expected, ms(read.expected)),
            (&mut curves.world_error, world(|it| it.error)),
            (&mut curves.world_bound, world(|it| it.bound)),
            (&mut curves.world_if_unchanged, world(|it| it.if_unchanged)),
        ];
        for (curve, value) in all {
            curve.add_after(is_gap.then_some(seconds - 1e-3), (seconds, value));
        }
    }
}

/// Ticks in ms; none if nothing is promised.
fn ms(ticks: i64) -> Option<f64> {
    finite_ms(Span::from_ticks(ticks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::envelope::Point;

    fn read(millis: i64, error_ms: i64) -> (Span, Read) {
        let world = WorldRead { error: error_ms * 10_000, bound: 200_000, if_unchanged: i64::MAX };
        let error = error_ms * 10_000;
        let read = Read { at: 0, error, bound: i64::MAX, expected: 10, world: Some(world) };
        (Span::from_millis(millis), read)
    }

    #[test]
    fn reads_are_sorted_by_what_happened_around_them() {
        let second = Span::from_secs;
        let phases = [Phase { kind: Kind::Pause, from: second(20), to: second(22) }];
        let mut reads = Reads::default();
        // Ten reads a second for 30 s, each off by its second; the clock was set at 10 s, which is told 0.5 s
        // later.
        for tenth in 0..300 {
            reads.add([read(tenth * 100, tenth / 10)], &phases);
            if tenth == 105 {
                reads.set_at(second(10));
            }
        }
        assert_eq!(reads.figures.error.count(), 220, "the newest 3 s do not count yet");
        reads.end(&phases);
        let Figures { error, apart, resync, world } = &reads.figures;
        assert_eq!((error.count(), apart.count()), (250, 240));
        assert_eq!(*resync, Some(Span::from_millis(900)));
        let counts =
            [&world.error, &world.paused, &world.slow, &world.calm, &world.bound, &world.if_unchanged];
        assert_eq!(counts.map(Quantiles::count), [250, 20, 0, 210, 250, 0]);
        assert_eq!(world.paused.share(0.0), Some(200_000));
        assert_eq!(reads.latest().map(|read| read.error), Some(290_000));
    }

    #[test]
    fn an_hour_needs_no_more_than_a_minute() {
        let mut reads = Reads::default();
        let mut most = 0;
        for number in 0..360_000_i64 {
            if number % 50_000 == 0 {
                reads.set_at(Span::from_millis(10 * number));
            }
            reads.add([read(10 * number, number % 40 - 20)], &[]);
            most = most.max(reads.waiting.len() + reads.discontinuities.len());
        }
        reads.end(&[]);
        assert!(most < 310, "{most} wait");
        assert!(reads.curves.error.is_thinned());
        let kept: Vec<Point> = reads.curves.error.points().collect();
        assert!(kept.len() <= 12_000 && kept.iter().any(|point| point.1 == Some(-20.0)), "{}", kept.len());
        assert_eq!(reads.figures.error.count(), 359_500);
    }

    #[test]
    fn a_gap_between_reads_interrupts_the_lines() {
        let mut reads = Reads::default();
        reads.add([read(0, 1), read(100, 1), read(500, 1)], &[]);
        reads.end(&[]);
        let gaps = reads.curves.error.points().filter(|point| point.1.is_none()).count();
        assert_eq!(gaps, 1);
    }
}
