//! A world's time by NetClock: by its timeline, or by its client alone.

use std::net::SocketAddr;

use anyhow::Result;
use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment, TimelineConfig};
use netclock::{Client, Config, LocalTime, Reply, RequestId, ServerTime, State, WorldTime, wire};

use super::run::{Course, Run, Shown, send};
use crate::game::distributor::{Answer, Distributor};
use crate::game::follower::Follower;
use crate::game::note::SIZE as NOTE_SIZE;
use netclock_sim::agenda::Agenda;
use netclock_sim::clock::{Clocks, TICKS_PER_S};
use netclock_sim::leg::Leg;
use netclock_sim::network::{Exchange, Network};
use netclock_sim::random::Random;
use netclock_sim::world::World;

/// The epoch of the simulated server.
const EPOCH: u64 = 1;
/// The server reads real time at most this much after the world's clock was set (s).
const READ_LAG_S: f64 = 0.3e-3;

/// A client of the product and its exchanges.
struct Synced {
    client: Client,
    network: Network,
    answers: Agenda<(RequestId, Exchange)>,
    bytes: u64,
}

impl Synced {
    fn new(run: &Run<'_>) -> Result<Self> {
        let client = Client::new(Config::default(), u128::from(run.seed).max(1))?;
        Ok(Synced { client, network: run.network(), answers: Agenda::default(), bytes: 0 })
    }

    /// A frame: handles replies and sends a request if one is due. `stamp` converts the stamps of the server.
    fn frame(&mut self, at_s: f64, stamp: impl Fn(&Clocks, i64) -> i64) {
        for (_, (id, x)) in self.answers.until(at_s) {
            let server = |ticks| ServerTime::from_ticks(stamp(&self.network.clocks, ticks));
            let reply = Reply { id, epoch: EPOCH, received: server(x.t1), sent: server(x.t2) };
            self.bytes += wire::SIZE as u64;
            // The client refuses copies and contradictions.
            let _ = self.client.handle_reply(&reply, LocalTime::from_ticks(x.t3));
        }
        let now = self.now(at_s);
        if let Ok(Some(request)) = self.client.tick(now) {
            self.bytes += wire::SIZE as u64;
            for answer in self.network.send(0, at_s).answers {
                self.answers.add(answer.arrived_s, (request.id, answer));
            }
        }
    }

    fn now(&self, at_s: f64) -> LocalTime {
        LocalTime::from_ticks(self.network.clocks.client(at_s))
    }
}

/// NetClock: the client shows real time, its timeline shows the world.
pub(super) struct ByTimeline {
    synced: Synced,
    follower: Follower,
    publisher: Publisher,
    distributor: Distributor<SocketAddr>,
    up: Leg,
    down: Leg,
    asks: Agenda<Vec<u8>>,
    news: Agenda<Vec<u8>>,
    lag: Random,
    next_frame: usize,
    course: Course,
}

impl ByTimeline {
    pub(super) fn new(run: &Run<'_>) -> Result<Self> {
        Ok(ByTimeline {
            synced: Synced::new(run)?,
            follower: Follower::new(TimelineConfig::default())?,
            publisher: Publisher::new(PublisherConfig::default(), EPOCH, 1)?,
            distributor: Distributor::new(),
            up: Leg::new(&run.link.forward, run.seed, "news forward"),
            down: Leg::new(&run.link.reverse, run.seed, "news reverse"),
            asks: Agenda::default(),
            news: Agenda::default(),
            lag: Random::new(run.seed, "read lag"),
            next_frame: 0,
            course: Course::default(),
        })
    }

    pub(super) fn run(mut self, run: &Run<'_>) -> Result<Course> {
        for at_s in run.turns() {
            while run.game.frames.get(self.next_frame).is_some_and(|frame| frame.at_s <= at_s) {
                self.server_frame(run.game, self.next_frame)?;
                self.next_frame += 1;
            }
            self.client_frame(at_s);
        }
        self.course.bytes = self.synced.bytes + self.course.news_bytes;
        Ok(self.course)
    }

