//! A UDP server with a host and its players. Requests without a session are answered statelessly.

use anyhow::{Context, Result};
use netclock::Direction;
use netclock::authority::Authority;
use netclock::keyed::{self, Channel, SessionKey};
use netclock::link::sockets::{Peer, Received, StampedSocket};
use netclock::link::{DATAGRAM, LinkError, ServerLink, ServerLinkConfig};
use netclock::session::{DATAGRAM_MOST, Host, HostConfig, SessionError};
use netclock::timeline::PublisherConfig;
use netclock::utc::UtcSample;
use netclock::{Request, Responder, ServerTime, Span, WireError, wire};

use super::counts::Counts;
use super::source::Disciplined;
use crate::net::clock::{self, Frames, MachineTime, ServerClock};
use crate::net::key_file;
use crate::net::messages::exchange;
use crate::net::random_seed;
use crate::net::script::Script;
use crate::net::truth::{Truth, kernel_clock};

const LOOK_UP: Span = Span::from_millis(100);

/// A server with a world waits for less time, because its frames must run on time.
const LOOK_UP_FRAMES: Span = Span::from_millis(4);

const FRAME: Span = Span::from_micros(16_667);

const WORLD: usize = 0;

const UTC_EVERY: Span = Span::from_secs(1);

const STATE_EVERY: Span = Span::from_secs(8);

/// The default maximum number of players. More keys allow more players, up to [`LIMIT`].
const MOST: usize = 1024;
const LIMIT: usize = 16_384;

/// Players without a key are removed after this much silence. Settled clients send a request every 4 s.
const FORGET_AFTER: Span = Span::from_secs(20);

/// Larger than any NetClock datagram, so that longer datagrams are detected instead of truncated.
const BUFFER: usize = 2 * DATAGRAM_MOST;

struct Player {
    /// The id of the player's key, or some other unique number.
    number: u64,
    at: Peer,
    is_marked: bool,
}

pub(crate) struct Server {
    socket: StampedSocket,
    look_up: Span,
    pub(crate) clock: ServerClock,
    pub(crate) disciplined: Option<Disciplined>,
    /// With frames, the server polls for datagrams only once per frame.
    pub(crate) frames: Option<Frames>,
    /// All datagrams that arrived before this time have been handled.
    polled: ServerTime,
    host: Host,
    players: Vec<Player>,
    next_number: u64,
    stated: Option<(Authority, MachineTime)>,
    utc_observed: Option<MachineTime>,
    /// The operator's limit on the error of the machine's UTC, used if the time source does not report its
    /// error.
    pub(crate) utc_error: Option<Span>,
    counts: Counts,
    script: Option<Script>,
    next_frame: ServerTime,
    link: Option<ServerLink>,
    keys: Vec<SessionKey>,
}

impl Server {
    /// The server publishes a world only if `script` is present.
    pub(crate) fn new(socket: StampedSocket, script: Option<Script>) -> Result<Self> {
        let look_up = if script.is_some() { LOOK_UP_FRAMES } else { LOOK_UP };
        Ok(Server {
            socket,
            look_up,
            clock: ServerClock { start: clock::now() },
            disciplined: None,
            frames: None,
            polled: ServerTime::from_ticks(0),
            host: host(0)?,
            players: Vec::new(),
            next_number: 0,
            stated: None,
            utc_observed: None,
            utc_error: None,
            counts: Counts::default(),
            script,
            next_frame: ServerTime::from_ticks(0),
            link: None,
            keys: Vec::new(),
        })
    }

    pub(crate) fn require(&mut self, keys: Vec<SessionKey>) -> Result<()> {
        self.host = host(keys.len())?;
        let capacity = u32::try_from(keys.len()).context("there are too many keys")?;
        let config = ServerLinkConfig { capacity, ..ServerLinkConfig::default() };
        let mut link = ServerLink::new(config, self.epoch())?;
        for key in &keys {
            let admitted = link.admit(&key_file::started(key.clone()));
            admitted.with_context(|| format!("the key with id {}", key.id()))?;
        }
        (self.link, self.keys) = (Some(link), keys);
        Ok(())
    }

    pub(crate) fn set_script(&mut self, script: Script) {
        self.script = Some(script);
    }

    pub(crate) fn step(&mut self) -> Result<()> {
        let mut buffer = [0; BUFFER];
        let frame = self.frames.as_mut().map(Frames::wait);
        let mut received = match frame {
            Some(_) => self.socket.receive(&mut buffer),
            None => self.socket.receive_within(&mut buffer, self.look_up),
        };
        self.follow_clock()?;
        self.observe_utc_if_due()?;
        while let Received::Datagram(come) = received {
            let at = self.at(frame.unwrap_or(clock::machine(come.at)));
            if frame.is_none() {
                self.polled(at);
            }
            self.receive(&mut buffer[..come.length], come.from, at);
            received = if frame.is_some() { self.socket.receive(&mut buffer) } else { Received::Nothing };
        }
        if let Some(frame) = frame {
            self.polled(self.at(frame));
        }
        self.dismiss_silent();
        self.frame()?;
        self.send();
        Ok(())
    }

