//! The time of the server's game world on clients.
//!
//! A world's clock pauses, runs slowly, loses time in a hitch and begins anew with each map. What is synchronised is
//! therefore real time, by a [`Client`](crate::Client); which world time belongs to it is what the server's
//! [`Publisher`] says, in [`Segment`]s, whenever that changes. A client's [`Timeline`] holds the recent ones.
//!
//! ```text
//!  server: world's clock ─▶ Publisher ─▶ Segment ──(any transport)──▶ Timeline ◀─ Reading of the server's real time
//!                                                                       │
//!                                                      world time ± bound, ages of stamps
//! ```

mod fit;
mod map;
mod publisher;
mod rate;
mod reading;
mod segment;
mod settings;
mod shown;

pub use publisher::{ObserveError, Publisher};
pub use rate::Rate;
pub use reading::{Age, RealRange, WorldError, WorldReading};
pub use segment::{SEGMENT_SIZE, Segment, SegmentError};
pub use settings::{PublisherConfig, TimelineConfig};

use crate::clock::{Reading, State};
use crate::range::ConfigError;
use crate::time::{MAX_INSTANT_TICKS, ServerTime, Span, WorldTime};
use map::Map;
use segment::comes_after;
use shown::Shown;

/// A client's view of one clock of the server's world.
///
/// It reads no clock: what it is to look at is the [`Reading`] of a [`Client`](crate::Client), or of any other clock of
/// the server's real time. Within one [`WorldReading::epoch`] what [`show`](Self::show) gives never goes backwards; the
/// other reads are pure. Nothing is allocated after creation.
#[derive(Debug)]
pub struct Timeline {
    config: TimelineConfig,
    map: Map,
    /// A segment of another run of the server's clock, until the clock speaks of that run too.
    waiting: Option<Segment>,
    /// The run before this one. What is still under way from it is refused.
    left: Option<u64>,
    shown: Shown,
}

