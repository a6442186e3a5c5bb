//! Maps the server's real time to the time of one world and back, using the received segments. It is pure:
//! the same segments give the same results, in whatever order they arrived.
//!
//! ```text
//!  world            newest    ____
//!           ______________----      version 7, from its `real` on
//!          ¦  bridge: version 6 is missing, or the server lost time in a frame
//!      ----´
//!  ---´  version 5, as long as it is known to have been in force          real
//! ```
//!
//! A world's clock never falls, so no piece goes above the beginning of a later one.

use super::error::SegmentError;
use super::rate::Rate;
use super::segment::Segment;
use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{MAX_INSTANT_TICKS, ServerTime, Span, WorldTime};
use crate::game::serial::{comes_after, leaps_too_far};

/// A reply names the newest segment at an instant. The server never published a newer one before that instant
/// that begins earlier than this, because its threads do not read publisher and clock so far apart.
const NOT_BEFORE: Span = Span::from_secs(1);
/// Nor one that begins later than this afterwards. Changes may be announced and replies may be late, but not
/// by this much.
const NOT_AFTER: Span = Span::from_secs(10);

/// A publisher makes at most one segment per frame, and frames take longer than this.
const FRAME: Span = Span::from_millis(1);

/// The segments of one world, in order of version; their `real` increases with it.
#[derive(Debug)]
pub(crate) struct Map {
    segments: Vec<Segment>,
    capacity: usize,
    /// A segment whose version is too far ahead. It waits for the server's confirmation or for its successor.
    apart: Option<Segment>,
    /// The newest version that the server mentioned, and the server instant at which it was the newest.
    heard: u32,
    heard_at: ServerTime,
    /// Whether the server mentioned a newer world.
    pub(crate) left_behind: bool,
    /// Whether the server ever confirmed a segment.
    confirmed: bool,
    /// The highest rate to assume for a world after the last news.
    max_rate: Rate,
}

/// The known state of the world at one instant of real time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) world: WorldTime,
    /// Limits of the world's clock if nothing changed after the newest segment.
    pub(crate) unchanged: Limits,
    /// Limits that also hold if the world changed after the last news.
    pub(crate) certain: Limits,
    pub(crate) rate: Rate,
    pub(crate) version: u32,
}

/// The smallest and the largest possible time of the world's clock, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) least: i64,
    pub(crate) most: i64,
}

impl Limits {
    const NONE: Limits = Limits { least: i64::MIN, most: i64::MAX };

    fn around(least: WorldTime, most: WorldTime, tolerance: Span) -> Self {
        debug_assert!(least <= most && tolerance >= Span::ZERO, "{least:?}..{most:?} and {tolerance}");
        Limits { least: (least - tolerance).ticks(), most: (most + tolerance).ticks() }
    }
}

impl Map {
    /// Creates a map that keeps up to `capacity` segments.
    pub(crate) fn new(max_rate: Rate, capacity: usize) -> Result<Self, OutOfMemory> {
        Ok(Map {
            segments: memory::list(capacity)?,
            capacity,
            apart: None,
            heard: 0,
            heard_at: ServerTime::from_ticks(-MAX_INSTANT_TICKS),
            left_behind: false,
            confirmed: false,
            max_rate,
        })
    }

    /// Forgets all segments except this one.
    pub(crate) fn start(&mut self, first: Segment) {
        self.segments.clear();
        self.apart = None;
        (self.heard, self.heard_at) = (first.version, first.real);
        self.left_behind = false;
        self.confirmed = first.through.is_some();
        self.segments.push(first);
    }

    pub(crate) fn newest(&self) -> Option<&Segment> {
        self.segments.last()
    }

    /// Nothing is known about earlier instants, except that the world's clock never falls.
    pub(crate) fn oldest(&self) -> Option<&Segment> {
        self.segments.first()
    }

    /// Whether the server mentioned a newer segment than those that arrived.
    pub(crate) fn is_missing_some(&self) -> bool {
        self.left_behind || self.newest().is_some_and(|newest| newest.version != self.heard)
    }

    /// Inserts a valid segment of this world. Returns false if it was known. One that is too far ahead is
    /// kept apart.
    pub(crate) fn insert(&mut self, segment: Segment) -> Result<bool, SegmentError> {
        if let Some(known) = self.segments.iter_mut().find(|known| known.version == segment.version) {
            if !segment.is_copy_of(known) {
                return Err(SegmentError::Conflict);
            }
            self.confirmed |= segment.through.is_some();
            known.through = known.through.max(segment.through);
            return Ok(false);
        }
        let leaps =
            |newest: &Segment| comes_after(segment.version, newest.version) && is_too_far(newest, &segment);
        if self.newest().is_some_and(leaps) { self.keep_apart(segment) } else { self.put(segment) }
    }