    fn follow_clock(&mut self) -> Result<()> {
        if let Some(moved) = self.disciplined.as_mut().and_then(Disciplined::look) {
            self.host = host(self.keys.len())?;
            (self.players, self.stated, self.utc_observed) = (Vec::new(), None, None);
            let epoch = self.epoch();
            if let Some(link) = &mut self.link {
                link.begin_epoch(epoch);
            }
            eprintln!("lab: the machine's clock was stepped by {moved}; the new epoch is {epoch:#018x}");
        }
        // We must not serve a clock whose error is unknown.
        let (authority, now) = (self.authority()?, clock::now());
        let holds = |(stated, at): (Authority, MachineTime)| {
            stated == authority || (authority.dispersion <= stated.dispersion && now - at < STATE_EVERY)
        };
        if !self.stated.is_some_and(holds) {
            self.host.state_authority(authority)?;
            self.stated = Some((authority, now));
        }
        Ok(())
    }

    fn observe_utc_if_due(&mut self) -> Result<()> {
        let now = clock::now();
        if self.utc_observed.is_some_and(|looked| now - looked < UTC_EVERY) {
            return Ok(());
        }
        self.utc_observed = Some(now);
        let error =
            if self.disciplined.is_some() { Some(self.authority()?.dispersion) } else { self.utc_error };
        let Some(UtcSample { local, utc, uncertainty }) = netclock::utc_now() else { return Ok(()) };
        let at = self.at(clock::machine(local));
        self.host.observe_utc(at, utc, error.map(|error| error + uncertainty))?;
        Ok(())
    }

    fn authority(&self) -> Result<Authority> {
        let alone = Ok(Authority::alone(self.epoch()));
        self.disciplined.as_ref().map_or(alone, |disciplined| disciplined.authority(self.epoch()))
    }

    fn at(&self, machine: MachineTime) -> ServerTime {
        self.disciplined.as_ref().map_or(self.clock.at(machine), |disciplined| disciplined.at(machine))
    }

    /// Observes the world once per frame, as a game does.
    fn frame(&mut self) -> Result<()> {
        let now = self.clock.at(clock::now());
        let Some(script) = self.script.as_ref().filter(|_| now >= self.next_frame) else { return Ok(()) };
        self.next_frame = now.max(self.next_frame + FRAME);
        let published = self.host.observe(WORLD, now, script.world_at(now), script.rate_at(now))?;
        self.counts.published += u64::from(published.is_some());
        Ok(())
    }

    /// Records that all datagrams from before `at` have been handled, or that a datagram arrived at `at`.
    fn polled(&mut self, at: ServerTime) {
        self.polled = at;
        // This cannot fail, because the server's times are always in range.
        let _ = self.host.polled(at);
    }

    fn receive(&mut self, bytes: &mut [u8], from: Peer, received: ServerTime) {
        if Truth::is_request(bytes) {
            let zero = self.disciplined.is_none().then_some(self.clock.start);
            // Zero is not a valid id, so it stands for an unknown kernel clock.
            let truth = Truth { epoch: self.epoch(), kernel_clock: kernel_clock().unwrap_or(0), zero };
            self.post(&truth.encode(), false, from);
            return;
        }
        if self.link.is_some() {
            self.receive_sealed(bytes, from, received);
        } else if let Some(place) = self.players.iter().position(|player| player.at == from) {
            let outcome = self.host.receive(self.players[place].number, bytes, received);
            self.players[place].is_marked = exchange(bytes).is_some_and(|it| wire::is_marked(it));
            match outcome {
                // The host itself replies to clients with a different version.
                Err(SessionError::Wire(error)) => self.counts.note_malformed(error),
                Err(_) => *self.counts.malformed.entry("kind").or_default() += 1,
                Ok(()) => self.counts.answered += 1,
            }
        } else {
            match wire::decode_request(bytes) {
                Ok(request) => self.respond(&request, wire::is_marked(bytes), from, received),
                Err(error) => match self.admit(self.next_number, None, bytes, from, received) {
                    Ok(()) => self.next_number += 1,
                    Err(SessionError::Full) => {}
                    Err(SessionError::Wire(error @ WireError::Version(_))) => {
                        self.note_malformed(error, bytes, from);
                    }
                    Err(_) => self.note_malformed(error, bytes, from),
                },
            }
        }
        self.send();
    }

