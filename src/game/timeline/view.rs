//! A client's view of a world, computed from its segments.

use super::config::TimelineConfig;
use super::error::{SegmentError, WorldError};
use super::map::Map;
use super::rate::Rate;
use super::reading::{RealRange, WorldReading};
use super::segment::Segment;
use super::shown::Shown;
use crate::clock::keyed::{KeyError, SealedChannel};
use crate::clock::{CreateError, MAX_INSTANT_TICKS, Reading, ServerTime, Span, State, WorldTime};
use crate::game::serial::comes_after;

/// A client's view of one clock of the server's world.
///
/// It does not read clocks. Pass it the [`Reading`] of a [`Client`](crate::Client), or of any other clock of
/// the server's real time. The result of [`show`](Self::show) never runs backwards within one
/// [`WorldReading::epoch`]. The other reads are pure. It allocates memory only when it is created.
///
/// ```
/// use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment, Timeline, TimelineConfig};
/// use netclock::{ServerTime, Span, WorldTime};
///
/// let mut publisher = Publisher::new(PublisherConfig::default(), 42, 1)?; // the server's, of world 1
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
    config: TimelineConfig,
    map: Map,
    /// A segment of another server epoch, which waits until the clock has that epoch, too.
    waiting: Option<Segment>,
    /// The previous server epoch, whose late segments are refused.
    left: Option<u64>,
    shown: Shown,
}

impl Timeline {
    /// Creates a timeline without a world.
    ///
    /// # Errors
    /// The first setting that is out of range, or there is not enough memory.
    pub fn new(config: TimelineConfig) -> Result<Self, CreateError> {
        config.validate()?;
        let map = Map::new(Rate::nearest(config.max_rate), config.segments as usize)?;
        Ok(Timeline { config, map, waiting: None, left: None, shown: Shown::default() })
    }

    /// Inserts a segment; they may arrive in any order. Returns false if it was known.
    ///
    /// A newer world drops all segments of the older one. A segment of another server epoch waits until a
    /// [`Reading`] has that epoch. A version that is further ahead than a publisher can reach (64, plus 1,000
    /// for each second) waits for a confirmation or a successor, so one forged segment cannot lock out
    /// genuine ones.
    ///
    /// # Errors
    /// The reason why the segment was not used. [`KeyError::NotKeyed`] if the settings require a seal.
    pub fn insert(&mut self, segment: &Segment) -> Result<bool, SegmentError> {
        if self.config.sealed {
            return Err(KeyError::NotKeyed.into());
        }
        self.learn(segment)
    }

    /// Like [`insert`](Self::insert), with a sealed datagram received over `channel`. The seal is checked
    /// first. If an authentic message is not a segment, the channel has not opened it, and it can be opened
    /// elsewhere.
    ///
    /// # Errors
    /// The errors of [`insert`](Self::insert), [`SealedChannel::open`] and [`Segment::decode`].
    pub fn insert_sealed(
        &mut self,
        channel: &mut SealedChannel,
        datagram: &[u8],
    ) -> Result<bool, SegmentError> {
        let (number, message) = channel.prove(datagram)?;
        let segment = Segment::decode(message)?;
        channel.take(number)?;
        self.learn(&segment)
    }

    /// Allows the previous server epoch again. A session knows which epoch is over.
    #[cfg(feature = "session")]
    pub(crate) fn readmit(&mut self) {
        self.left = None;
    }

    fn learn(&mut self, segment: &Segment) -> Result<bool, SegmentError> {
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
        if let Some(known) = self.waiting.filter(|known| known.server_epoch == segment.server_epoch) {
            if segment.is_copy_of(&known) {
                self.waiting = Some(if segment.through < known.through { known } else { *segment });
                return Ok(false);
            }
            if segment.instance != known.instance {
                if !comes_after(segment.instance, known.instance) {
                    return Err(SegmentError::OldWorld);
                }
            } else if segment.version == known.version {
                return Err(SegmentError::Conflict);
            } else if !comes_after(segment.version, known.version) {
                return Err(SegmentError::Superseded);
            }
        }
        self.waiting = Some(*segment);
        Ok(true)
    }

    /// The newest segment of the newest world, or `None` before the first.
    pub fn newest(&self) -> Option<&Segment> {
        self.map.newest()
    }

