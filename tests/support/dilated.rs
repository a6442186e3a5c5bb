//! A server's world whose clock pauses, changes its rate and loses time, and the truth. Simulated time in
//! ticks; every run repeats from its seed.

use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment};
use netclock::{Reading, ServerTime, Span, WorldTime};
use netclock_sim::clock::TICKS_PER_S;
use netclock_sim::random::Random;
use netclock_sim::world::{Frame, World};

pub(crate) const MS: i64 = 10_000;
pub(crate) const SECOND: i64 = 1000 * MS;

/// Of a run without `NETCLOCK_TEST_SEED`.
pub(crate) const SEED: u64 = 2026;

/// The name of the server's run.
pub(crate) const EPOCH: u64 = 7;

/// The server: its world, and the publisher that watches it.
pub(crate) struct Server {
    pub(crate) publisher: Publisher,
    pub(crate) world: World,
    pub(crate) published: Vec<Segment>,
    pub(crate) lag: i64,
    resolution: i64,
    random: Random,
}

impl Server {
    pub(crate) fn new(config: PublisherConfig, seed: u64) -> Self {
        let publisher = Publisher::new(config, EPOCH, 1).expect("valid settings");
        let (lag, resolution) = (config.read_lag.ticks(), config.resolution.ticks());
        let (world, random) = (World::new(100.0, 3 * SECOND, 1.0), Random::new(seed, "read lag"));
        Server { publisher, world, published: Vec::new(), lag, resolution, random }
    }

    /// The next frame, `length` after the last one, or the first one; from here on the world runs at `rate`.
    pub(crate) fn frame(&mut self, length: i64, rate: Rate) -> Option<Segment> {
        if self.published.is_empty() {
            self.world = World::new(100.0, 3 * SECOND, rate.as_f64());
        } else {
            self.world.frame((self.now() + length) as f64 / TICKS_PER_S, rate.as_f64());
        }
        self.observe(rate)
    }

    /// When the newest frame began.
    pub(crate) fn now(&self) -> i64 {
        real_of(&self.world.last())
    }

    /// When the newest map began.
    pub(crate) fn began(&self) -> i64 {
        let newest = self.world.last().instance;
        real_of(&self.world.frames[self.world.frames.partition_point(|frame| frame.instance < newest)])
    }

    fn observe(&mut self, rate: Rate) -> Option<Segment> {
        // Late by half the limit at most frames, so that a few are near to none.
        let late = self.random.below(self.lag + 1).max(self.random.below(self.lag + 1)).min(self.lag);
        let world = self.world.last().world;
        let read = WorldTime::from_ticks(world - world.rem_euclid(self.resolution));
        let segment = self.publisher.observe(ServerTime::from_ticks(self.now() + late), read, rate);
        let segment = segment.expect("frames are in order");
        self.published.extend(segment);
        segment
    }

    /// What the newest map's clock says at `real`: the least and the most of what is true there.
    pub(crate) fn truth(&self, real: i64) -> (i64, i64) {
        let (least, most) = self.world.truth(self.world.last().instance, real as f64 / TICKS_PER_S);
        (least.round() as i64, most.round() as i64)
    }
}

/// When a frame began.
pub(crate) fn real_of(frame: &Frame) -> i64 {
    (frame.at_s * TICKS_PER_S).round() as i64
}

/// How far `world` is from what is true.
pub(crate) fn off(world: WorldTime, (least, most): (i64, i64)) -> i64 {
    (world.ticks() - most).max(least - world.ticks()).max(0)
}

pub(crate) fn reading(server_time: i64, bound: i64) -> Reading {
    netclock_sim::reading(EPOCH, ServerTime::from_ticks(server_time), Span::from_ticks(bound))
}
