//! A UDP server that answers requests. It keeps nothing about anybody, unless it has a world to tell of.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::authority::{Authority, AuthorityReply, AuthorityRequest};
use netclock::timeline::{Publisher, PublisherConfig, Segment};
use netclock::{Responder, ServerTime, Span, WireError, wire};
use serde::Serialize;

use super::clock::{self, MachineTime, ServerClock};
use super::socket::{Received, StampedSocket};
use super::source::Disciplined;
use crate::game::note::Note;
use crate::game::script::Script;
use crate::game::teller::{Answer, Teller};

/// How often a server without requests looks whether it should stop.
const LOOK_UP: Duration = Duration::from_millis(100);

/// A server with a world looks as often as that, so that its frames are in time.
const LOOK_UP_WORLD: Duration = Duration::from_millis(4);
/// Time from frame to frame of the world.
const FRAME: Span = Span::from_micros(16_667);

/// Longer than any datagram of ours, so that longer ones are recognised.
const BUFFER: usize = 2 * wire::SIZE;

/// What a server has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Requests answered.
    pub(crate) answered: u64,
    /// Replies that the system refused to send.
    pub(crate) unsent: u64,
    /// Inquiries after whose time it is, answered.
    pub(crate) stated: u64,
    /// Segments of the world that were published, and copies of them that were sent.
    pub(crate) published: u64,
    /// See [`published`](Self::published).
    pub(crate) segments_sent: u64,
    /// Clients that are told of the world now.
    pub(crate) listeners: usize,
    /// Datagrams that are no requests; none of them is answered.
    pub(crate) malformed: Malformed,
}

/// Datagrams that are no requests, by what is wrong with them.
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

    /// All of them.
    pub(crate) fn total(&self) -> u64 {
        self.length + self.magic + self.version + self.kind + self.reserved + self.stamp
    }
}

/// A server on a socket. Its clock is the time since it was created, or the machine's as chrony disciplines it.
pub(crate) struct Server {
    socket: StampedSocket,
    clock: ServerClock,
    disciplined: Option<Disciplined>,
    responder: Responder,
    counts: Counts,
    world: Option<World>,
}

/// A world whose clock goes by a script, observed in frames as a game would.
struct World {
    script: Script,
    publisher: Publisher,
    teller: Teller,
    next_frame: ServerTime,
}

impl World {
    fn new(script: Script, epoch: u64) -> Result<Self> {
        // The world's clock is computed for the very instant that is read.
        let config = PublisherConfig { read_lag: Span::from_ticks(1), ..PublisherConfig::default() };
        let publisher = Publisher::new(config, epoch, 1)?;
        Ok(World { script, publisher, teller: Teller::new(), next_frame: ServerTime::from_ticks(0) })
    }

    /// The next frame, if it is time for it: true if a segment was published.
    fn frame(&mut self, now: ServerTime) -> Result<bool> {
        if now < self.next_frame {
            return Ok(false);
        }
        // Frames that were missed are not made up for.
        self.next_frame = now.max(self.next_frame + FRAME);
        let (world, rate) = (self.script.world_at(now), self.script.rate_at(now));
        Ok(self.publisher.observe(now, world, rate)?.is_some())
    }
}

impl Server {
    /// Serves on `socket`, with an epoch drawn from the operating system; a world too, if it has a script.
    pub(crate) fn new(socket: UdpSocket, script: Option<Script>) -> Result<Self> {
        let epoch = random_epoch()?;
        let look_up = if script.is_some() { LOOK_UP_WORLD } else { LOOK_UP };
        Ok(Server {
            socket: StampedSocket::new(socket, look_up).context("cannot prepare the server's socket")?,
            clock: ServerClock::started_at(clock::now()),
            disciplined: None,
            responder: Responder::new(epoch),
            counts: Counts::default(),
            world: script.map(|script| World::new(script, epoch)).transpose()?,
        })
    }

    /// Serves the machine's clock from now on.
    pub(crate) fn follow(&mut self, disciplined: Disciplined) {
        self.disciplined = Some(disciplined);
    }

    /// Waits a little for a request and answers it; then a frame of the world, if it is time for one.
    pub(crate) fn step(&mut self) -> Result<()> {
        let mut buffer = [0; BUFFER];
        let received = self.socket.receive(&mut buffer).context("cannot receive any more")?;
        self.look_at_the_clock()?;
        if let Received::Datagram { length, from, at } = received {
            self.answer(&buffer[..length], from, at);
        }
        self.frame()
    }

