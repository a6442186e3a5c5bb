//! Simulates a match with a host that runs a world. The guests have different clocks, paths and frame loops.
//! Compares what the guests show with the truth.

use netclock::session::{Guest, GuestConfig, Host, HostConfig, View, WORLDS};
use netclock::start::{Progress, Proposal};
use netclock::timeline::{Rate, Segment};
use netclock::utc::UtcClaim;
use netclock::{CreateError, LocalTime, ServerTime, Span, State, UtcTime, WorldTime};

use crate::measure::account;
use crate::{Account, Agenda, ClockConfig, Clocks, FrameConfig, Frames, GameWorld, Leg, LegConfig};

const TICK: Span = Span::from_ticks(1);
const UTC_ZERO: i64 = 620_000_000_000_000_000;

#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// The guests' clocks. The server's clock runs at the true rate.
    pub clock: ClockConfig,
    pub forward: LegConfig,
    pub reverse: LegConfig,
    pub client: FrameConfig,
    pub server: FrameConfig,
    pub host: HostConfig,
    /// All worlds of the host show the same time.
    pub worlds: usize,
    pub guest: GuestConfig,
    pub confidence: f64,
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
            worlds: 1,
            guest: GuestConfig::default(),
            confidence: 0.9,
            seconds: 120.0,
        }
    }
}

pub struct Player {
    pub id: u64,
    pub guest: Guest,
    pub clocks: Clocks,
    pub view: Option<View>,
    /// Counts frames that showed server time. `world` counts the frames that showed world time.
    pub account: Account,
    world: Account,
    /// Violated guarantees, with the frames in which they were violated.
    pub faults: Vec<String>,
    pub datagrams: (u64, u64),
    pub bytes: (u64, u64),
    frames: Frames,
    next_s: f64,
    legs: (Leg, Leg),
    up: Agenda<Vec<u8>>,
    down: Agenda<Vec<u8>>,
    /// Whether a datagram has arrived on this connection.
    is_answered: bool,
    /// Server epoch and version of the latest start on this connection.
    fired: Option<(u64, u32)>,
}

#[derive(Clone, Copy, Debug)]
pub struct Fired {
    pub player: u64,
    pub at_s: f64,
    pub progress: Progress,
}

pub struct Match {
    pub config: MatchConfig,
    pub host: Host,
    pub players: Vec<Player>,
    pub world: GameWorld,
    /// The world's rate from its next frame, or zero while paused.
    pub rate: f64,
    /// When the host last had news for a guest that was up to date (s).
    pub news_s: f64,
    newest: [Option<Segment>; WORLDS],
    claim: Option<UtcClaim>,
    /// The host proposes a start in every frame until one is scheduled.
    pub wants_start: bool,
    /// True time of the latest proposal (s), and the proposal.
    pub proposal: Option<(f64, Proposal)>,
    pub started: Vec<Fired>,
    frames: Frames,
    next_s: f64,
    seed: u64,
    hosts: u64,
    /// The number of worlds before this host's first world.
    earlier: u32,
}

/// Returns the arrival times of a datagram that is sent through the leg at this time (s).
pub type Post<'a> = &'a mut dyn FnMut(&mut Leg, f64) -> Vec<f64>;

