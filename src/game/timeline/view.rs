//! The client side of a timeline. It computes world time from segments.

use super::config::TimelineConfig;
use super::error::{SegmentError, WorldError};
use super::map::Map;
use super::rate::Rate;
use super::reading::{RealRange, WorldReading};
use super::segment::Segment;
use super::shown::ShownWorld;
use crate::clock::{CreateError, MAX_INSTANT_TICKS, Reading, ServerTime, Span, State, WorldTime};
use crate::game::serial::comes_after;

/// A client's view of a world's clock.
///
/// A timeline does not read clocks. Pass it the [`Reading`] of a [`Client`](crate::Client), or of any other
/// clock that follows the server's real time. The time returned by [`show`](Self::show) never runs backwards
/// within one [`WorldReading::epoch`]. Other reads have no side effects. Memory is allocated only on
/// creation.
///
/// ```
/// use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment, Timeline, TimelineConfig};
/// use netclock::{ServerTime, Span, WorldTime};
///
/// let mut publisher = Publisher::new(PublisherConfig::default(), 42, 1)?; // on the server, for world 1
/// let mut timeline = Timeline::new(TimelineConfig::default())?;
/// let (real, world) = (ServerTime::from_ticks(0), WorldTime::from_ticks(5_000));
/// if let Some(segment) = publisher.observe(real, world, Rate::ONE)? {
///     let message = segment.encode()?; // to every client
///     timeline.insert(&Segment::decode(&message)?)?;
/// }
/// // In every frame: `timeline.show(&client.read(now))`. Any other instant:
/// let second = Span::from_secs(1);
/// assert_eq!(timeline.world_at(42, real + second)?.world, world + second);
/// assert_eq!(timeline.real_at(42, world + second)?.first, real + second);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Timeline {
    map: Map,
    /// The newest segment of another server epoch. It is inserted when the clock reaches that epoch.
    waiting: Option<Segment>,
    shown: ShownWorld,
}

impl Timeline {
    /// Creates an empty timeline.
    ///
    /// # Errors
    /// Fails if a setting is out of range, or there is not enough memory.
    pub fn new(config: TimelineConfig) -> Result<Self, CreateError> {
        config.validate()?;
        let map = Map::new(Rate::nearest(config.max_rate), config.segments as usize)?;
        Ok(Timeline { map, waiting: None, shown: ShownWorld::default() })
    }

    /// Inserts a segment. Segments must arrive in order, as in a [`session`](crate::session), but some may be
    /// missing. Returns false if the segment was already known.
    ///
    /// A newer world replaces all segments of the older one. The newest segment of a different server epoch
    /// is stored until a [`Reading`] has that epoch. The timeline trusts segments, but a session detects
    /// forged ones.
    ///
    /// # Errors
    /// Returns the reason why the segment was not used.
    pub fn insert(&mut self, segment: &Segment) -> Result<bool, SegmentError> {
        segment.validate()?;
        let Some(newest) = self.map.newest() else {
            self.map.start(*segment);
            return Ok(true);
        };
        if segment.server_epoch != newest.server_epoch {
            let is_known = self.waiting.is_some_and(|known| segment.is_copy_of(&known));
            self.waiting = Some(*segment);
            return Ok(!is_known);
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

    /// Forgets all segments because some are forged. The next [`show`](Self::show) reports the jump.
    #[cfg(feature = "session")]
    pub(crate) fn forget(&mut self) {
        self.map.segments.clear();
        (self.waiting, self.shown.start_over) = (None, true);
    }

    /// Returns the newest segment of the newest world, or `None` before the first segment.
    pub fn newest(&self) -> Option<&Segment> {
        self.map.newest()
    }

    /// Handles the server's confirmation that `version` was the newest segment of the world `instance` at
    /// server time `through`. A reply can carry this confirmation, for example. Since `through`, the world
    /// may have changed in ways that the client does not know about yet.
    ///
    /// `through` must not be later than the [`Segment::through`] of
    /// [`Publisher::newest`](super::Publisher::newest), even if the reply is later. A change takes effect
    /// after the last observed frame, or even earlier if the budget delayed its publication.
    ///
    /// # Errors
    /// Returns [`SegmentError::Instant`] if `through` is outside the valid range, or
    /// [`SegmentError::OtherEpoch`] if no segment of `server_epoch` is known.
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
        }
        Ok(())
    }

