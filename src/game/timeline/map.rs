//! Maps the server's real time to the time of one world and back, using the received segments.
//!
//! ```text
//!  world            newest    ____
//!           ______________----      version 7, from its `real` on
//!          ¦  bridge: version 6 is missing, or the server lost time in a frame
//!      ----´
//!  ---´  version 5, as long as it is known to have been in force          real
//! ```
//!
//! A world's clock never runs backwards, so no segment rises above the start of a later one.

use super::error::SegmentError;
use super::rate::Rate;
use super::segment::Segment;
use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{MAX_INSTANT_TICKS, ServerTime, Span, WorldTime};
use crate::game::serial::comes_after;

#[derive(Debug)]
pub(crate) struct Map {
    /// Sorted by both `version` and `real`.
    pub(super) segments: Vec<Segment>,
    capacity: usize,
    confirmed: bool,
    max_rate: Rate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) world: WorldTime,
    /// Limits that hold if the world has not changed since the newest segment.
    pub(crate) unchanged: Limits,
    /// Limits that hold even if the world has changed since the last update.
    pub(crate) certain: Limits,
    pub(crate) rate: Rate,
    pub(crate) version: u32,
}

/// The lowest and the highest possible world time, in ticks.
type Limits = (i64, i64);

fn around(least: WorldTime, most: WorldTime, tolerance: Span) -> Limits {
    debug_assert!(least <= most && tolerance >= Span::ZERO, "{least:?}..{most:?} and {tolerance}");
    ((least - tolerance).ticks(), (most + tolerance).ticks())
}

impl Map {
    pub(crate) fn new(max_rate: Rate, capacity: usize) -> Result<Self, OutOfMemory> {
        Ok(Map { segments: memory::list(capacity)?, capacity, confirmed: false, max_rate })
    }

    pub(crate) fn start(&mut self, first: Segment) {
        self.segments.clear();
        self.confirmed = first.through.is_some();
        self.segments.push(first);
    }

    pub(crate) fn newest(&self) -> Option<&Segment> {
        self.segments.last()
    }

    /// The segment must be valid and belong to this world. Returns false if the segment is already known.
    pub(crate) fn insert(&mut self, segment: Segment) -> Result<bool, SegmentError> {
        if let Some(known) = self.segments.iter_mut().find(|known| known.version == segment.version) {
            if !segment.is_copy_of(known) {
                return Err(SegmentError::Conflict);
            }
            self.confirmed |= segment.through.is_some();
            known.through = known.through.max(segment.through);
            return Ok(false);
        }
        let Some(&newest) = self.segments.last() else {
            self.start(segment);
            return Ok(true);
        };
        if !comes_after(segment.version, newest.version) {
            return Err(SegmentError::Superseded);
        }
        // A segment replaces older versions that start later or at the same time. Serial numbers are only
        // ordered if they are less than 2^31 apart, so also drop all versions that are not older.
        self.segments.retain(|old| comes_after(segment.version, old.version) && old.real < segment.real);
        if self.segments.len() == self.capacity {
            self.segments.remove(0);
        }
        debug_assert!(self.segments.len() < self.segments.capacity(), "the memory was taken at creation");
        self.segments.push(segment);
        self.confirmed |= segment.through.is_some();
        Ok(true)
    }

    pub(crate) fn confirm(&mut self, version: u32, through: ServerTime) {
        let named = self.segments.iter().position(|segment| segment.version == version);
        if let Some(at) = named.filter(|&at| self.segments[at].real <= through) {
            let end =
                self.segments.get(at + 1).map_or(through, |next| next.since.max(self.segments[at].real));
            let segment = &mut self.segments[at];
            segment.through = segment.through.max(Some(through.min(end)));
            self.confirmed = true;
        }
    }

    pub(crate) fn world_at(&self, real: ServerTime) -> Option<WorldTime> {
        self.look(real).map(|look| look.world)
    }

    pub(crate) fn fastest(&self, since: ServerTime, until: ServerTime) -> Rate {
        let begun = self.segments.partition_point(|segment| segment.real <= since).max(1) - 1;
        let rates = self.segments.iter().skip(begun).take_while(|segment| segment.real <= until);
        rates.map(|segment| segment.rate).max().unwrap_or(Rate::ONE)
    }

