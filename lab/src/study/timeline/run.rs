//! Runs a game world with one client, which NetClock's session or an engine's own clock synchronises.
//!
//! The clock's exchanges are timestamped at the sockets. Everything else happens in frames. Server and client
//! handle a message in the next frame, and the client reads the world once per frame.

use anyhow::{Context, Result};
use netclock::session::{Guest, GuestConfig, Host, HostConfig};
use netclock::timeline::{Rate, Segment};
use netclock::{LocalTime, ServerTime, WorldTime};

use crate::baseline;
use netclock_sim::{
    Agenda, Clocks, Estimator, Exchange, Frame, FrameConfig, Frames, GameWorld, Leg, LegConfig, Network,
    NetworkConfig, Random,
};

/// The client's frames are unevenly spaced and are not synchronised with the server's frames.
const CLIENT_FRAMES: FrameConfig = FrameConfig { jitter_ms: 4.0, ..FrameConfig::even(90.0, 0.0) };

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShownTime {
    pub world: i64,
    /// `None` for clocks that do not know the world's instance.
    pub instance: Option<u32>,
    pub epoch: u64,
    /// The error bound that also allows for changes not received yet. `None` if there is no bound.
    pub bound: Option<i64>,
    /// The error bound assuming that there are no such changes.
    pub if_unchanged: Option<i64>,
    pub version: Option<u32>,
    pub real: Option<i64>,
}

pub struct Run<'a> {
    pub game: &'a GameWorld,
    pub link: &'a NetworkConfig,
    pub seconds: f64,
    pub seed: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Course {
    /// The true time of each client frame (s), and what the client showed.
    pub reads: Vec<(f64, Option<ShownTime>)>,
    pub published: Vec<Segment>,
    pub segments_sent: u64,
    pub bytes: u64,
}

impl Run<'_> {
    fn network(&self) -> Network {
        Network::new(self.link, self.seconds, self.seed)
    }

    fn turns(&self) -> impl Iterator<Item = f64> + use<> {
        let frames = Frames::new(&CLIENT_FRAMES, self.seed, "client");
        let seconds = self.seconds;
        let first = frames.next(0.0);
        std::iter::successors(Some(first), move |&last| Some(frames.next(last + 1e-9)))
            .take_while(move |&at| at < seconds)
    }
}

fn send<T: Clone>(under_way: &mut Agenda<T>, leg: &mut Leg, at_s: f64, what: &T) {
    leg.arrivals(at_s).into_iter().for_each(|arrives_s| under_way.add(arrives_s, what.clone()));
}

/// An engine's own clock. The server pushes its world's time, and the client shifts its world by an offset.
///
/// Pauses and slow motion reach the client after the link's delay but are never lost. On each new map, the
/// server's and the client's world restart from zero.
pub(super) struct ByEngine {
    make: baseline::Maker,
    estimator: Box<dyn Estimator>,
    /// A copy of the clock that is used only for its push schedule.
    schedule: Box<dyn Estimator>,
    network: Network,
    down: Leg,
    lossless: Leg,
    pushes: Agenda<Frame>,
    rates: Agenda<f64>,
    /// The client's current map, and the time (ticks) and rate of its world.
    instance: u32,
    local: f64,
    rate: f64,
    next_frame: usize,
}

impl ByEngine {
    pub(super) fn new(run: &Run<'_>, name: &str) -> Result<Self> {
        let make = baseline::maker(name).with_context(|| format!("there is no clock {name}"))?;
        let lossless = LegConfig { loss: 0.0, duplicate: 0.0, reorder: 0.0, ..run.link.reverse.clone() };
        Ok(ByEngine {
            make,
            estimator: make(),
            schedule: make(),
            network: run.network(),
            down: Leg::new(&run.link.reverse, run.seed, "pushes"),
            lossless: Leg::new(&lossless, run.seed, "rates"),
            pushes: Agenda::default(),
            rates: Agenda::default(),
            instance: 1,
            local: 0.0,
            rate: 1.0,
            next_frame: 0,
        })
    }

