//! The world's time on a client, beside the truth: pauses, dilations, hitches and travel on the server, any
//! order, loss and repetition of the news on the way.

use crate::dilated::{MS, Reader, SECOND, SEED, Server, off};
use netclock::timeline::{PublisherConfig, Rate, TimelineConfig};
use netclock::{ServerTime, Span};
use netclock_sim::random::{Random, seed};

/// Runs of the property test.
const RUNS: u64 = 40;

/// What a server does at random, frame by frame.
struct Fate {
    random: Random,
    rate: f64,
    /// Change of the rate per frame, and the number of frames.
    change: (f64, i64),
    frame: i64,
}

impl Fate {
    /// Length of the next frame, and the rate from there on; sometimes another map.
    fn next(&mut self) -> (i64, Rate, bool) {
        let Fate { random, rate, change, frame } = self;
        match random.below(600) {
            0..=3 => *rate = 0.0,
            4..=9 => *rate = 1.0,
            10..=12 => *rate = random.below(200) as f64 / 100.0,
            13..=14 => *change = (random.below(40) as f64 / 1000.0 - 0.02, 30 + random.below(60)),
            _ => {}
        }
        if change.1 > 0 && *rate > 0.0 {
            *rate = (*rate + change.0).clamp(0.05, 2.0);
            change.1 -= 1;
        }
        let length = *frame + random.below(*frame / 4);
        let length = if random.below(700) == 0 { 450 * MS + random.below(SECOND) } else { length };
        (length, Rate::new(*rate).unwrap_or(Rate::PAUSED), random.below(1500) == 0)
    }
}

struct Run {
    server: Server,
    reader: Reader,
    fate: Fate,
    reads: u32,
    exact_reads: u32,
    largest_ahead: i64,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed, "fate");
        let config = PublisherConfig {
            read_lag: Span::from_ticks(1 + random.below(2) * random.below(5 * MS)),
            resolution: Span::from_ticks(if random.chance(0.3) { 78_125 } else { 1 }),
            max_per_second: 2 + random.below(30) as u32,
            ..PublisherConfig::default()
        };
        let timeline = TimelineConfig { max_rate: 2.0, max_slew: 0.2, ..TimelineConfig::default() };
        let mut reader = Reader::new(timeline, seed);
        reader.bound = random.below(20 * MS);
        let frame = [69_444, 166_667, 333_333][random.below(3) as usize];
        let fate = Fate { random, rate: 1.0, change: (0.0, 0), frame };
        let server = Server::new(config, seed);
        Run { server, reader, fate, reads: 0, exact_reads: 0, largest_ahead: 0 }
    }

    fn play(&mut self, frames: usize) {
        let mut read = 100 * SECOND;
        for frame in 0..frames {
            let (length, rate, travels) = self.fate.next();
            let segment = if travels && frame > 0 {
                self.server.travel(length, rate)
            } else {
                self.server.frame(length, rate)
            };
            let now = self.server.now();
            if let Some(segment) = segment {
                self.reader.send(now, segment);
            }
            if let Some(newest) = self.server.publisher.newest() {
                // A reply now and then; and the newest segment again, for what was lost.
                if self.fate.random.chance(0.1) {
                    self.reader.confirm(now, newest);
                }
                if self.fate.random.chance(0.03) {
                    self.reader.send(now, newest);
                }
            }
            // The client reads the times up to this frame. Their true world times are known by now.
            while read + 90_000 <= now {
                read += 60_000 + self.fate.random.below(60_000);
                self.read(read);
            }
        }
    }

    fn read(&mut self, real: i64) {
        self.reader.receive(real);
        let newest = self.server.publisher.newest();
        let Some(shown) = self.reader.show(real) else { return };
        // Of a world that was left, the truth is gone; it was true when it was shown.
        if newest.is_none_or(|newest| newest.instance != shown.instance) || real < self.server.began() {
            return;
        }
        self.reads += 1;
        let error = off(shown.world, self.server.truth(real));
        assert!(error <= shown.error_bound.ticks(), "off by {error}: {shown:?} at {real}");
        self.largest_ahead = self.largest_ahead.max(shown.ahead.ticks());
        if self.fate.random.chance(0.2) {
            self.look_back(real, shown.instance);
        }
    }

    /// What the segments say of the past is within their bound.
    fn look_back(&mut self, real: i64, instance: u32) {
        let at = real - self.fate.random.below(3 * SECOND);
        if at < self.server.began() {
            return;
        }
        let then =
            self.reader.timeline.world_at(crate::dilated::EPOCH, ServerTime::from_ticks(at)).expect("known");
        assert_eq!(then.instance, instance);
        let error = off(then.world, self.server.truth(at));
        assert!(error <= then.error_bound.ticks(), "off by {error}: {then:?} at {at}, now {real}");
        let versions = |&&version: &&u32| version == then.version || version == then.version + 1;
        let arrived: Vec<u32> = self.server.published.iter().map(|segment| segment.version).collect();
        let tolerance =
            self.server.published.iter().map(|segment| segment.tolerance).max().unwrap_or(Span::ZERO);
        let covered = arrived.iter().filter(versions).count() == 2 && then.error_bound <= tolerance;
        if covered {
            self.exact_reads += 1;
            assert!(error <= tolerance.ticks());
        }
    }
}

#[test]
fn what_is_shown_is_within_its_bound_and_never_goes_back() {
    let first = seed(SEED);
    let (mut reads, mut exact, mut ahead) = (0, 0, 0);
    for seed in first..first + RUNS {
        println!("run {seed}");
        let mut run = Run::new(seed);
        run.play(4000);
        (reads, exact) = (reads + run.reads, exact + run.exact_reads);
        ahead = ahead.max(run.largest_ahead);
    }
    println!("{reads} reads, {exact} of the past within a tolerance, at most {} ms ahead", ahead / MS);
    assert!(reads > 100_000 && exact > 10_000 && ahead > 50 * MS, "the worlds were too tame");
}