    /// Notes the server's confirmation of its newest segment, for example with a reply: at its instant
    /// `through` that was this `version` of the world `instance`. After `through` the world may have changed
    /// without news yet.
    ///
    /// `through` must not be later than the [`Segment::through`] of
    /// [`Publisher::newest`](super::Publisher::newest), even if the reply is. A change takes effect after the
    /// last observed frame, or earlier if it waits for the budget.
    ///
    /// A confirmation can disprove segments: newer ones that begin long before `through`, or long after it,
    /// are forged. This drops them, and the next [`show`](Self::show) reports the jump.
    ///
    /// # Errors
    /// [`SegmentError::Instant`] if `through` is outside the valid range; [`SegmentError::OtherEpoch`];
    /// [`SegmentError::OldWorld`].
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
        let disproved = if newest.instance == instance {
            self.map.confirm(version, through)
        } else if comes_after(instance, newest.instance) {
            self.map.left_behind = true;
            false
        } else if self.map.disown(through) {
            true
        } else {
            return Err(SegmentError::OldWorld);
        };
        if disproved {
            self.shown.start_over = true;
        }
        Ok(())
    }

    /// The world's time to show at `now`. It never runs backwards within an epoch, and slews to late news.
    /// Call it once a frame.
    ///
    /// Readings may come in any order. If `now` is before an earlier one of the same [`Reading::epoch`], the
    /// world is shown as last time. [`WorldReading::ahead`] is then its distance ahead of `now`.
    ///
    /// # Errors
    /// There is no world time, or `now` is certainly before the oldest segment.
    pub fn show(&mut self, now: &Reading) -> Result<WorldReading, WorldError> {
        let waits = |first: &Segment| now.state != State::Unsynced && first.server_epoch == now.server_epoch;
        if let Some(first) = self.waiting.take_if(|first| waits(first)) {
            self.left = self.map.newest().map(|newest| newest.server_epoch);
            self.map.start(first);
        }
        let instance = self.of_run(now)?.instance;
        self.reaches(now.server_time + now.error_bound)?;
        let step = self.shown.next(now, &self.map, instance, &self.config).ok_or(WorldError::NoWorld)?;
        let mut reading = self.reading(now.server_time, now.error_bound, Some(step.world))?;
        (reading.jump, reading.epoch) = (step.jump, step.epoch);
        Ok(reading)
    }

    /// The world's time at the server instant `real`, past or future, according to the segments received so
    /// far. It is pure and does not slew, so it may differ from the shown time. The time is rounded down to a
    /// tick, by which the truth may exceed a bound of zero.
    ///
    /// # Errors
    /// There is no world time, or `real` is before the oldest stored segment.
    pub fn world_at(&self, server_epoch: u64, real: ServerTime) -> Result<WorldReading, WorldError> {
        self.newest_of(server_epoch)?;
        if !real.is_valid() {
            return Err(WorldError::OutOfRange);
        }
        self.reaches(real)?;
        self.reading(real, Span::ZERO, None)
    }

    /// When the world's clock showed or will show `world`, starting at the oldest stored segment.
    ///
    /// # Errors
    /// There is no world time. The world's clock showed `world` before the oldest segment, or never shows it,
    /// as far as is known.
    pub fn real_at(&self, server_epoch: u64, world: WorldTime) -> Result<RealRange, WorldError> {
        self.newest_of(server_epoch)?;
        if !world.is_valid() {
            return Err(WorldError::OutOfRange);
        }
        let oldest = self.map.oldest().filter(|oldest| oldest.world <= world);
        let oldest = oldest.ok_or(WorldError::NotKept)?.real;
        let (first, last) = self.map.real_at(world).ok_or(WorldError::Never)?;
        Ok(RealRange { first: first.max(oldest), last })
    }

    /// Whether segments reach back to `real`.
    fn reaches(&self, real: ServerTime) -> Result<(), WorldError> {
        self.map.oldest().filter(|oldest| oldest.real <= real).map(|_| ()).ok_or(WorldError::NotKept)
    }

    fn newest_of(&self, server_epoch: u64) -> Result<&Segment, WorldError> {
        let newest = self.map.newest().filter(|newest| newest.server_epoch == server_epoch);
        newest.ok_or(WorldError::NoWorld)
    }

    /// The newest segment of the clock's epoch.
    fn of_run(&self, now: &Reading) -> Result<&Segment, WorldError> {
        if now.state == State::Unsynced {
            return Err(WorldError::NotSynced);
        }
        if !now.server_time.is_valid() || now.error_bound < Span::ZERO {
            return Err(WorldError::OutOfRange);
        }
        self.newest_of(now.server_epoch)
    }

    /// The reading at a real time with an uncertainty of `bound`. `shown` replaces the map's own world time.
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
        // The world never runs backwards, so the limits at both ends of the real time's interval also hold in
        // between.
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