    /// A clock that was set is another one: its run has a name of its own.
    fn look_at_the_clock(&mut self) -> Result<()> {
        let Some(disciplined) = &mut self.disciplined else { return Ok(()) };
        if let (_, Some(moved)) = disciplined.look() {
            self.responder = Responder::new(random_epoch()?);
            eprintln!("lab: the machine's clock was set by {moved}: a new epoch, {:#018x}", self.epoch());
        }
        // Whoever cannot say how good his clock is any more does not serve it.
        self.authority().map(drop)
    }

    /// What this server states.
    pub(crate) fn authority(&self) -> Result<Authority> {
        let alone = Ok(Authority::alone(self.epoch()));
        self.disciplined.as_ref().map_or(alone, |disciplined| disciplined.authority(self.epoch()))
    }

    /// What it reads when the machine's monotonic clock reads `machine`.
    fn at(&self, machine: MachineTime) -> ServerTime {
        self.disciplined.as_ref().map_or(self.clock.at(machine), |disciplined| disciplined.at(machine))
    }

    /// What chrony said last, if it is asked.
    pub(crate) fn disciplined(&self) -> Option<&Disciplined> {
        self.disciplined.as_ref()
    }

    /// Answers an inquiry after whose time it is; false if it is none.
    fn state(&mut self, bytes: &[u8], to: SocketAddr) -> bool {
        let (Ok(AuthorityRequest { id }), Ok(authority)) =
            (AuthorityRequest::decode(bytes), self.authority())
        else {
            return false;
        };
        let Ok(datagram) = (AuthorityReply { id, authority }).encode() else { return false };
        match self.send(&datagram, to) {
            Ok(_) => self.counts.stated += 1,
            Err(_) => self.counts.unsent += 1,
        }
        true
    }

    fn frame(&mut self) -> Result<()> {
        let now = self.clock.at(clock::now());
        let Some(world) = &mut self.world else { return Ok(()) };
        self.counts.published += u64::from(world.frame(now)?);
        let Some(newest) = world.publisher.newest() else { return Ok(()) };
        let due: Vec<SocketAddr> = world.teller.due(now, &newest).collect();
        self.counts.listeners = world.teller.listeners();
        due.into_iter().for_each(|client| self.tell_segment(&newest, client));
        Ok(())
    }

    fn tell_segment(&mut self, segment: &Segment, to: SocketAddr) {
        // What a publisher gives is valid.
        let Ok(datagram) = segment.encode() else { return };
        match self.socket.socket().send_to(&datagram, to) {
            Ok(_) => self.counts.segments_sent += 1,
            Err(_) => self.counts.unsent += 1,
        }
    }

    /// Answers an ask about the world; false if there is no world, or it is none.
    fn answer_ask(&mut self, bytes: &[u8], from: SocketAddr) -> bool {
        let now = self.clock.at(clock::now());
        let Some(world) = &mut self.world else { return false };
        let newest = world.publisher.newest();
        match world.teller.hear(bytes, from, now, newest.as_ref()) {
            Some(Answer::Segment(segment)) => self.tell_segment(&segment, from),
            Some(Answer::Note(note)) => {
                self.counts.unsent += u64::from(self.socket.socket().send_to(&note, from).is_err());
            }
            None => return Note::decode(bytes).is_some(),
        }
        true
    }

    fn answer(&mut self, bytes: &[u8], from: SocketAddr, arrived: MachineTime) {
        let request = match wire::decode_request(bytes) {
            Ok(request) => request,
            Err(_) if self.state(bytes, from) || self.answer_ask(bytes, from) => return,
            Err(error) => return self.counts.malformed.add(error),
        };
        let (received, sent) = (self.at(arrived), self.at(clock::now()));
        // Refused only if a request waited here for more than the 429 s that a reply can tell.
        let Ok(reply) = self.responder.respond(&request, received, sent) else { return };
        let Ok(datagram) = wire::encode_reply(&reply) else { return };
        match self.send(&datagram, from) {
            Ok(_) => self.counts.answered += 1,
            Err(_) => self.counts.unsent += 1,
        }
    }

    fn send(&self, datagram: &wire::Datagram, to: SocketAddr) -> io::Result<usize> {
        self.socket.socket().send_to(datagram, to)
    }

    pub(crate) fn clock(&self) -> ServerClock {
        self.clock
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    /// What happens to its world, if it has one.
    pub(crate) fn script(&self) -> Option<&Script> {
        self.world.as_ref().map(|world| &world.script)
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }
}

/// The name of a run of the clock.
fn random_epoch() -> Result<u64> {
    getrandom::u64().context("the system gives no random number for the epoch")
}
