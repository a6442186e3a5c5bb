//! A UDP server that answers requests. It keeps no state about its clients, except about those that follow its world.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::authority::{Authority, AuthorityReply, AuthorityRequest};
use netclock::keyed::SEALED_MOST;
use netclock::server::SessionKeys;
use netclock::timeline::{Publisher, PublisherConfig, Segment};
use netclock::utc::UTC_DATAGRAM_SIZE;
use netclock::{Request, Responder, ServerTime, Span, WireError, wire};
use serde::Serialize;

use super::source::Disciplined;
use super::utc::UtcSource;
use crate::game::distributor::{Answer, Distributor};
use crate::game::note::Note;
use crate::game::script::Script;
use crate::net::clock::{self, MachineTime, ServerClock};
use crate::net::socket::{Received, StampedSocket};

/// Longest wait for a request.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Longest wait for a request if there is a world, so that its frames are in time.
const LOOK_UP_WORLD: Duration = Duration::from_millis(4);
/// Time between frames of the world.
const FRAME: Span = Span::from_micros(16_667);

/// Longer than any request of NetClock under a seal, so that longer ones are recognised.
const BUFFER: usize = 2 * UTC_DATAGRAM_SIZE;

/// What a server has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Requests answered.
    pub(crate) answered: u64,
    /// Replies that the system did not send.
    pub(crate) unsent: u64,
    /// Authority requests answered.
    pub(crate) stated: u64,
    /// Requests for UTC answered.
    pub(crate) utc_stated: u64,
    /// Segments of the world published.
    pub(crate) published: u64,
    /// Copies of segments sent.
    pub(crate) segments_sent: u64,
    /// Clients that follow the world now.
    pub(crate) listeners: usize,
    /// Datagrams that are no requests. The server answers none of them.
    pub(crate) malformed: Malformed,
    /// Datagrams that a server with session keys does not answer.
    pub(crate) unkeyed: Unkeyed,
}

/// Datagrams that a server with session keys does not answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Unkeyed {
    /// Without a seal, or no sealed message to a server.
    pub(crate) malformed: u64,
    /// Sealed with an unknown key.
    pub(crate) unknown_key: u64,
    /// With a wrong tag.
    pub(crate) forged: u64,
    /// Requests beyond the budget of their session.
    pub(crate) over_budget: u64,
}

impl Unkeyed {
    /// The sum.
    pub(crate) fn total(&self) -> u64 {
        self.malformed + self.unknown_key + self.forged + self.over_budget
    }
}

/// Datagrams that are no requests, by their fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Malformed {
    pub(crate) length: u64,
    pub(crate) magic: u64,
    pub(crate) version: u64,
    pub(crate) kind: u64,
    pub(crate) reserved: u64,
    pub(crate) stamp: u64,
}

impl Malformed {
    fn add(&mut self, error: WireError) {
        let count = match error {
            WireError::Length(_) => &mut self.length,
            WireError::Magic => &mut self.magic,
            WireError::Version(_) => &mut self.version,
            WireError::Kind(_) => &mut self.kind,
            WireError::Reserved => &mut self.reserved,
            _ => &mut self.stamp,
        };
        *count += 1;
    }

    /// The sum.
    pub(crate) fn total(&self) -> u64 {
        self.length + self.magic + self.version + self.kind + self.reserved + self.stamp
    }
}

/// A server on a socket. Its time is the time since its creation, or the machine's clock as a time service disciplines it.
pub(crate) struct Server {
    socket: StampedSocket,
    clock: ServerClock,
    disciplined: Option<Disciplined>,
    responder: Responder,
    utc: UtcSource,
    /// How far the machine's UTC may be off, if the person who runs the server says so.
    utc_error: Option<Span>,
    counts: Counts,
    world: Option<World>,
    keys: Option<SessionKeys>,
}

/// Where a client is, and its session key if it has one.
type Client = (SocketAddr, Option<u32>);

/// A world whose clock follows a script. The server observes it once per frame, as a game would.
struct World {
    script: Script,
    publisher: Publisher,
    distributor: Distributor<Client>,
    next_frame: ServerTime,
}

impl World {
    fn new(script: Script, epoch: u64) -> Result<Self> {
        // The world's time is computed for exactly the instant of the observation.
        let config = PublisherConfig { read_lag: Span::from_ticks(1), ..PublisherConfig::default() };
        let publisher = Publisher::new(config, epoch, 1)?;
        Ok(World {
            script,
            publisher,
            distributor: Distributor::new(),
            next_frame: ServerTime::from_ticks(0),
        })
    }

    /// Runs the next frame if it is due. True if it published a segment.
    fn frame(&mut self, now: ServerTime) -> Result<bool> {
        if now < self.next_frame {
            return Ok(false);
        }
        // Missed frames are not repeated.
        self.next_frame = now.max(self.next_frame + FRAME);
        let (world, rate) = (self.script.world_at(now), self.script.rate_at(now));
        Ok(self.publisher.observe(now, world, rate)?.is_some())
    }
}

