//! Runs a game world with one client.
//!
//! The clock's exchanges are timestamped at the sockets. Everything else happens in frames. Server and client
//! handle a message in the next frame, and the client reads the world once per frame.

use anyhow::Result;
use netclock::session::{Guest, GuestConfig, Host, HostConfig};
use netclock::timeline::{Rate, Segment};
use netclock::{LocalTime, ServerTime, WorldTime};

use netclock_sim::{Agenda, Clocks, FrameConfig, Frames, GameWorld, Leg, NetworkConfig, Random};

/// The client's frames are unevenly spaced and are not synchronised with the server's frames.
const CLIENT_FRAMES: FrameConfig = FrameConfig { jitter_ms: 4.0, ..FrameConfig::even(90.0, 0.0) };

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownTime {
    pub world: i64,
    pub instance: u32,
    pub epoch: u64,
    /// The error bound that also covers changes that have not arrived yet.
    pub bound: i64,
    /// The error bound if all changes have arrived.
    pub if_unchanged: i64,
    pub version: u32,
    pub real: i64,
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
    fn turns(&self) -> impl Iterator<Item = f64> + use<> {
        let frames = Frames::new(&CLIENT_FRAMES, self.seed, "client");
        let seconds = self.seconds;
        let first = frames.next(0.0);
        std::iter::successors(Some(first), move |&last| Some(frames.next(last + 1e-9)))
            .take_while(move |&at| at < seconds)
    }
}

fn send(under_way: &mut Agenda<Vec<u8>>, leg: &mut Leg, at_s: f64, bytes: &[u8]) {
    leg.arrivals(at_s).into_iter().for_each(|arrives_s| under_way.add(arrives_s, bytes.to_vec()));
}

const EPOCH: u64 = 1;
/// The maximum delay between setting the world's clock and reading the server's real time.
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
            clocks: Clocks::new(&run.link.clock, run.seconds, run.seed),
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
            send(&mut self.to_guest, &mut self.down, at_s, bytes);
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
            instance: shown.instance,
            // The timeline announces forward steps without a new epoch.
            epoch: shown.epoch.into(),
            bound: shown.error_bound.ticks(),
            if_unchanged: shown.error_bound_if_unchanged.ticks(),
            version: shown.version,
            real: view.reading.server_time.ticks(),
        });
        self.course.reads.push((at_s, shown));
        while let Some((bytes, _)) = self.guest.next(now)? {
            self.course.bytes += bytes.len() as u64;
            send(&mut self.to_host, &mut self.up, at_s, bytes);
        }
        Ok(())
    }
}