    pub(crate) fn look(&self, real: ServerTime) -> Option<Look> {
        let mut ceiling = WorldTime::from_ticks(MAX_INSTANT_TICKS);
        let mut tolerance = Span::ZERO;
        let mut next = None;
        for segment in self.segments.iter().rev() {
            tolerance = tolerance.max(segment.tolerance);
            if real >= segment.real {
                return Some(match next {
                    Some(next) => between(segment, next, real, ceiling, tolerance),
                    None => self.beyond(segment, real),
                });
            }
            ceiling = ceiling.min(segment.world);
            next = Some(segment);
        }
        next.map(|oldest| before(oldest, real, ceiling))
    }

    fn beyond(&self, newest: &Segment, real: ServerTime) -> Look {
        let world = newest.world_at(real);
        let unchanged = around(world, world, newest.tolerance);
        let through = newest.known_through();
        let certain = if real <= through {
            unchanged
        } else if self.confirmed {
            let last = newest.world_at(through);
            let fastest = self.max_rate.max(newest.rate).passed((real - through).ticks());
            // Add a tick, because `last` and `fastest` are both rounded down.
            around(last, last + Span::from_ticks(fastest + 1), newest.tolerance)
        } else {
            (i64::MIN, i64::MAX)
        };
        Look { world, unchanged, certain, rate: newest.rate, version: newest.version }
    }

    fn first_at(&self, world: WorldTime) -> Option<ServerTime> {
        // Bisect the monotonic forward mapping in 63 steps, so that both mappings are consistent.
        let (mut low, mut high) = (-MAX_INSTANT_TICKS, MAX_INSTANT_TICKS);
        let reached = |real| self.world_at(ServerTime::from_ticks(real)).is_some_and(|shown| shown >= world);
        if !reached(high) {
            return None;
        }
        if reached(low) {
            return Some(ServerTime::from_ticks(low));
        }
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            *(if reached(middle) { &mut high } else { &mut low }) = middle;
        }
        Some(ServerTime::from_ticks(high))
    }

    /// Returns the first and last instant at which the world's clock shows `world`. If the world is paused at
    /// `world`, the two instants differ. If the world jumps over `world`, they are equal. Returns `None` if,
    /// according to the known segments, the clock never shows `world`.
    pub(crate) fn real_at(&self, world: WorldTime) -> Option<(ServerTime, ServerTime)> {
        let first = self.first_at(world)?;
        if first.ticks() == -MAX_INSTANT_TICKS && self.world_at(first)? != world {
            return None;
        }
        let after = self.first_at(world + Span::from_ticks(1));
        let last =
            after.map_or(ServerTime::from_ticks(MAX_INSTANT_TICKS), |after| after - Span::from_ticks(1));
        Some((first, last.max(first)))
    }
}

fn between(segment: &Segment, next: &Segment, real: ServerTime, ceiling: WorldTime, tolerance: Span) -> Look {
    // If a version in between is missing, it is unknown where this segment ends.
    let is_next = segment.version.wrapping_add(1) == next.version;
    let end = if is_next { next.since } else { segment.known_through() };
    let end = end.max(segment.real).min(next.real);
    let line = segment.world_at(real.min(end)).min(ceiling);
    let (world, limits) = if real <= end {
        (line, around(line, line, tolerance))
    } else {
        (bridge((end, line), (next.real, ceiling), real), around(line, next.world, tolerance))
    };
    Look { world, unchanged: limits, certain: limits, rate: segment.rate, version: segment.version }
}

fn bridge(from: (ServerTime, WorldTime), to: (ServerTime, WorldTime), real: ServerTime) -> WorldTime {
    let (passed, length) = ((real - from.0).ticks(), (to.0 - from.0).ticks());
    let height = (to.1 - from.1).ticks();
    debug_assert!(0 <= passed && passed <= length, "{passed} of {length} ticks are on the bridge");
    debug_assert!(height >= 0, "a world's clock never falls: {height}");
    let share = i128::from(height) * i128::from(passed) / i128::from(length.max(1));
    from.1 + Span::from_ticks(share as i64)
}

/// Before the oldest segment, all we know is that the world's clock did not run backwards.
fn before(oldest: &Segment, real: ServerTime, ceiling: WorldTime) -> Look {
    let limits = (i64::MIN, (ceiling + oldest.tolerance).ticks());
    let world = oldest.world_at(real).min(ceiling);
    Look { world, unchanged: limits, certain: limits, rate: oldest.rate, version: oldest.version }
}