impl Server {
    /// A server on `socket` with a random epoch. With a script, it has a world too.
    pub(crate) fn new(socket: UdpSocket, script: Option<Script>) -> Result<Self> {
        let epoch = random_epoch()?;
        let look_up = if script.is_some() { LOOK_UP_WORLD } else { LOOK_UP };
        Ok(Server {
            socket: StampedSocket::new(socket, look_up).context("cannot prepare the server's socket")?,
            clock: ServerClock::started_at(clock::now()),
            disciplined: None,
            responder: Responder::new(epoch),
            utc: UtcSource::new(epoch)?,
            utc_error: None,
            counts: Counts::default(),
            world: script.map(|script| World::new(script, epoch)).transpose()?,
            keys: None,
        })
    }

    /// Answers only clients with one of these keys from now on.
    pub(crate) fn require(&mut self, keys: SessionKeys) {
        self.keys = Some(keys);
    }

    /// States this as the error of the machine's UTC, unless its source of time states it.
    pub(crate) fn trust_utc(&mut self, error: Span) {
        self.utc_error = Some(error);
    }

    /// Serves the machine's clock from now on.
    pub(crate) fn follow(&mut self, disciplined: Disciplined) {
        self.disciplined = Some(disciplined);
    }

    /// Gives the world another script. False, and nothing changes, if the two scripts differ up to now.
    pub(crate) fn change_world(&mut self, script: Script) -> bool {
        let now = self.clock.at(clock::now());
        let Some(world) = &mut self.world else { return false };
        let is_in_time = script.world_at(now) == world.script.world_at(now);
        if is_in_time {
            world.script = script;
        }
        is_in_time
    }

    /// Waits a moment for a request and answers it. Then runs a frame of the world, if one is due.
    pub(crate) fn step(&mut self) -> Result<()> {
        let mut buffer = [0; BUFFER];
        let received = self.socket.receive(&mut buffer).context("cannot receive any more")?;
        self.look_at_the_clock()?;
        self.look_at_utc()?;
        if let Received::Datagram { length, from, at } = received {
            self.answer(&buffer[..length], from, at);
        }
        self.frame()
    }

    /// Begins a new epoch if the machine's clock was set.
    fn look_at_the_clock(&mut self) -> Result<()> {
        let Some(disciplined) = &mut self.disciplined else { return Ok(()) };
        if let (_, Some(moved)) = disciplined.look()? {
            self.responder = Responder::new(random_epoch()?);
            self.utc = UtcSource::new(self.epoch())?;
            eprintln!("lab: the machine's clock was set by {moved}: a new epoch, {:#018x}", self.epoch());
        }
        // A server that does not know the error of its clock must not serve it.
        self.authority().map(drop)
    }

    /// Claims another UTC, if the last claim does not hold any more.
    fn look_at_utc(&mut self) -> Result<()> {
        let error =
            if self.disciplined.is_some() { Some(self.authority()?.dispersion) } else { self.utc_error };
        let (clock, disciplined) = (self.clock, self.disciplined.as_ref());
        let at = |machine| disciplined.map_or(clock.at(machine), |disciplined| disciplined.at(machine));
        self.utc.look(clock::now(), at, error)
    }

    /// The authority that this server states.
    pub(crate) fn authority(&self) -> Result<Authority> {
        let alone = Ok(Authority::alone(self.epoch()));
        self.disciplined.as_ref().map_or(alone, |disciplined| disciplined.authority(self.epoch()))
    }

    /// The server time at a machine time.
    fn at(&self, machine: MachineTime) -> ServerTime {
        self.disciplined.as_ref().map_or(self.clock.at(machine), |disciplined| disciplined.at(machine))
    }

    /// The machine's clock, if the server serves it.
    pub(crate) fn disciplined(&self) -> Option<&Disciplined> {
        self.disciplined.as_ref()
    }

    /// Answers an authority request. False if `bytes` are none.
    fn state(&mut self, bytes: &[u8], key: Option<u32>, to: SocketAddr) -> bool {
        let (Ok(AuthorityRequest { id }), Ok(authority)) =
            (AuthorityRequest::decode(bytes), self.authority())
        else {
            return false;
        };
        let Ok(datagram) = (AuthorityReply { id, authority }).encode() else { return false };
        if !self.may_answer(key, None) {
            return true;
        }
        match self.send(&datagram, key, to) {
            Ok(_) => self.counts.stated += 1,
            Err(_) => self.counts.unsent += 1,
        }
        true
    }

    /// Answers a request for UTC. False if `bytes` are none.
    fn state_utc(&mut self, bytes: &[u8], key: Option<u32>, to: SocketAddr) -> bool {
        let Some(datagram) = self.utc.answer(bytes) else { return false };
        if !self.may_answer(key, None) {
            return true;
        }
        match self.send(&datagram, key, to) {
            Ok(_) => self.counts.utc_stated += 1,
            Err(_) => self.counts.unsent += 1,
        }
        true
    }