    /// Returns the world time to show at `now`. Within an epoch, the shown time never runs backwards, and it
    /// slews if late segments correct it. Call this once per frame.
    ///
    /// Readings may be passed in any order. If `now` is before a previous reading of the same
    /// [`Reading::epoch`], the result is the previously shown time. [`WorldReading::ahead`] then tells how
    /// far this time is ahead of the world time at `now`.
    ///
    /// # Errors
    /// Fails if there is no world time, or if `now` is certainly before the oldest segment.
    pub fn show(&mut self, now: &Reading) -> Result<WorldReading, WorldError> {
        let waits = |first: &Segment| now.state != State::Unsynced && first.server_epoch == now.server_epoch;
        if let Some(first) = self.waiting.take_if(|first| waits(first)) {
            self.map.start(first);
        }
        let instance = self.of_run(now)?.instance;
        self.reaches(now.server_time + now.error_bound)?;
        let shown = self.shown.next(now, &self.map, instance);
        let (world, jump, epoch) = shown.ok_or(WorldError::NoWorld)?;
        let reading = self.reading(now.server_time, now.error_bound, Some(world))?;
        Ok(WorldReading { jump, epoch, ..reading })
    }

    /// Returns the world time at the past or future server instant `real`, according to the segments received
    /// so far. This method has no side effects and does not slew, so its result may differ from that of
    /// [`show`](Self::show). The result is rounded down, so the true time may be up to a tick later even if
    /// the bound is zero.
    ///
    /// # Errors
    /// Fails if there is no world time, or if `real` is before the oldest stored segment.
    pub fn world_at(&self, server_epoch: u64, real: ServerTime) -> Result<WorldReading, WorldError> {
        self.newest_of(server_epoch)?;
        if !real.is_valid() {
            return Err(WorldError::OutOfRange);
        }
        self.reaches(real)?;
        self.reading(real, Span::ZERO, None)
    }

    /// Returns when the world's clock showed or will show `world`. The range never begins before the oldest
    /// stored segment.
    ///
    /// # Errors
    /// Fails if there is no world time, if the world's clock showed `world` before the oldest segment, or if
    /// it never shows `world` according to the known segments.
    pub fn real_at(&self, server_epoch: u64, world: WorldTime) -> Result<RealRange, WorldError> {
        self.newest_of(server_epoch)?;
        if !world.is_valid() {
            return Err(WorldError::OutOfRange);
        }
        let oldest = self.map.segments.first().filter(|oldest| oldest.world <= world);
        let oldest = oldest.ok_or(WorldError::NotKept)?.real;
        let (first, last) = self.map.real_at(world).ok_or(WorldError::Never)?;
        Ok(RealRange { first: first.max(oldest), last })
    }

    fn reaches(&self, real: ServerTime) -> Result<(), WorldError> {
        self.map.segments.first().filter(|oldest| oldest.real <= real).map(|_| ()).ok_or(WorldError::NotKept)
    }

    fn newest_of(&self, server_epoch: u64) -> Result<&Segment, WorldError> {
        let newest = self.map.newest().filter(|newest| newest.server_epoch == server_epoch);
        newest.ok_or(WorldError::NoWorld)
    }

    fn of_run(&self, now: &Reading) -> Result<&Segment, WorldError> {
        if now.state == State::Unsynced {
            return Err(WorldError::NotSynced);
        }
        if !now.server_time.is_valid() || now.error_bound < Span::ZERO {
            return Err(WorldError::OutOfRange);
        }
        self.newest_of(now.server_epoch)
    }

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
        // The world never runs backwards, so limits at both ends also hold in between.
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
            error_bound: reach(early.certain.0, late.certain.1),
            error_bound_if_unchanged: reach(early.unchanged.0, late.unchanged.1),
            ahead: world - here.world,
            jump: Span::ZERO,
            epoch: 0,
            instance: newest.instance,
            version: here.version,
        })
    }
}