    fn admit(
        &mut self,
        number: u64,
        key: Option<&SessionKey>,
        bytes: &mut [u8],
        at: Peer,
        received: ServerTime,
    ) -> Result<(), SessionError> {
        match key {
            Some(key) => self.host.admit(number, Some(key))?,
            None => self.host.admit_unproven(number)?,
        }
        if let Err(error) = self.host.receive(number, bytes, received) {
            let _ = self.host.dismiss(number);
            return Err(error);
        }
        self.counts.answered += 1;
        let is_marked = key.is_none() && exchange(bytes).is_some_and(|it| wire::is_marked(it));
        self.players.push(Player { number, at, is_marked });
        Ok(())
    }

    fn respond(&mut self, request: &Request, is_marked: bool, to: Peer, received: ServerTime) {
        let responder = Responder::new(self.epoch());
        // This fails only if the request waited for over 429 s, the longest wait that a reply can report.
        let Ok(reply) = responder.respond(request, received, self.at(clock::now())) else { return };
        let Ok(datagram) = wire::encode_reply(&reply.found_after(self.polled)) else { return };
        self.counts.answered += u64::from(self.post(&datagram, is_marked, to));
    }

    fn receive_sealed(&mut self, bytes: &mut [u8], from: Peer, received: ServerTime) {
        if let Ok(id) = keyed::key_id(Channel::Messages, Direction::ToServer, bytes) {
            let outcome = match self.players.iter_mut().find(|player| player.number == u64::from(id)) {
                Some(player) => self.host.receive(player.number, bytes, received).map(|()| {
                    player.at = from;
                    self.counts.answered += 1;
                }),
                None => match self.keys.iter().find(|key| key.id() == id) {
                    // Sequence numbers must be higher than those of an earlier run.
                    Some(key) => {
                        let key = key_file::started(key.clone());
                        self.admit(id.into(), Some(&key), bytes, from, received)
                    }
                    None => Err(SessionError::UnknownPlayer),
                },
            };
            return outcome.unwrap_or_else(|error| self.counts.note_unkeyed(error));
        }
        let (mut out, sent) = ([0; DATAGRAM], self.at(clock::now()));
        let Some(link) = &mut self.link else { return };
        match link.answer(bytes, received, sent, &mut out) {
            Ok(answer) => _ = self.post(&answer, answer.is_marked, from),
            Err(LinkError::Wire(error)) => self.counts.note_malformed(error),
            Err(_) => {}
        }
    }

    fn note_malformed(&mut self, error: WireError, bytes: &[u8], from: Peer) {
        if let Some(notice) = wire::version_notice(bytes) {
            if !self.counts.malformed.contains_key("version") {
                eprintln!("lab: {} uses a different version: {error}", from.address);
            }
            self.post(&notice, false, from);
        }
        self.counts.note_malformed(error);
    }

    /// Keeps players with a key, because the host must remember them to detect replayed datagrams.
    fn dismiss_silent(&mut self) {
        let now = self.at(clock::now());
        while let Some(number) = self.host.silent(now, FORGET_AFTER).filter(|_| self.link.is_none()) {
            let _ = self.host.dismiss(number);
            self.players.retain(|player| player.number != number);
        }
        self.counts.players = self.players.len();
    }

    fn send(&mut self) {
        let mut out = [0; DATAGRAM_MOST];
        loop {
            let now = self.at(clock::now());
            let Some((number, bytes, _)) = self.host.next(now) else { return };
            let Some(player) = self.players.iter().find(|player| player.number == number) else { continue };
            let (length, to, is_marked) = (bytes.len(), player.at, player.is_marked);
            out[..length].copy_from_slice(bytes);
            self.post(&out[..length], is_marked, to);
        }
    }

    fn post(&mut self, datagram: &[u8], is_marked: bool, to: Peer) -> bool {
        // If marks are not supported, the datagram is sent unmarked.
        let _ = self.socket.set_marked(is_marked);
        let is_sent = self.socket.send_to(datagram, to).is_ok();
        self.counts.unsent += u64::from(!is_sent);
        is_sent
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.host.epoch()
    }

    pub(crate) fn counts(&self) -> Counts {
        let mut all = self.counts.clone();
        if let Some(link) = &self.link {
            let counts = link.counts();
            all.answered += counts.answered;
            for (reason, count) in [
                ("malformed", counts.unsealed),
                ("unknown_key", counts.unknown_key),
                ("forged", counts.forged),
                ("replayed", counts.replayed),
                ("over_budget", counts.over_budget + counts.busy),
            ] {
                if count > 0 {
                    *all.unkeyed.entry(reason).or_default() += count;
                }
            }
        }
        all
    }
}

fn host(keys: usize) -> Result<Host> {
    let capacity = keys.clamp(MOST, LIMIT) as u32;
    let epoch = getrandom::u64().context("the system provides no random number for the epoch")?;
    // The script computes world time for the exact time of the observation.
    let world = PublisherConfig { read_lag: Span::from_ticks(1), ..PublisherConfig::default() };
    Ok(Host::new(HostConfig { capacity, world, ..HostConfig::default() }, epoch, random_seed()?)?)
}