    /// A frame of the server: it observes its world, answers requests, and sends news to clients that need
    /// it.
    fn server_frame(&mut self, game: &World, number: usize) -> Result<()> {
        let frame = game.frames[number];
        let at_s = frame.at_s + self.lag.between(0.0, READ_LAG_S);
        let real = ServerTime::from_ticks(self.synced.network.clocks.server(at_s));
        if number > 0 && game.frames[number - 1].instance != frame.instance {
            self.publisher.begin_world();
        }
        let rate = Rate::new(frame.rate).unwrap_or(Rate::PAUSED);
        self.course.published.extend(self.publisher.observe(
            real,
            WorldTime::from_ticks(frame.world),
            rate,
        )?);
        let newest = self.publisher.newest();
        let address = SocketAddr::from(([192, 0, 2, 1], 1));
        for (_, ask) in self.asks.until(frame.at_s) {
            match self.distributor.hear(&ask, address, real, newest.as_ref()) {
                Some(Answer::Note(note)) => self.send(at_s, &note),
                Some(Answer::Segment(segment)) => self.send_segment(at_s, &segment),
                None => {}
            }
        }
        if let Some(newest) = newest {
            for _ in 0..self.distributor.due(real, &newest).count() {
                self.send_segment(at_s, &newest);
            }
        }
        Ok(())
    }

    fn send_segment(&mut self, at_s: f64, segment: &Segment) {
        // The segments of a publisher are valid.
        let Ok(bytes) = segment.encode() else { return };
        self.course.segments_sent += 1;
        self.send(at_s, &bytes);
    }

    fn send(&mut self, at_s: f64, bytes: &[u8]) {
        self.course.news_bytes += bytes.len() as u64;
        send(&mut self.news, &mut self.down, at_s, &bytes.to_vec());
    }

    fn client_frame(&mut self, at_s: f64) {
        self.synced.frame(at_s, |_, stamp| stamp);
        for (_, bytes) in self.news.until(at_s) {
            self.follower.hear(&bytes);
        }
        let now = self.synced.now(at_s);
        if let Some(ask) = self.follower.ask(now) {
            self.course.news_bytes += NOTE_SIZE as u64;
            send(&mut self.asks, &mut self.up, at_s, &ask.to_vec());
        }
        let reading = self.synced.client.read(now);
        let shown = self.follower.show(&reading).ok().map(|shown| Shown {
            world: shown.world.ticks(),
            instance: Some(shown.instance),
            // The timeline declares a step forwards without a new epoch.
            epoch: shown.epoch.into(),
            bound: Some(shown.error_bound.ticks()),
            if_unchanged: Some(shown.error_bound_if_unchanged.ticks()),
            version: Some(shown.version),
            real: Some(reading.server_time.ticks()),
        });
        self.course.reads.push((at_s, shown));
    }
}

/// The product's client alone: the server stamps with the world's time.
pub(super) struct ByClient {
    synced: Synced,
}

impl ByClient {
    pub(super) fn new(run: &Run<'_>) -> Result<Self> {
        Ok(ByClient { synced: Synced::new(run)? })
    }

    pub(super) fn run(mut self, run: &Run<'_>) -> Result<Course> {
        let mut course = Course::default();
        for at_s in run.turns() {
            self.synced.frame(at_s, |clocks, stamp| {
                let at_s = clocks.since_start(stamp) / TICKS_PER_S;
                run.game.truth(run.game.instance(at_s), at_s).0 as i64
            });
            let reading = self.synced.client.read(self.synced.now(at_s));
            let shown = (reading.state != State::Unsynced).then_some(Shown {
                world: reading.server_time.ticks(),
                epoch: reading.epoch.into(),
                bound: Some(reading.error_bound.ticks()),
                ..Shown::default()
            });
            course.reads.push((at_s, shown));
        }
        course.bytes = self.synced.bytes;
        Ok(course)
    }
}