impl Match {
    /// Guests are numbered from 1. Matches with the same seed are identical.
    pub fn new(config: MatchConfig, guests: u64, seed: u64) -> Result<Self, CreateError> {
        let frames = Frames::new(&config.server, seed, "server");
        let next_s = frames.next(0.0);
        let mut game = Match {
            host: host(&config, 1)?,
            players: Vec::new(),
            world: GameWorld::new(0.0, 0, 1.0),
            rate: 1.0,
            news_s: 0.0,
            newest: [None; WORLDS],
            claim: None,
            wants_start: false,
            proposal: None,
            started: Vec::new(),
            frames,
            next_s,
            seed,
            hosts: 1,
            earlier: 0,
            config,
        };
        for _ in 0..guests {
            game.join(0.0)?;
        }
        Ok(game)
    }

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
            world: Account::default(),
            faults: Vec::new(),
            datagrams: (0, 0),
            bytes: (0, 0),
            frames,
            next_s,
            legs: (Leg::new(&config.forward, seed, "forward"), Leg::new(&config.reverse, seed, "reverse")),
            up: Agenda::default(),
            down: Agenda::default(),
            is_answered: false,
            fired: None,
        });
        // The id is new, so admission cannot fail.
        let _ = self.host.admit(id, None);
        Ok(())
    }

    /// Replaces the host's process with one that has no sessions and starts a new epoch of the same clock.
    pub fn restart_host(&mut self) -> Result<(), CreateError> {
        self.hosts += 1;
        (self.host, self.earlier) = (host(&self.config, self.hosts)?, self.world.last().instance - 1);
        (self.newest, self.claim) = ([None; WORLDS], None);
        for player in &self.players {
            let _ = self.host.admit(player.id, None);
        }
        Ok(())
    }

    pub fn travel(&mut self, at_s: f64) {
        self.world.travel(at_s, self.rate);
        for world in 0..self.config.worlds {
            self.host.begin_world(world).expect("the host has this world");
        }
    }

    pub fn connect(&mut self, place: usize, at_s: f64) {
        let player = &mut self.players[place];
        let now = LocalTime::from_ticks(player.clocks.client(at_s));
        player.guest.connect(None, now).expect("frames are in order");
        (player.view, player.is_answered, player.fired) = (None, false, None);
    }

    /// Makes the host observe UTC, which equals its clock.
    pub fn observe_utc(&mut self, at_s: f64, bound: impl Into<Option<Span>>) {
        let (at, bound) = (self.server_time(at_s), bound.into());
        let utc = UtcTime::from_ticks(at.ticks() - UTC_ZERO);
        let claim = self.host.observe_utc(at, utc, bound).expect("in order");
        self.claim = claim.or(self.claim);
    }

    pub fn lose_all(&mut self) {
        self.players.iter_mut().for_each(|player| (player.up, player.down) = Default::default());
    }

    pub fn faults(&self) -> Vec<&String> {
        self.players.iter().flat_map(|player| &player.faults).collect()
    }

    /// Whether the guest shows the latest state of the host's worlds and UTC.
    pub fn is_current(&self, place: usize) -> bool {
        let Player { guest, view, .. } = &self.players[place];
        let name = |segment: &Segment| (segment.instance, segment.version);
        let mut worlds = self.newest.iter().enumerate();
        let shows = |view: &View| {
            let reading = &view.reading;
            (reading.server_epoch, reading.state) == (self.host.epoch(), State::Synced)
                && worlds.all(|(number, newest)| {
                    let known = guest.world(number).and_then(|world| world.newest().map(name));
                    newest.is_none_or(|newest| view.worlds[number].is_some() && known == Some(name(&newest)))
                })
        };
        let has_utc = |view: &View| {
            self.claim
                .is_none_or(|claim| view.utc.is_some() && guest.utc().map(|it| it.zero) == Some(claim.zero))
        };
        view.as_ref().is_some_and(has_utc) && view.as_ref().is_some_and(shows)
    }

    fn informed(&self) -> usize {
        self.players.iter().filter(|player| self.host.is_up_to_date(player.id) == Ok(true)).count()
    }

    pub fn server_time(&self, at_s: f64) -> ServerTime {
        ServerTime::from_ticks(self.players.first().map_or(0, |player| player.clocks.server(at_s)))
    }

    pub fn play(&mut self, end_s: f64) {
        self.play_by(end_s, &mut |leg, at_s| leg.arrivals(at_s));
    }

    /// Like [`play`](Self::play), but `post` decides when datagrams arrive.
    pub fn play_by(&mut self, end_s: f64, post: Post<'_>) {
        loop {
            let next = self.players.iter().map(|player| player.next_s).fold(self.next_s, f64::min);
            if next > end_s {
                return;
            }
            if self.next_s <= next {
                self.server_frame(next, post);
            }
            for place in 0..self.players.len() {
                if self.players[place].next_s <= next {
                    self.client_frame(place, next, post);
                }
            }
        }
    }

    fn server_frame(&mut self, at_s: f64, post: Post<'_>) {
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
        let informed = self.informed();
        for world in 0..self.config.worlds {
            let published = self.host.observe(world, real, time, rate.unwrap_or(Rate::PAUSED));
            self.newest[world] = published.ok().flatten().or(self.newest[world]);
        }
        if self.wants_start {
            let proposal = self.host.propose_start(real, real, self.config.confidence);
            self.proposal = proposal.ok().map(|proposal| (at_s, proposal));
            self.wants_start = !matches!(self.proposal, Some((_, Proposal::Scheduled { .. })));
        }
        if self.informed() < informed {
            self.news_s = at_s;
        }
        while let Some((id, bytes, _)) = self.host.next(real) {
            let Some(player) = self.players.iter_mut().find(|player| player.id == id) else { continue };
            player.datagrams.1 += 1;
            player.bytes.1 += bytes.len() as u64;
            for arrives_s in post(&mut player.legs.1, at_s) {
                player.down.add(arrives_s, bytes.to_vec());
            }
        }
    }

    fn client_frame(&mut self, place: usize, at_s: f64, post: Post<'_>) {
        let player = &mut self.players[place];
        player.next_s = player.frames.next(at_s + 1e-9);
        for (arrived_s, bytes) in player.down.until(at_s) {
            let arrived = LocalTime::from_ticks(player.clocks.client(arrived_s));
            let _ = player.guest.polled(arrived);
            player.is_answered |= player.guest.receive(&bytes, arrived).is_ok();
        }
        let now = LocalTime::from_ticks(player.clocks.client(at_s));
        if let Ok(view) = player.guest.view(now) {
            let earlier = (view.reading.server_epoch == self.host.epoch()).then_some(self.earlier);
            player.judge(&view, &self.world, earlier, at_s);
            if view.start.fires {
                self.started.push(Fired { player: player.id, at_s, progress: view.start });
            }
        }
        while let Ok(Some((bytes, _))) = player.guest.next(now) {
            player.datagrams.0 += 1;
            player.bytes.0 += bytes.len() as u64;
            for arrives_s in post(&mut player.legs.0, at_s) {
                player.up.add(arrives_s, bytes.to_vec());
            }
        }
    }
}