    /// Two consecutive datagrams are evidence that a leap is genuine; a duplicate is not.
    fn keep_apart(&mut self, segment: Segment) -> Result<bool, SegmentError> {
        let apart = self.apart.replace(segment);
        let Some(apart) = apart else { return Ok(true) };
        if segment.version == apart.version && segment.is_copy_of(&apart) {
            return Ok(false);
        }
        if comes_after(segment.version, apart.version) && !is_too_far(&apart, &segment) {
            self.apart = None;
            self.put(apart)?;
            return self.put(segment);
        }
        Ok(true)
    }

    fn put(&mut self, segment: Segment) -> Result<bool, SegmentError> {
        let Some(&newest) = self.segments.last() else {
            self.start(segment);
            return Ok(true);
        };
        let is_newest = comes_after(segment.version, newest.version);
        // Of two numbers that are 2^31 apart, neither is newer.
        if !is_newest && !comes_after(newest.version, segment.version) {
            return Err(SegmentError::Superseded);
        }
        let is_older = |old: &Segment| comes_after(segment.version, old.version);
        let at = self.segments.partition_point(is_older);
        let later = if is_newest { None } else { self.segments.get(at) };
        let is_full = self.segments.len() == self.capacity;
        if later.is_some_and(|later| later.real <= segment.real) || (is_full && at == 0 && !is_newest) {
            return Err(SegmentError::Superseded);
        }
        // A segment supersedes older ones that begin no earlier. Serial numbers are ordered only if they are
        // less than 2^31 apart, so a segment that is neither older nor newer than the newest is dropped.
        self.segments.retain(|old| if is_older(old) { old.real < segment.real } else { !is_newest });
        if self.segments.len() == self.capacity {
            self.segments.remove(0);
        }
        let at = self.segments.partition_point(is_older);
        debug_assert!(self.segments.len() < self.segments.capacity(), "the memory was taken at creation");
        self.segments.insert(at, segment);
        if is_newest && !comes_after(self.heard, segment.version) {
            (self.heard, self.heard_at) = (segment.version, segment.real);
        }
        debug_assert!(self.segments.is_sorted_by(|old, new| old.real < new.real), "looks go by `real`");
        self.confirmed |= segment.through.is_some();
        Ok(true)
    }

    /// Notes that the server was still in an older world at `through`. If this world began before, it is not
    /// the server's. It is then cleared, and this returns true.
    pub(crate) fn disown(&mut self, through: ServerTime) -> bool {
        let is_disproved = self.segments.first().is_some_and(|first| cannot_follow(first, through));
        if is_disproved {
            self.segments.clear();
            self.apart = None;
            (self.left_behind, self.confirmed) = (false, false);
        }
        is_disproved
    }

    /// Notes that `version` was the server's newest at `through`. Returns true if that disproves segments,
    /// which it drops.
    pub(crate) fn confirm(&mut self, version: u32, through: ServerTime) -> bool {
        self.confirm_apart(version, through);
        let known = self.segments.len();
        self.segments.retain(|kept| !comes_after(kept.version, version) || !cannot_follow(kept, through));
        let dropped = self.segments.len() < known;
        if dropped || comes_after(version, self.heard) || through - self.heard_at > NOT_BEFORE {
            (self.heard, self.heard_at) = (version, through);
        }
        let named = self.segments.iter().position(|segment| segment.version == version);
        if let Some(at) = named.filter(|&at| self.segments[at].real <= through) {
            let end =
                self.segments.get(at + 1).map_or(through, |next| next.since.max(self.segments[at].real));
            let segment = &mut self.segments[at];
            segment.through = segment.through.max(Some(through.min(end)));
            self.confirmed = true;
        }
        dropped
    }

    /// The server reached the segment that is too far ahead, or that segment is not the server's.
    fn confirm_apart(&mut self, version: u32, through: ServerTime) {
        let Some(apart) = self.apart else { return };
        let is_reached = !comes_after(apart.version, version);
        if is_reached || cannot_follow(&apart, through) {
            self.apart = None;
        }
        if is_reached {
            // One that begins before an older version is useless.
            let _superseded = self.put(apart);
        }
    }