impl Timeline {
    /// A timeline that knows no world yet.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn new(config: TimelineConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        let map = Map::new(config.fastest());
        Ok(Timeline { config, map, waiting: None, left: None, shown: Shown::default() })
    }

    /// Takes a segment that arrived, in any order. False if it was known already.
    ///
    /// A newer world drops all segments of the older one. A segment of another run of the server's clock waits until a
    /// [`Reading`] speaks of that run.
    ///
    /// # Errors
    /// Says why it was not used.
    pub fn insert(&mut self, segment: &Segment) -> Result<bool, SegmentError> {
        segment.validate()?;
        let Some(newest) = self.map.newest() else {
            self.map.start(*segment);
            return Ok(true);
        };
        if segment.server_epoch != newest.server_epoch {
            return self.keep_waiting(segment);
        }
        if segment.instance == newest.instance {
            return self.map.insert(*segment);
        }
        if !comes_after(segment.instance, newest.instance) {
            return Err(SegmentError::OldWorld);
        }
        self.map.start(*segment);
        Ok(true)
    }

    fn keep_waiting(&mut self, segment: &Segment) -> Result<bool, SegmentError> {
        if self.left == Some(segment.server_epoch) {
            return Err(SegmentError::OldEpoch);
        }
        let mut is_new = true;
        if let Some(known) = self.waiting.filter(|known| known.server_epoch == segment.server_epoch) {
            if segment.instance == known.instance {
                is_new = segment.version != known.version;
                if is_new && !comes_after(segment.version, known.version) {
                    return Err(SegmentError::Superseded);
                }
                if !is_new && !segment.is_copy_of(&known) {
                    return Err(SegmentError::Conflict);
                }
                if !is_new && segment.through < known.through {
                    return Ok(false);
                }
            } else if !comes_after(segment.instance, known.instance) {
                return Err(SegmentError::OldWorld);
            }
        }
        self.waiting = Some(*segment);
        Ok(is_new)
    }

    /// The server says, in a reply say, that at its instant `through` the newest segment was this `version` of the world
    /// `instance`. From `through` on, the world may have changed without anybody having told yet.
    ///
    /// # Errors
    /// [`SegmentError::Instant`] if `through` is outside the valid range, and what is said of another run or an older
    /// world.
    pub fn confirm(
        &mut self,
        server_epoch: u64,
        instance: u32,
        version: u32,
        through: ServerTime,
    ) -> Result<(), SegmentError> {
        if !through.is_valid() {
            return Err(SegmentError::Instant);
        }
        let newest = self.map.newest().filter(|newest| newest.server_epoch == server_epoch);
        let newest = newest.ok_or(SegmentError::OtherEpoch)?;
        if newest.instance == instance {
            self.map.confirm(version, through);
            Ok(())
        } else if comes_after(instance, newest.instance) {
            self.map.is_left_behind();
            Ok(())
        } else {
            Err(SegmentError::OldWorld)
        }
    }

    /// What the world's clock says `now`, to be shown: it never goes back within an epoch. Late news is worked off
    /// by slewing. Call it once a frame.
    ///
    /// # Errors
    /// There is no world time, or `now` is before an earlier one of the same [`Reading::epoch`].
    pub fn show(&mut self, now: &Reading) -> Result<WorldReading, WorldError> {
        if now.state != State::Unsynced {
            self.follow(now.server_epoch);
        }
        let instance = self.of_run(now)?.instance;
        let step =
            self.shown.next(now, &self.map, instance, &self.config).map_err(WorldError::RealWentBackwards)?;
        let step = step.ok_or(WorldError::NoWorld)?;
        let mut reading = self.reading(now.server_time, now.error_bound, Some(step.world))?;
        (reading.jump, reading.epoch) = (step.jump, step.epoch);
        Ok(reading)
    }

    /// What the world's clock said or will say at the server instant `real`, by the segments that arrived so far. Pure:
    /// without slewing, so that it may differ from what is shown.
    ///
    /// # Errors
    /// There is no world time.
    pub fn world_at(&self, server_epoch: u64, real: ServerTime) -> Result<WorldReading, WorldError> {
        self.newest_of(server_epoch)?;
        if !real.is_valid() {
            return Err(WorldError::OutOfRange);
        }
        self.reading(real, Span::ZERO, None)
    }

    /// When the world's clock said or will say `world`.
    ///
    /// # Errors
    /// There is no world time, or it never says so as far as is known.
    pub fn real_at(&self, server_epoch: u64, world: WorldTime) -> Result<RealRange, WorldError> {
        self.newest_of(server_epoch)?;
        if !world.is_valid() {
            return Err(WorldError::OutOfRange);
        }
        let (first, last) = self.map.real_at(world).ok_or(WorldError::Never)?;
        Ok(RealRange { first, last })
    }

    /// How long ago the server instant `stamp` was at `now`; negative for the future.
    ///
    /// # Errors
    /// There is no world time.
    pub fn age_of_real(&self, now: &Reading, stamp: ServerTime) -> Result<Age, WorldError> {
        self.of_run(now)?;
        let then = self.world_at(now.server_epoch, stamp)?;
        Ok(Age { real: now.server_time - stamp, world: self.pure(now)? - then.world })
    }

    /// How long ago the world's clock said `stamp`, at `now`; negative for the future. If the world was paused then,
    /// the real age is that of the end of the pause, or zero if it still is.
    ///
    /// # Errors
    /// There is no world time, or the world never says `stamp` as far as is known.
    pub fn age_of_world(&self, now: &Reading, stamp: WorldTime) -> Result<Age, WorldError> {
        self.of_run(now)?;
        let then = self.real_at(now.server_epoch, stamp)?;
        let nearest = now.server_time.max(then.first).min(then.last);
        Ok(Age { real: now.server_time - nearest, world: self.pure(now)? - stamp })
    }

    /// Begins with the run of the server's clock that a segment waits for.
    fn follow(&mut self, server_epoch: u64) {
        if let Some(first) = self.waiting.filter(|first| first.server_epoch == server_epoch) {
            self.left = self.map.newest().map(|newest| newest.server_epoch);
            self.map.start(first);
            self.waiting = None;
        }
    }

    fn newest_of(&self, server_epoch: u64) -> Result<&Segment, WorldError> {
        let newest = self.map.newest().filter(|newest| newest.server_epoch == server_epoch);
        newest.ok_or(WorldError::NoWorld)
    }

    /// The newest segment of the run that the clock speaks of, if it is a clock.
    fn of_run(&self, now: &Reading) -> Result<&Segment, WorldError> {
        if now.state == State::Unsynced {
            return Err(WorldError::NotSynced);
        }
        if !now.server_time.is_valid() || now.error_bound < Span::ZERO {
            return Err(WorldError::OutOfRange);
        }
        self.newest_of(now.server_epoch)
    }

    fn pure(&self, now: &Reading) -> Result<WorldTime, WorldError> {
        self.map.world_at(now.server_time).ok_or(WorldError::NoWorld)
    }

    /// The reading at a real time that is known to within `bound`. What is shown instead of the map's own, if it is.
    fn reading(
        &self,
        real: ServerTime,
        bound: Span,
        shown: Option<WorldTime>,
    ) -> Result<WorldReading, WorldError> {
        let valid = |time: ServerTime| {
            ServerTime::from_ticks(time.ticks().clamp(-MAX_INSTANT_TICKS, MAX_INSTANT_TICKS))
        };
        let look = |real| self.map.look(valid(real)).ok_or(WorldError::NoWorld);
        let newest = self.map.newest().ok_or(WorldError::NoWorld)?;
        // The world never goes back, so the limits at both ends of what is known of real time hold in between.
        let (early, here, late) = (look(real - bound)?, look(real)?, look(real + bound)?);
        let world = shown.unwrap_or(here.world);
        let reach = |least: i64, most: i64| {
            if bound == Span::MAX || least == i64::MIN || most == i64::MAX {
                return Span::MAX;
            }
            let at = world.ticks();
            Span::from_ticks(most.saturating_sub(at).max(at.saturating_sub(least)).max(0))
        };
        Ok(WorldReading {
            world,
            rate: here.rate,
            error_bound: reach(early.certain.least, late.certain.most),
            error_bound_if_unchanged: reach(early.unchanged.least, late.unchanged.most),
            ahead: world - here.world,
            jump: Span::ZERO,
            epoch: 0,
            instance: newest.instance,
            version: here.version,
            is_missing_news: self.map.is_missing_some(),
        })
    }
}
