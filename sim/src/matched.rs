//! A match: a host with its world, guests with their own clocks, paths and frame loops, and an account of the
//! guests' reads against the truth.

use netclock::session::{Guest, GuestConfig, Host, HostConfig, View};
use netclock::start::Progress;
use netclock::timeline::Rate;
use netclock::{CreateError, LocalTime, ServerTime, Span, State, WorldTime};

use crate::agenda::Agenda;
use crate::clock::{ClockConfig, Clocks};
use crate::frames::{FrameConfig, Frames};
use crate::leg::{Leg, LegConfig};
use crate::world::World;

/// Settings of a match.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// Each guest's clock. The server's clock is true.
    pub clock: ClockConfig,
    /// The path from each guest to the host.
    pub forward: LegConfig,
    /// The path from the host to each guest.
    pub reverse: LegConfig,
    /// The guests' frame loops.
    pub client: FrameConfig,
    /// The host's frame loop.
    pub server: FrameConfig,
    /// Settings of the host.
    pub host: HostConfig,
    /// Settings of the guests.
    pub guest: GuestConfig,
    /// The longest time that a run can take (s).
    pub seconds: f64,
}

impl Default for MatchConfig {
    fn default() -> Self {
        let leg = LegConfig { base_ms: 25.0, jitter_ms: 4.0, ..LegConfig::default() };
        MatchConfig {
            clock: ClockConfig::default(),
            forward: leg.clone(),
            reverse: leg,
            client: FrameConfig { jitter_ms: 2.0, ..FrameConfig::even(90.0, 0.0) },
            server: FrameConfig::even(60.0, 0.0),
            host: HostConfig::default(),
            guest: GuestConfig::default(),
            seconds: 120.0,
        }
    }
}

/// A guest's reads, judged against the truth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Account {
    /// Frames that showed the server's time.
    pub reads: u32,
    /// Frames whose server or world time was further off than its bound.
    pub outside: u32,
    /// Frames whose server or world time was before that of the frame before, within an epoch.
    pub backwards: u32,
    /// Starts that fired.
    pub fired: u32,
    /// Datagrams and bytes that the guest sent and was sent.
    pub datagrams: (u64, u64),
    /// Bytes of these.
    pub bytes: (u64, u64),
}

/// A guest with its surroundings.
pub struct Player {
    /// Its number for the host.
    pub id: u64,
    /// The guest itself.
    pub guest: Guest,
    /// Its clock, and the server's.
    pub clocks: Clocks,
    /// The view of its newest frame.
    pub view: Option<View>,
    /// All reads so far.
    pub account: Account,
    frames: Frames,
    next_s: f64,
    legs: (Leg, Leg),
    up: Agenda<Vec<u8>>,
    down: Agenda<Vec<u8>>,
}

/// A host and its guests, in simulated time.
pub struct Match {
    config: MatchConfig,
    /// The host.
    pub host: Host,
    /// The guests.
    pub players: Vec<Player>,
    /// The host's world, which is its first.
    pub world: World,
    /// The world's rate, starting with its next frame; zero while it is paused.
    pub rate: f64,
    /// Every start that fired: the guest and its progress.
    pub started: Vec<(u64, Progress)>,
    frames: Frames,
    next_s: f64,
    seed: u64,
    hosts: u64,
}

impl Match {
    /// A match of so many guests, who are numbered from 1. The same seed gives the same match.
    ///
    /// # Errors
    /// A setting is out of range.
    pub fn new(config: MatchConfig, guests: u64, seed: u64) -> Result<Self, CreateError> {
        let frames = Frames::new(&config.server, seed, "server");
        let next_s = frames.next(0.0);
        let mut game = Match {
            host: host(&config, 1)?,
            players: Vec::new(),
            world: World::new(0.0, 0, 1.0),
            rate: 1.0,
            started: Vec::new(),
            frames,
            next_s,
            seed,
            hosts: 1,
            config,
        };
        for _ in 0..guests {
            game.join(0.0)?;
        }
        Ok(game)
    }

    /// Another guest joins, whose frames begin at `at_s`.
    ///
    /// # Errors
    /// A setting is out of range.
    pub fn join(&mut self, at_s: f64) -> Result<(), CreateError> {
        let id = self.players.len() as u64 + 1;
        let (config, seed) = (&self.config, self.seed.wrapping_mul(1_000).wrapping_add(id));
        let frames = Frames::new(&config.client, seed, "client");
        let next_s = frames.next(at_s);
        self.players.push(Player {
            id,
            guest: Guest::new(config.guest, u128::from(seed).max(1))?,
            clocks: Clocks::new(&config.clock, config.seconds, seed),
            view: None,
            account: Account::default(),
            frames,
            next_s,
            legs: (Leg::new(&config.forward, seed, "forward"), Leg::new(&config.reverse, seed, "reverse")),
            up: Agenda::default(),
            down: Agenda::default(),
        });
        // Ids are never used twice.
        let _ = self.host.admit(id, None);
        Ok(())
    }