    /// The world's time at `real`, as far as is known.
    pub(crate) fn world_at(&self, real: ServerTime) -> Option<WorldTime> {
        self.look(real).map(|look| look.world)
    }

    /// The highest rate from `since` to `until`.
    pub(crate) fn fastest(&self, since: ServerTime, until: ServerTime) -> Rate {
        let begun = self.segments.partition_point(|segment| segment.real <= since).max(1) - 1;
        let rates = self.segments.iter().skip(begun).take_while(|segment| segment.real <= until);
        rates.map(|segment| segment.rate).max().unwrap_or(Rate::ONE)
    }

    /// The known state of the world at `real`, or `None` without segments.
    pub(crate) fn look(&self, real: ServerTime) -> Option<Look> {
        let mut ceiling = WorldTime::from_ticks(MAX_INSTANT_TICKS);
        // A later segment that limits the world also contributes its uncertainty.
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

    /// After the start of the newest segment.
    fn beyond(&self, newest: &Segment, real: ServerTime) -> Look {
        let world = newest.world_at(real);
        let unchanged = Limits::around(world, world, newest.tolerance);
        let through = newest.known_through();
        let missing = self.is_missing_some();
        let certain = if real <= through {
            unchanged
        } else if self.confirmed {
            let last = newest.world_at(through);
            let fastest = self.max_rate.max(newest.rate).passed((real - through).ticks());
            // One tick more, because both roundings go down.
            Limits::around(last, last + Span::from_ticks(fastest + 1), newest.tolerance)
        } else {
            Limits::NONE
        };
        let unchanged = if missing { certain } else { unchanged };
        Look { world, unchanged, certain, rate: newest.rate, version: newest.version }
    }

    /// The first instant at which the world's clock is at `world` or later, as far as is known.
    fn first_at(&self, world: WorldTime) -> Option<ServerTime> {
        // The map never falls, so bisection works. It takes 63 steps and always agrees with the forward map.
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

    /// The first and the last instant at which the world's clock shows `world`, which are far apart if it
    /// pauses there. A skipped time belongs to the instant of the jump. `None` if it never shows `world`, as
    /// far as is known.
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

/// Whether `segment`, which is newer, has a version that no publisher reaches in the time between the two.
fn is_too_far(newest: &Segment, segment: &Segment) -> bool {
    leaps_too_far(segment.version, newest.version, segment.real - newest.real, FRAME)
}

/// Whether the server cannot have published this segment after `through`.
fn cannot_follow(segment: &Segment, through: ServerTime) -> bool {
    through - segment.real > NOT_BEFORE || segment.real - through > NOT_AFTER
}

/// Between the starts of two segments.
fn between(segment: &Segment, next: &Segment, real: ServerTime, ceiling: WorldTime, tolerance: Span) -> Look {
    // If a version between the two is missing, it is unknown how long this one was in force.
    let is_next = segment.version.wrapping_add(1) == next.version;
    let end = if is_next { next.since } else { segment.known_through() };
    let end = end.max(segment.real).min(next.real);
    let line = segment.world_at(real.min(end)).min(ceiling);
    let (world, limits) = if real <= end {
        (line, Limits::around(line, line, tolerance))
    } else {
        (bridge((end, line), (next.real, ceiling), real), Limits::around(line, next.world, tolerance))
    };
    Look { world, unchanged: limits, certain: limits, rate: segment.rate, version: segment.version }
}

/// World time on the straight line between two points of the map.
fn bridge(from: (ServerTime, WorldTime), to: (ServerTime, WorldTime), real: ServerTime) -> WorldTime {
    let (passed, length) = ((real - from.0).ticks(), (to.0 - from.0).ticks());
    let height = (to.1 - from.1).ticks();
    debug_assert!(0 <= passed && passed <= length, "{passed} of {length} ticks are on the bridge");
    debug_assert!(height >= 0, "a world's clock never falls: {height}");
    let share = i128::from(height) * i128::from(passed) / i128::from(length.max(1));
    from.1 + Span::from_ticks(share as i64)
}

/// Before the start of the oldest segment, which is a guess. It is only certain that the world's clock never
/// falls.
fn before(oldest: &Segment, real: ServerTime, ceiling: WorldTime) -> Look {
    let limits = Limits { least: i64::MIN, most: (ceiling + oldest.tolerance).ticks() };
    let world = oldest.world_at(real).min(ceiling);
    Look { world, unchanged: limits, certain: limits, rate: oldest.rate, version: oldest.version }
}
