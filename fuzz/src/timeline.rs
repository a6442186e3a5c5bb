//! A world's clock: any frames, any segments in any order, any reads. Shown time never goes back within an
//! epoch, bounds are not negative, and a refusal changes nothing. The inverse agrees with the map.

use arbitrary::{Result, Unstructured};
use netclock::timeline::{
    Publisher, PublisherConfig, Rate, SEGMENT_SIZE, Segment, Timeline, TimelineConfig, WorldReading,
};
use netclock::{Reading, ServerTime, Span, State, WorldTime};

use crate::input::{any_number, instant};
use crate::refusal::unless_refused;

/// Calls in one run.
const CALLS: usize = 300;

/// Turns the bytes into calls.
pub fn run(bytes: &[u8]) {
    let mut game = Game {
        publisher: Publisher::new(PublisherConfig::default(), 1, 1).expect("the default is valid"),
        timeline: Timeline::new(TimelineConfig::default()).expect("the default is valid"),
        real: 0,
        world: 0,
        segments: Vec::new(),
        shown: None,
    };
    let _used_up = game.play(&mut Unstructured::new(bytes));
}

struct Game {
    publisher: Publisher,
    timeline: Timeline,
    real: i64,
    world: i64,
    segments: Vec<Segment>,
    /// Epoch and world time shown last.
    shown: Option<(u32, WorldTime)>,
}

fn rate(input: &mut Unstructured<'_>) -> Result<Rate> {
    let rate = match input.int_in_range(0..=7)? {
        0 => f64::from_bits(input.arbitrary()?),
        1..=3 => 1.0,
        _ => f64::from(input.arbitrary::<u8>()?) / 64.0,
    };
    Ok(if input.ratio(1, 8)? { Rate::PAUSED } else { Rate::new(rate).unwrap_or(Rate::ONE) })
}

/// Mostly 0 or 1.
fn epoch(input: &mut Unstructured<'_>) -> Result<u64> {
    Ok(u64::from(input.arbitrary::<u8>()? / 100))
}

/// An instant of the server near `near`.
fn at(input: &mut Unstructured<'_>, near: i64) -> Result<ServerTime> {
    Ok(ServerTime::from_ticks(instant(input, near)?))
}

impl Game {
    fn play(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let mut turns = 0..CALLS;
        while !input.is_empty() && turns.next().is_some() {
            match input.int_in_range(0..=11)? {
                0..=2 => self.observe(input)?,
                3..=4 if self.segments.is_empty() => {}
                3..=4 => {
                    let segment = *input.choose(&self.segments)?;
                    self.insert(&segment);
                }
                5 => self.make_up(input)?,
                6 => {
                    let (epoch, instance) = (epoch(input)?, u32::from(input.arbitrary::<u8>()? / 16));
                    let (version, through) = (u32::from(input.arbitrary::<u8>()? / 8), at(input, self.real)?);
                    let confirm =
                        |timeline: &mut Timeline| timeline.confirm(epoch, instance, version, through);
                    let _ = unless_refused(&mut self.timeline, confirm);
                }
                7..=8 => self.show(input)?,
                9 => self.there_and_back(input)?,
                _ => self.datagram(input)?,
            }
        }
        Ok(())
    }

    fn observe(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (real, world) = (instant(input, self.real)?, instant(input, self.world)?);
        let (at, shown, rate) = (ServerTime::from_ticks(real), WorldTime::from_ticks(world), rate(input)?);
        if let Ok(segment) = unless_refused(&mut self.publisher, |it| it.observe(at, shown, rate)) {
            assert!(segment.is_none() || segment == self.publisher.newest(), "{segment:?}");
            self.segments.extend(segment);
            if real.unsigned_abs() < 1 << 50 && world.unsigned_abs() < 1 << 50 {
                (self.real, self.world) = (real, world);
            }
        }
        if input.ratio(1, 64)? {
            self.publisher.begin_world();
        }
        Ok(())
    }

    fn insert(&mut self, segment: &Segment) {
        let _ = unless_refused(&mut self.timeline, |timeline| timeline.insert(segment));
    }

    /// An invented segment.
    fn make_up(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let small = |input: &mut Unstructured<'_>| -> Result<u32> {
            if input.ratio(1, 8)? { input.arbitrary() } else { Ok(u32::from(input.arbitrary::<u8>()? / 16)) }
        };
        let real = at(input, self.real)?;
        let segment = Segment {
            instance: small(input)?,
            version: small(input)?,
            server_epoch: epoch(input)?,
            since: if input.arbitrary()? { real } else { at(input, real.ticks())? },
            real,
            world: WorldTime::from_ticks(instant(input, self.world)?),
            rate: rate(input)?,
            tolerance: Span::from_ticks(any_number(input)?),
            through: if input.arbitrary()? { None } else { Some(at(input, real.ticks())?) },
        };
        self.segments.push(segment);
        self.insert(&segment);
        Ok(())
    }

    fn show(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (time, bound, of) = (at(input, self.real)?, any_number(input)?, epoch(input)?);
        let now = Reading {
            epoch: u32::from(input.ratio(1, 32)?),
            state: if input.ratio(1, 16)? { State::Unsynced } else { State::Synced },
            ..netclock_sim::reading(of, time, Span::from_ticks(bound))
        };
        let Ok(shown) = self.timeline.show(&now) else { return Ok(()) };
        let WorldReading { world, error_bound, error_bound_if_unchanged, epoch, .. } = shown;
        assert!(error_bound_if_unchanged >= Span::ZERO, "{shown:?}");
        assert!(error_bound_if_unchanged <= error_bound, "{shown:?}");
        if let Some((last_epoch, last)) = self.shown {
            assert!(epoch != last_epoch || world >= last, "{last:?}, then {world:?}");
        }
        self.shown = Some((epoch, world));
        Ok(())
    }

    fn there_and_back(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let (epoch, real) = (epoch(input)?, at(input, self.real)?);
        if let Ok(WorldReading { world, .. }) = self.timeline.world_at(epoch, real) {
            let back = self.timeline.real_at(epoch, world).expect("it was just said");
            assert!(back.first <= real, "{real:?} is before {back:?}");
            assert!(back.last >= real, "{real:?} is after {back:?}");
        }
        let _ = self.timeline.real_at(epoch, WorldTime::from_ticks(real.ticks()));
        Ok(())
    }

    fn datagram(&mut self, input: &mut Unstructured<'_>) -> Result<()> {
        let mut bytes: [u8; SEGMENT_SIZE] = input.arbitrary()?;
        if input.ratio(7, 8)? {
            bytes[..4].copy_from_slice(b"NK\x01\x03");
            bytes[12..16].fill(0);
        }
        if let Ok(segment) = Segment::decode(&bytes) {
            assert_eq!(segment.encode(), Ok(bytes));
            self.insert(&segment);
        }
        if let Some(Ok(made)) = self.segments.last().map(Segment::encode) {
            assert_eq!(Segment::decode(&made).as_ref(), Ok(&self.segments[self.segments.len() - 1]));
        }
        Ok(())
    }
}
