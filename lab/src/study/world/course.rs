//! The world's time on a client: NetClock's timeline, and what others do, over the same worlds and links.
//!
//! The clock's exchanges are stamped at the sockets. Everything else is handled in frames: asks at the server's next
//! one, news at the client's next one; the world is read once in each frame of the client.

use std::net::SocketAddr;

use anyhow::Result;
use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment, TimelineConfig};
use netclock::{Client, Config, LocalTime, Reply, RequestId, ServerTime, State, WorldTime, wire};

use super::game::{Frame, Game};
use crate::baseline;
use crate::game::follower::Follower;
use crate::game::note::SIZE as NOTE_SIZE;
use crate::game::teller::{Answer, Teller};
use crate::measure::estimator::Estimator;
use crate::sim::clock::{Clocks, TICKS_PER_S};
use crate::sim::frames::{FrameConfig, Frames};
use crate::sim::leg::{Leg, LegConfig};
use crate::sim::network::{Exchange, Network, NetworkConfig};
use crate::sim::random::Random;

/// The simulated server's run.
const EPOCH: u64 = 1;
/// Real time is read this much after the world's clock was set, at most (s).
const READ_LAG_S: f64 = 0.3e-3;
/// The client's frames: not in step with the server's, and not evenly spaced.
const CLIENT_FRAMES: FrameConfig =
    FrameConfig { fps: 90.0, ppm: 0.0, jitter_ms: 4.0, hitch_every_s: 0.0, hitch_s: 0.0 };

/// What a client shows in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The world's time (ticks).
    pub world: i64,
    /// Which world it is said to be; none for clocks that do not know.
    pub instance: Option<u32>,
    /// Counts what was declared to be a leap.
    pub epoch: u64,
    /// Promised bounds (ticks), if any: whatever happened, and if nothing has.
    pub bound: Option<i64>,
    /// See [`bound`](Self::bound).
    pub if_unchanged: Option<i64>,
    /// The segment that was read.
    pub version: Option<u32>,
    /// The server's real time on the client (ticks), for clocks that know it.
    pub real: Option<i64>,
}

/// A run: a world and a link.
pub struct Run<'a> {
    /// The server's world.
    pub game: &'a Game,
    /// Clocks and link.
    pub link: &'a NetworkConfig,
    /// Length (s).
    pub seconds: f64,
    /// Of everything random.
    pub seed: u64,
}

/// What became of one clock in a run.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Frames of the client: true time (s) and what was shown.
    pub reads: Vec<(f64, Option<Shown>)>,
    /// What the server published, in order.
    pub published: Vec<Segment>,
    /// Copies of segments that were sent, and payload of all datagrams but the clock's own, both directions (bytes).
    pub segments_sent: u64,
    /// See [`segments_sent`](Self::segments_sent).
    pub news_bytes: u64,
    /// All payload (bytes).
    pub bytes: u64,
}

/// Names of the clocks, in the order of the tables.
pub const CLOCKS: [&str; 4] = [NETCLOCK, DIRECT, "engine_average", "engine_push"];
/// The product.
pub const NETCLOCK: &str = "netclock";
/// The product's client alone, fed with the world's time in place of real time.
pub const DIRECT: &str = "world_direct";

impl Run<'_> {
    /// Runs the clock called `name`.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn course(&self, name: &str) -> Result<Course> {
        match name {
            NETCLOCK => Told::new(self)?.run(self),
            DIRECT => Direct::new(self)?.run(self),
            _ => Pushed::new(self, name)?.run(self),
        }
    }

    fn network(&self) -> Network {
        Network::new(self.link, self.seconds, self.seed)
    }

    /// The frames of the client (s).
    fn turns(&self) -> impl Iterator<Item = f64> + use<> {
        let frames = Frames::new(&CLIENT_FRAMES, self.seed, "client");
        let seconds = self.seconds;
        let first = frames.next(0.0);
        std::iter::successors(Some(first), move |&last| Some(frames.next(last + 1e-9)))
            .take_while(move |&at| at < seconds)
    }
}

/// Things on their way, in the order of arrival.
struct Post<T>(Vec<(f64, T)>);

impl<T: Clone> Post<T> {
    fn new() -> Self {
        Post(Vec::new())
    }

    fn send(&mut self, leg: &mut Leg, at_s: f64, what: &T) {
        for arrives_s in leg.arrivals(at_s) {
            self.put(arrives_s, what.clone());
        }
    }

    fn put(&mut self, arrives_s: f64, what: T) {
        let place = self.0.partition_point(|other| other.0 <= arrives_s);
        self.0.insert(place, (arrives_s, what));
    }

    fn arrived(&mut self, until_s: f64) -> Vec<(f64, T)> {
        let there = self.0.partition_point(|other| other.0 <= until_s);
        self.0.drain(..there).collect()
    }
}