impl Player {
    /// `earlier` is the number of worlds before the shown host's first world, or `None` if that host has
    /// ended.
    fn judge(&mut self, view: &View, world: &GameWorld, earlier: Option<u32>, at_s: f64) {
        self.view = Some(*view);
        let (reading, faults) = (&view.reading, &mut self.faults);
        let mut check = |is_kept: bool, promise: &str| {
            if !is_kept {
                faults.push(format!("guest {} at {at_s} s: {promise}: {view:?}", self.id));
            }
        };
        let is_bounded = reading.state != State::Unsynced && reading.error_bound != Span::MAX;
        check(self.is_answered || !is_bounded, "no bound before the first reply");
        if reading.state == State::Unsynced {
            return;
        }
        // A doubtful clock guarantees nothing. The truth is rounded to a tick.
        let bound = |of: Span| if reading.state == State::Doubtful { Span::MAX } else { of + TICK };
        let error = |ticks: i64| account::size(self.clocks.error(ticks, at_s));
        let is_outside =
            self.account.is_outside(error(reading.server_time.ticks()), bound(reading.error_bound));
        check(!is_outside, "server time is within its bound");
        let goes_back = self.account.goes_back(reading.epoch, reading.server_time.ticks());
        check(!goes_back, "server time never goes backward");
        if let Some(shown) = &view.worlds[0] {
            if let Some(earlier) = earlier {
                let (least, most) = world.truth(earlier + shown.instance, at_s);
                let ticks = shown.world.ticks() as f64;
                let error = account::size((least - ticks).max(ticks - most).max(0.0));
                check(!self.world.is_outside(error, bound(shown.error_bound)), "world time is bounded");
            }
            let epoch = u64::from(shown.epoch) << 32 | u64::from(shown.instance);
            check(!self.world.goes_back(epoch, shown.world.ticks()), "world time never goes backward");
        }
        if let Some(utc) = &view.utc {
            check(error(utc.utc.ticks() + UTC_ZERO) <= bound(utc.error_bound), "UTC is within its bound");
        }
        if view.start.fires {
            let name = Some((reading.server_epoch, view.start.version));
            check(view.start.at <= reading.server_time && self.fired != name, "a start fires once, on time");
            self.fired = name;
        }
    }
}

fn host(config: &MatchConfig, number: u64) -> Result<Host, CreateError> {
    Host::new(config.host, 0xFEED_0000_0000_0000 + number, u128::from(number))
}