    pub(super) fn run(mut self, run: &Run<'_>) -> Result<Course> {
        let mut course = Course::default();
        let mut last_s = 0.0;
        for at_s in run.turns() {
            self.server_frames(run.game, at_s, &mut course);
            for (_, rate) in self.rates.until(at_s) {
                self.rate = rate;
            }
            let passed = self.network.clocks.client(at_s) - self.network.clocks.client(last_s);
            self.local += passed as f64 * self.rate;
            last_s = at_s;
            for (_, frame) in self.pushes.until(at_s) {
                self.take(&frame);
            }
            let shown = self.estimator.shown(self.local as i64).map(|world| ShownTime {
                world,
                epoch: self.instance.into(),
                ..ShownTime::default()
            });
            course.reads.push((at_s, shown));
        }
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

    /// The push schedule uses world time, so nothing is pushed during pauses.
    fn server_frames(&mut self, game: &GameWorld, until_s: f64, course: &mut Course) {
        while let Some(frame) = game.frames.get(self.next_frame).filter(|frame| frame.at_s <= until_s) {
            if self.next_frame > 0 && game.frames[self.next_frame - 1].instance != frame.instance {
                self.schedule = (self.make)();
            }
            self.next_frame += 1;
            send(&mut self.rates, &mut self.lossless, frame.at_s, &frame.rate);
            if frame.rate > 0.0 && self.schedule.wants_probe(frame.world) {
                self.schedule.on_exchange(&push(frame.world, frame.world));
                course.bytes += self.schedule.wire().reply;
                send(&mut self.pushes, &mut self.down, frame.at_s, frame);
            }
        }
    }
}

/// Represents a push as an exchange, although the client sent no request.
fn push(world: i64, local: i64) -> Exchange {
    Exchange::of_stamps(0, [local, world, world, local])
}

const EPOCH: u64 = 1;
/// The maximum delay from setting the world's clock until the server's real time is read.
const READ_LAG_S: f64 = 0.3e-3;

pub(super) struct BySession {
    clocks: Clocks,
    host: Host,
    guest: Guest,
    up: Leg,
    down: Leg,
    to_host: Agenda<Vec<u8>>,
    to_guest: Agenda<Vec<u8>>,
    lag: Random,
    next_frame: usize,
    course: Course,
}

const PLAYER: u64 = 1;
const WORLD: usize = 0;
/// The size of the longest datagram without a segment (bytes): header, state and reply.
const WITHOUT_SEGMENT: usize = 80;

impl BySession {
    pub(super) fn new(run: &Run<'_>) -> Result<Self> {
        let seed = u128::from(run.seed).max(1);
        let mut host = Host::new(HostConfig::default(), EPOCH, seed)?;
        host.admit(PLAYER, None)?;
        Ok(BySession {
            clocks: run.network().clocks,
            host,
            guest: Guest::new(GuestConfig::default(), seed)?,
            up: Leg::new(&run.link.forward, run.seed, "forward"),
            down: Leg::new(&run.link.reverse, run.seed, "reverse"),
            to_host: Agenda::default(),
            to_guest: Agenda::default(),
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
            self.client_frame(at_s)?;
        }
        Ok(self.course)
    }

    fn server_frame(&mut self, game: &GameWorld, number: usize) -> Result<()> {
        let frame = game.frames[number];
        let at_s = frame.at_s + self.lag.between(0.0, READ_LAG_S);
        let real = self.server(at_s);
        if number > 0 && game.frames[number - 1].instance != frame.instance {
            self.host.begin_world(WORLD)?;
        }
        let rate = Rate::new(frame.rate).unwrap_or(Rate::PAUSED);
        let published = self.host.observe(WORLD, real, WorldTime::from_ticks(frame.world), rate)?;
        self.course.published.extend(published);
        for (arrived_s, bytes) in self.to_host.until(frame.at_s) {
            let arrived = self.server(arrived_s);
            self.host.polled(arrived)?;
            // Duplicate and late datagrams are rejected.
            let _ = self.host.receive(PLAYER, &bytes, arrived);
        }
        while let Some((_, bytes, _)) = self.host.next(real) {
            self.course.segments_sent += u64::from(bytes.len() > WITHOUT_SEGMENT);
            self.course.bytes += bytes.len() as u64;
            send(&mut self.to_guest, &mut self.down, at_s, &bytes.to_vec());
        }
        Ok(())
    }

    fn server(&self, at_s: f64) -> ServerTime {
        ServerTime::from_ticks(self.clocks.server(at_s))
    }

    fn client_frame(&mut self, at_s: f64) -> Result<()> {
        for (arrived_s, bytes) in self.to_guest.until(at_s) {
            let arrived = LocalTime::from_ticks(self.clocks.client(arrived_s));
            self.guest.polled(arrived)?;
            let _ = self.guest.receive(&bytes, arrived);
        }
        let now = LocalTime::from_ticks(self.clocks.client(at_s));
        let view = self.guest.view(now)?;
        let shown = view.worlds[WORLD].map(|shown| ShownTime {
            world: shown.world.ticks(),
            instance: Some(shown.instance),
            // The timeline announces forward steps without a new epoch.
            epoch: shown.epoch.into(),
            bound: Some(shown.error_bound.ticks()),
            if_unchanged: Some(shown.error_bound_if_unchanged.ticks()),
            version: Some(shown.version),
            real: Some(view.reading.server_time.ticks()),
        });
        self.course.reads.push((at_s, shown));
        while let Some((bytes, _)) = self.guest.next(now)? {
            self.course.bytes += bytes.len() as u64;
            send(&mut self.to_host, &mut self.up, at_s, &bytes.to_vec());
        }
        Ok(())
    }
}