/// A client of the product, with its exchanges.
struct Synced {
    client: Client,
    network: Network,
    answers: Post<(RequestId, Exchange)>,
    bytes: u64,
}

impl Synced {
    fn new(run: &Run<'_>) -> Result<Self> {
        let client = Client::new(Config::default(), u128::from(run.seed))?;
        Ok(Synced { client, network: run.network(), answers: Post::new(), bytes: 0 })
    }

    /// A frame: takes replies, whose server stamps become what `stamp` makes of them, and asks.
    fn frame(&mut self, at_s: f64, stamp: impl Fn(&Clocks, i64) -> i64) {
        for (_, (id, x)) in self.answers.arrived(at_s) {
            let server = |ticks| ServerTime::from_ticks(stamp(&self.network.clocks, ticks));
            let reply = Reply { id, epoch: EPOCH, received: server(x.t1), sent: server(x.t2) };
            self.bytes += wire::SIZE as u64;
            // Refused if it is a copy, or contradicts the clock.
            let _ = self.client.handle_reply(&reply, LocalTime::from_ticks(x.t3));
        }
        let now = self.now(at_s);
        if let Ok(Some(request)) = self.client.tick(now) {
            self.bytes += wire::SIZE as u64;
            for answer in self.network.send(0, at_s).answers {
                self.answers.put(answer.arrived_s, (request.id, answer));
            }
        }
    }

    fn now(&self, at_s: f64) -> LocalTime {
        LocalTime::from_ticks(self.network.clocks.client(at_s))
    }
}

/// NetClock: real time by the client, the world by its timeline.
struct Told {
    synced: Synced,
    follower: Follower,
    publisher: Publisher,
    teller: Teller,
    up: Leg,
    down: Leg,
    asks: Post<Vec<u8>>,
    news: Post<Vec<u8>>,
    lag: Random,
    next_frame: usize,
    course: Course,
}

impl Told {
    fn new(run: &Run<'_>) -> Result<Self> {
        Ok(Told {
            synced: Synced::new(run)?,
            follower: Follower::new(TimelineConfig::default())?,
            publisher: Publisher::new(PublisherConfig::default(), EPOCH, 1)?,
            teller: Teller::new(),
            up: Leg::new(&run.link.forward, run.seed, "news forward"),
            down: Leg::new(&run.link.reverse, run.seed, "news reverse"),
            asks: Post::new(),
            news: Post::new(),
            lag: Random::new(run.seed, "read lag"),
            next_frame: 0,
            course: Course::default(),
        })
    }

    fn run(mut self, run: &Run<'_>) -> Result<Course> {
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

    /// The server observes its world, answers asks, and tells those who do not know.
    fn server_frame(&mut self, game: &Game, number: usize) -> Result<()> {
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
        for (_, ask) in self.asks.arrived(frame.at_s) {
            match self.teller.hear(&ask, address, real, newest.as_ref()) {
                Some(Answer::Note(note)) => self.tell(at_s, &note),
                Some(Answer::Segment(segment)) => self.tell_segment(at_s, &segment),
                None => {}
            }
        }
        if let Some(newest) = newest {
            for _ in 0..self.teller.due(real, &newest).count() {
                self.tell_segment(at_s, &newest);
            }
        }
        Ok(())
    }

    fn tell_segment(&mut self, at_s: f64, segment: &Segment) {
        // What the publisher gives is valid.
        let Ok(bytes) = segment.encode() else { return };
        self.course.segments_sent += 1;
        self.tell(at_s, &bytes);
    }

    fn tell(&mut self, at_s: f64, bytes: &[u8]) {
        self.course.news_bytes += bytes.len() as u64;
        self.news.send(&mut self.down, at_s, &bytes.to_vec());
    }

    fn client_frame(&mut self, at_s: f64) {
        self.synced.frame(at_s, |_, stamp| stamp);
        for (_, bytes) in self.news.arrived(at_s) {
            self.follower.hear(&bytes);
        }
        let now = self.synced.now(at_s);
        if let Some(ask) = self.follower.ask(now) {
            self.course.news_bytes += NOTE_SIZE as u64;
            self.asks.send(&mut self.up, at_s, &ask.to_vec());
        }
        let reading = self.synced.client.read(now);
        let shown = self.follower.show(&reading).ok().map(|shown| Shown {
            world: shown.world.ticks(),
            instance: Some(shown.instance),
            // A leap forwards is declared within the epoch.
            epoch: shown.epoch.into(),
            bound: Some(shown.error_bound.ticks()),
            if_unchanged: Some(shown.error_bound_if_unchanged.ticks()),
            version: Some(shown.version),
            real: Some(reading.server_time.ticks()),
        });
        self.course.reads.push((at_s, shown));
    }
}

/// The product's client, told the world's time as if it were the server's clock.
struct Direct {
    synced: Synced,
}

impl Direct {
    fn new(run: &Run<'_>) -> Result<Self> {
        Ok(Direct { synced: Synced::new(run)? })
    }