    /// Replaces the host's process. The new one has another epoch of the same clock and knows no session.
    ///
    /// # Errors
    /// A setting is out of range.
    pub fn restart_host(&mut self) -> Result<(), CreateError> {
        self.hosts += 1;
        self.host = host(&self.config, self.hosts)?;
        for player in &self.players {
            let _ = self.host.admit(player.id, None);
        }
        Ok(())
    }

    /// The host's clock at `at_s`.
    pub fn server_time(&self, at_s: f64) -> ServerTime {
        ServerTime::from_ticks(self.players.first().map_or(0, |player| player.clocks.server(at_s)))
    }

    /// Plays until `end_s` (s).
    pub fn play(&mut self, end_s: f64) {
        loop {
            let next = self.players.iter().map(|player| player.next_s).fold(self.next_s, f64::min);
            if next > end_s {
                return;
            }
            if self.next_s <= next {
                self.server_frame(next);
            }
            for place in 0..self.players.len() {
                if self.players[place].next_s <= next {
                    self.client_frame(place, next);
                }
            }
        }
    }

    fn server_frame(&mut self, at_s: f64) {
        self.next_s = self.frames.next(at_s + 1e-9);
        self.world.frame(at_s, self.rate);
        let real = self.server_time(at_s);
        for player in &mut self.players {
            for (arrived_s, bytes) in player.up.until(at_s) {
                let arrived = ServerTime::from_ticks(player.clocks.server(arrived_s));
                let _ = self.host.polled(arrived);
                let _ = self.host.receive(player.id, &bytes, arrived);
            }
        }
        let (time, rate) = (WorldTime::from_ticks(self.world.last().world), Rate::new(self.rate));
        let _ = self.host.observe(0, real, time, rate.unwrap_or(Rate::PAUSED));
        while let Some((id, bytes, _)) = self.host.next(real) {
            let Some(player) = self.players.iter_mut().find(|player| player.id == id) else { continue };
            player.account.datagrams.1 += 1;
            player.account.bytes.1 += bytes.len() as u64;
            for arrives_s in player.legs.1.arrivals(at_s) {
                player.down.add(arrives_s, bytes.to_vec());
            }
        }
    }

    fn client_frame(&mut self, place: usize, at_s: f64) {
        let player = &mut self.players[place];
        player.next_s = player.frames.next(at_s + 1e-9);
        for (arrived_s, bytes) in player.down.until(at_s) {
            let arrived = LocalTime::from_ticks(player.clocks.client(arrived_s));
            let _ = player.guest.polled(arrived);
            let _ = player.guest.receive(&bytes, arrived);
        }
        let now = LocalTime::from_ticks(player.clocks.client(at_s));
        if let Ok(view) = player.guest.view(now) {
            player.judge(&view, &self.world, at_s);
            if view.start.fires {
                self.started.push((player.id, view.start));
            }
        }
        while let Ok(Some((bytes, _))) = player.guest.next(now) {
            player.account.datagrams.0 += 1;
            player.account.bytes.0 += bytes.len() as u64;
            for arrives_s in player.legs.0.arrivals(at_s) {
                player.up.add(arrives_s, bytes.to_vec());
            }
        }
    }
}

impl Player {
    fn judge(&mut self, view: &View, world: &World, at_s: f64) {
        let last = self.view.replace(*view);
        self.account.fired += u32::from(view.start.fires);
        if view.reading.state == State::Unsynced {
            return;
        }
        self.account.reads += 1;
        let error = self.clocks.error(view.reading.server_time.ticks(), at_s).abs();
        let mut outside = view.reading.state != State::Doubtful && error > bound(view.reading.error_bound);
        let mut backwards = last.is_some_and(|last| {
            last.reading.epoch == view.reading.epoch && view.reading.server_time < last.reading.server_time
        });
        if let Some(shown) = view.worlds[0] {
            let (least, most) = world.truth(shown.instance, at_s);
            let ticks = shown.world.ticks() as f64;
            let error = (least - ticks).max(ticks - most);
            outside |= view.reading.state != State::Doubtful && error > bound(shown.error_bound);
            backwards |= last.and_then(|last| last.worlds[0]).is_some_and(|last| {
                (last.epoch, last.instance) == (shown.epoch, shown.instance) && shown.world < last.world
            });
        }
        self.account.outside += u32::from(outside);
        self.account.backwards += u32::from(backwards);
    }
}

/// In ticks; a tick more for the rounding of the truth.
fn bound(span: Span) -> f64 {
    if span == Span::MAX { f64::INFINITY } else { span.ticks() as f64 + 1.0 }
}

fn host(config: &MatchConfig, number: u64) -> Result<Host, CreateError> {
    Host::new(config.host, 0xFEED_0000_0000_0000 + number, u128::from(number))
}
