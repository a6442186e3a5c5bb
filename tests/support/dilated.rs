//! A server's world whose clock pauses, changes its rate and loses time, the news of it under way to a client, and the
//! truth. Simulated time in ticks; every run repeats from its seed.

use std::collections::VecDeque;

use netclock::timeline::{
    Publisher, PublisherConfig, Rate, Segment, SegmentError, Timeline, TimelineConfig, WorldReading,
};
use netclock::{Reading, ServerTime, Span, State, WorldTime};
use netclock_sim::random::Random;

pub(crate) const MS: i64 = 10_000;
pub(crate) const SECOND: i64 = 1000 * MS;

/// Of a run without `NETCLOCK_TEST_SEED`.
pub(crate) const SEED: u64 = 2026;

/// The name of the server's run.
pub(crate) const EPOCH: u64 = 7;

/// One frame of the server: what its world's clock said from here on, and at what rate it went on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) real: i64,
    pub(crate) world: i64,
    pub(crate) rate: Rate,
    /// The next frame was so long that the engine cut it.
    pub(crate) is_hitch: bool,
}

/// Longest frame that the engine counts, in ticks.
pub(crate) const CLAMP: i64 = 400 * MS;

/// The server: frames, and the publisher that watches them.
pub(crate) struct Server {
    pub(crate) publisher: Publisher,
    pub(crate) frames: Vec<Frame>,
    pub(crate) published: Vec<Segment>,
    pub(crate) lag: i64,
    pub(crate) resolution: i64,
    random: Random,
}

impl Server {
    pub(crate) fn new(config: PublisherConfig, seed: u64) -> Self {
        let publisher = Publisher::new(config, EPOCH, 1).expect("valid settings");
        let (lag, resolution) = (config.read_lag.ticks(), config.resolution.ticks());
        Server {
            publisher,
            frames: Vec::new(),
            published: Vec::new(),
            lag,
            resolution,
            random: Random::new(seed, "read lag"),
        }
    }

    /// The next frame, `length` after the last one; from here on the world runs at `rate`.
    pub(crate) fn frame(&mut self, length: i64, rate: Rate) -> Option<Segment> {
        let first = Frame { real: 100 * SECOND, world: 3 * SECOND, rate, is_hitch: false };
        let next = self.frames.last_mut().map_or(first, |last| {
            last.is_hitch = length > CLAMP;
            let world = last.world + (length.min(CLAMP) as f64 * last.rate.as_f64()).round() as i64;
            Frame { real: last.real + length, world, rate, is_hitch: false }
        });
        self.frames.push(next);
        self.observe(next)
    }

    /// Another map: its clock starts at zero.
    pub(crate) fn travel(&mut self, length: i64, rate: Rate) -> Option<Segment> {
        self.publisher.begin_world();
        let real = self.frames.last().map_or(0, |last| last.real) + length;
        self.frames.clear();
        self.frames.push(Frame { real, world: 0, rate, is_hitch: false });
        self.observe(Frame { real, world: 0, rate, is_hitch: false })
    }

    fn observe(&mut self, frame: Frame) -> Option<Segment> {
        // Late by half the limit at most frames, so that a few are near to none.
        let late = self.random.below(self.lag + 1).max(self.random.below(self.lag + 1)).min(self.lag);
        let read = frame.world - frame.world.rem_euclid(self.resolution);
        let segment = self.publisher.observe(
            ServerTime::from_ticks(frame.real + late),
            WorldTime::from_ticks(read),
            frame.rate,
        );
        let segment = segment.expect("frames are in order");
        self.published.extend(segment);
        segment
    }

    /// What the world's clock says at `real`: the least and the most of what is true there.
    pub(crate) fn truth(&self, real: i64) -> (i64, i64) {
        let at = self.frames.partition_point(|frame| frame.real <= real).max(1) - 1;
        let frame = self.frames[at];
        let on = frame.world + ((real - frame.real) as f64 * frame.rate.as_f64()).round() as i64;
        match self.frames.get(at + 1) {
            // A frame that was cut has no time in between.
            Some(next) if frame.is_hitch => (frame.world, next.world),
            _ => (on, on),
        }
    }
}

/// How far `world` is from what is true.
pub(crate) fn off(world: WorldTime, (least, most): (i64, i64)) -> i64 {
    (world.ticks() - most).max(least - world.ticks()).max(0)
}