    fn run(mut self, run: &Run<'_>) -> Result<Course> {
        let mut course = Course::default();
        for at_s in run.turns() {
            self.synced.frame(at_s, |clocks, stamp| {
                let at_s = clocks.since_start(stamp) / TICKS_PER_S;
                run.game.truth(run.game.instance(at_s), at_s).0 as i64
            });
            let reading = self.synced.client.read(self.synced.now(at_s));
            let shown = (reading.state != State::Unsynced).then_some(Shown {
                world: reading.server_time.ticks(),
                instance: None,
                epoch: reading.epoch.into(),
                bound: Some(reading.error_bound.ticks()),
                if_unchanged: None,
                version: None,
                real: None,
            });
            course.reads.push((at_s, shown));
        }
        course.bytes = self.synced.bytes;
        Ok(course)
    }
}

/// What an engine does by itself: the server pushes its world's time, and the client adds what it makes of that to its
/// own world's clock. That one is paused and slowed like the server's: here with what every frame of the server did,
/// without a loss, as late as the link. Both begin anew with each map.
struct Pushed {
    make: baseline::Maker,
    /// The client's, and one that keeps the server's schedule.
    estimator: Box<dyn Estimator>,
    schedule: Box<dyn Estimator>,
    network: Network,
    down: Leg,
    lossless: Leg,
    pushes: Post<Frame>,
    rates: Post<f64>,
    /// The client's map, its own world clock (ticks), and the rate it runs at.
    instance: u32,
    local: f64,
    rate: f64,
    next_frame: usize,
}

impl Pushed {
    fn new(run: &Run<'_>, name: &str) -> Result<Self> {
        let found = baseline::PUBLISHED.iter().find(|(known, _)| *known == name);
        let Some(&(_, make)) = found else { anyhow::bail!("there is no clock {name}") };
        let lossless = LegConfig { loss: 0.0, duplicate: 0.0, reorder: 0.0, ..run.link.reverse.clone() };
        Ok(Pushed {
            make,
            estimator: make(),
            schedule: make(),
            network: run.network(),
            down: Leg::new(&run.link.reverse, run.seed, "pushes"),
            lossless: Leg::new(&lossless, run.seed, "rates"),
            pushes: Post::new(),
            rates: Post::new(),
            instance: 1,
            local: 0.0,
            rate: 1.0,
            next_frame: 0,
        })
    }

    fn run(mut self, run: &Run<'_>) -> Result<Course> {
        let mut course = Course::default();
        let mut last_s = 0.0;
        for at_s in run.turns() {
            self.server_frames(run.game, at_s, &mut course);
            for (_, rate) in self.rates.arrived(at_s) {
                self.rate = rate;
            }
            let passed = self.network.clocks.client(at_s) - self.network.clocks.client(last_s);
            self.local += passed as f64 * self.rate;
            last_s = at_s;
            for (_, frame) in self.pushes.arrived(at_s) {
                self.take(&frame);
            }
            let shown = self.estimator.shown(self.local as i64).map(|world| Shown {
                world,
                instance: None,
                epoch: self.instance.into(),
                bound: None,
                if_unchanged: None,
                version: None,
                real: None,
            });
            course.reads.push((at_s, shown));
        }
        course.bytes = course.news_bytes;
        Ok(course)
    }

    fn take(&mut self, pushed: &Frame) {
        if pushed.instance < self.instance {
            return;
        }
        if pushed.instance > self.instance {
            (self.instance, self.local, self.estimator) = (pushed.instance, 0.0, (self.make)());
        }
        self.estimator.on_exchange(&push(pushed.world, self.local as i64));
    }

    /// The server's frames until `until_s`. Its timer is one of the world's, so it stands still with it.
    fn server_frames(&mut self, game: &Game, until_s: f64, course: &mut Course) {
        while let Some(frame) = game.frames.get(self.next_frame).filter(|frame| frame.at_s <= until_s) {
            if self.next_frame > 0 && game.frames[self.next_frame - 1].instance != frame.instance {
                self.schedule = (self.make)();
            }
            self.next_frame += 1;
            self.rates.send(&mut self.lossless, frame.at_s, &frame.rate);
            if frame.rate > 0.0 && self.schedule.wants_probe(frame.world) {
                self.schedule.on_exchange(&push(frame.world, frame.world));
                course.news_bytes += self.schedule.wire().reply;
                self.pushes.send(&mut self.down, frame.at_s, frame);
            }
        }
    }
}

/// A push has no way up.
fn push(world: i64, local: i64) -> Exchange {
    Exchange { id: 0, t0: local, t1: world, t2: world, t3: local, arrived_s: 0.0, copy: false }
}