    fn frame(&mut self) -> Result<()> {
        let now = self.clock.at(clock::now());
        let Some(world) = &mut self.world else { return Ok(()) };
        self.counts.published += u64::from(world.frame(now)?);
        let Some(newest) = world.publisher.newest() else { return Ok(()) };
        let due: Vec<Client> = world.distributor.due(now, &newest).collect();
        self.counts.listeners = world.distributor.listeners();
        due.into_iter().for_each(|client| self.send_segment(&newest, client));
        Ok(())
    }

    fn send_segment(&mut self, segment: &Segment, (to, key): Client) {
        // The segments of a publisher are valid.
        let Ok(datagram) = segment.encode() else { return };
        match self.send(&datagram, key, to) {
            Ok(_) => self.counts.segments_sent += 1,
            Err(_) => self.counts.unsent += 1,
        }
    }

    /// Answers an ask about the world. False if there is no world, or if `bytes` are no ask.
    fn answer_ask(&mut self, bytes: &[u8], key: Option<u32>, from: SocketAddr) -> bool {
        let now = self.clock.at(clock::now());
        if self.world.is_none() || Note::decode(bytes).is_none() {
            return false;
        }
        if !self.may_answer(key, None) {
            return true;
        }
        let Some(world) = &mut self.world else { return false };
        let newest = world.publisher.newest();
        match world.distributor.hear(bytes, (from, key), now, newest.as_ref()) {
            Some(Answer::Segment(segment)) => self.send_segment(&segment, (from, key)),
            Some(Answer::Note(note)) => {
                self.counts.unsent += u64::from(self.send(&note, key, from).is_err());
            }
            None => {}
        }
        true
    }

    fn answer(&mut self, bytes: &[u8], from: SocketAddr, arrived: MachineTime) {
        let (key, bytes) = match self.keys.as_mut().map(|keys| keys.open(bytes)) {
            None => (None, bytes),
            Some(Ok((id, message))) => (Some(id), message),
            Some(Err(_)) => return,
        };
        let request = match wire::decode_request(bytes) {
            Ok(request) => request,
            Err(_) if self.state(bytes, key, from) || self.state_utc(bytes, key, from) => return,
            Err(_) if self.answer_ask(bytes, key, from) => return,
            Err(error) => return self.refuse(error, bytes, from),
        };
        if !self.may_answer(key, Some(&request)) {
            return;
        }
        let (received, sent) = (self.at(arrived), self.at(clock::now()));
        // Refused only if a request waited for more than the 429 s that a reply can report.
        let Ok(reply) = self.responder.respond(&request, received, sent) else { return };
        let Ok(datagram) = wire::encode_reply(&reply) else { return };
        match self.send(&datagram, key, from) {
            Ok(_) => self.counts.answered += 1,
            Err(_) => self.counts.unsent += 1,
        }
    }

    /// Counts what is no request. A client of another version learns which side is older.
    fn refuse(&mut self, error: WireError, bytes: &[u8], from: SocketAddr) {
        if let Some(notice) = wire::version_notice(bytes).filter(|_| self.keys.is_none()) {
            if self.counts.malformed.version == 0 {
                eprintln!("lab: {from} asks in another version: {error}");
            }
            self.counts.unsent += u64::from(self.socket.socket().send_to(&notice, from).is_err());
        }
        self.counts.malformed.add(error);
    }

    /// Whether the session has answers left. Without keys, every request is answered.
    fn may_answer(&mut self, key: Option<u32>, request: Option<&Request>) -> bool {
        let now = self.at(clock::now());
        match (&mut self.keys, key, request) {
            (Some(keys), Some(id), Some(request)) => keys.allow(id, request, now).is_ok(),
            (Some(keys), Some(id), None) => keys.allow_undated(id, now).is_ok(),
            _ => true,
        }
    }

    fn send(&self, datagram: &[u8], key: Option<u32>, to: SocketAddr) -> io::Result<usize> {
        let (Some(keys), Some(id)) = (&self.keys, key) else {
            return self.socket.socket().send_to(datagram, to);
        };
        let mut sealed = [0; SEALED_MOST];
        let sealed = keys.seal(id, datagram, &mut sealed).map_err(io::Error::other)?;
        self.socket.socket().send_to(sealed, to)
    }

    pub(crate) fn clock(&self) -> ServerClock {
        self.clock
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    /// The script of the world, if there is one.
    pub(crate) fn script(&self) -> Option<&Script> {
        self.world.as_ref().map(|world| &world.script)
    }

    pub(crate) fn counts(&self) -> Counts {
        let unkeyed = self.keys.as_ref().map_or_else(Unkeyed::default, |keys| {
            let counts = keys.counts();
            Unkeyed {
                malformed: counts.malformed,
                unknown_key: counts.unknown_key,
                forged: counts.forged,
                over_budget: counts.over_budget,
            }
        });
        Counts { unkeyed, ..self.counts }
    }
}

/// A random epoch.
fn random_epoch() -> Result<u64> {
    getrandom::u64().context("the system gives no random number for the epoch")
}