/// What travels to the client.
#[derive(Clone, Copy, Debug)]
enum Letter {
    Segment(Segment),
    Confirmation(Segment),
}

/// The client, and what is under way to it.
pub(crate) struct Reader {
    pub(crate) timeline: Timeline,
    letters: VecDeque<(i64, Letter)>,
    pub(crate) random: Random,
    /// Probabilities that a letter is lost, and that it comes twice.
    pub(crate) loss: f64,
    pub(crate) twice: f64,
    /// Mean latency, and the largest error of the clock.
    pub(crate) latency: i64,
    pub(crate) bound: i64,
    last: Option<WorldReading>,
}

impl Reader {
    pub(crate) fn new(config: TimelineConfig, seed: u64) -> Self {
        let timeline = Timeline::new(config).expect("valid settings");
        let (letters, random) = (VecDeque::new(), Random::new(seed, "news"));
        Reader {
            timeline,
            letters,
            random,
            loss: 0.1,
            twice: 0.1,
            latency: 40 * MS,
            bound: 5 * MS,
            last: None,
        }
    }

    /// A segment was published at `real`.
    pub(crate) fn send(&mut self, real: i64, segment: Segment) {
        self.post(real, Letter::Segment(segment));
    }

    /// A reply left the server at `real`, with what is in force.
    pub(crate) fn confirm(&mut self, real: i64, newest: Segment) {
        self.post(real, Letter::Confirmation(newest));
    }

    fn post(&mut self, real: i64, letter: Letter) {
        let copies =
            if self.random.chance(self.loss) { 0 } else { 1 + i32::from(self.random.chance(self.twice)) };
        for _ in 0..copies {
            // Mostly soon, sometimes much later than what was sent after it.
            let tail = if self.random.chance(0.15) { 6 } else { 1 };
            let arrives = real + self.latency / 2 + self.random.below(tail * self.latency);
            self.letters.push_back((arrives, letter));
        }
    }

    /// Hands over what arrived until `real`.
    pub(crate) fn receive(&mut self, real: i64) {
        let (there, later): (Vec<_>, Vec<_>) = self.letters.drain(..).partition(|&(at, _)| at <= real);
        self.letters = later.into();
        for (_, letter) in there {
            match letter {
                Letter::Segment(segment) => {
                    let taken = self.timeline.insert(&segment);
                    assert!(
                        matches!(taken, Ok(_) | Err(SegmentError::OldWorld | SegmentError::Superseded)),
                        "{taken:?} {segment:?}"
                    );
                }
                Letter::Confirmation(newest) => {
                    let through = newest.through.expect("the publisher says it");
                    let said = self.timeline.confirm(EPOCH, newest.instance, newest.version, through);
                    let fine =
                        matches!(said, Ok(()) | Err(SegmentError::OldWorld | SegmentError::OtherEpoch));
                    assert!(fine, "{said:?}");
                }
            }
        }
    }

    /// What the client's clock says at `real`: off by up to its bound, and never backwards.
    pub(crate) fn clock(&self, real: i64) -> Reading {
        // A wave of 40 s; its slope is far below one.
        let wave = (real as f64 / (40.0 * SECOND as f64) * core::f64::consts::TAU).sin();
        reading(real + (wave * self.bound as f64) as i64, self.bound)
    }

    /// Shows the world, and checks what holds of any two readings.
    pub(crate) fn show(&mut self, real: i64) -> Option<WorldReading> {
        let shown = self.timeline.show(&self.clock(real)).ok()?;
        if let Some(last) = self.last.filter(|last| last.epoch == shown.epoch) {
            assert!(shown.world >= last.world, "it went back: {last:?} {shown:?}");
        }
        assert!(shown.error_bound_if_unchanged <= shown.error_bound, "{shown:?}");
        assert!(shown.error_bound_if_unchanged >= Span::ZERO, "{shown:?}");
        self.last = Some(shown);
        Some(shown)
    }
}

pub(crate) fn reading(server_time: i64, bound: i64) -> Reading {
    Reading {
        server_time: ServerTime::from_ticks(server_time),
        error_bound: Span::from_ticks(bound),
        expected_error: Span::ZERO,
        round_trip: Span::ZERO,
        frequency_ppm: 0.0,
        state: State::Synced,
        epoch: 1,
        server_epoch: EPOCH,
    }
}
