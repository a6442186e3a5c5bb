//! A UDP server that answers requests. It keeps no state about its clients, except about those that follow
//! its world.

use anyhow::{Context, Result};
use netclock::authority::{Authority, AuthorityReply, AuthorityRequest};
use netclock::keyed::{self, Channel, SEALED_MOST, SessionKey};
use netclock::link::sockets::{Peer, Received, StampedSocket};
use netclock::link::{DATAGRAM, LinkError, ServerLink, ServerLinkConfig};
use netclock::timeline::Segment;
use netclock::utc::UTC_DATAGRAM_SIZE;
use netclock::{Direction, SessionKeys, SessionKeysConfig};
use netclock::{Responder, ServerTime, Span, WireError, wire};

use super::counts::{Counts, Unkeyed};
use super::source::Disciplined;
use super::utc::UtcSource;
use super::world::{Client, World};
use crate::game::distributor::Answer;
use crate::game::note::Note;
use crate::game::script::Script;
use crate::game::starts::{News, Starts};
use crate::net::clock::{self, MachineTime, ServerClock};
use crate::net::frames::Frames;
use crate::net::key_file;
use crate::net::truth::{Truth, kernel_clock};

/// Longest wait for a request.
const LOOK_UP: Span = Span::from_millis(100);

/// Longest wait for a request if there is a world or a start, so that frames are in time.
const LOOK_UP_FRAMES: Span = Span::from_millis(4);

/// Longer than any request of NetClock under a seal, so that longer ones are recognised.
const BUFFER: usize = 2 * UTC_DATAGRAM_SIZE;

/// A server on a socket. Its time is the time since its creation, or the machine's clock as a time service
/// disciplines it.
pub(crate) struct Server {
    socket: StampedSocket,
    /// Answers to marked requests are marked.
    pub(crate) marks: bool,
    look_up: Span,
    /// The frames at which it looks for requests. None: it stamps them on arrival.
    pub(crate) frames: Option<Frames>,
    /// The time since its creation.
    pub(crate) clock: ServerClock,
    /// The machine's clock, if the server serves it.
    pub(crate) disciplined: Option<Disciplined>,
    responder: Responder,
    utc: UtcSource,
    /// How far the machine's UTC may be off, if the person who runs the server says so. A source of time that
    /// states its own error comes first.
    pub(crate) utc_error: Option<Span>,
    counts: Counts,
    world: Option<World>,
    starts: Option<Starts<Client>>,
    /// What became of starts since somebody asked.
    pub(crate) start_news: Vec<News>,
    /// Answers those who have a key. Then nobody else is answered.
    link: Option<ServerLink>,
    /// What the link does not carry, under the same keys.
    messages: Option<SessionKeys>,
}

impl Server {
    /// A server on `socket` with a random epoch. With a script, it has a world too.
    pub(crate) fn new(socket: StampedSocket, script: Option<Script>) -> Result<Self> {
        let epoch = random_epoch()?;
        let look_up = if script.is_some() { LOOK_UP_FRAMES } else { LOOK_UP };
        Ok(Server {
            socket,
            marks: true,
            look_up,
            frames: None,
            clock: ServerClock { start: clock::now() },
            disciplined: None,
            responder: Responder::new(epoch),
            utc: UtcSource::new(epoch)?,
            utc_error: None,
            counts: Counts::default(),
            world: script.map(|script| World::new(script, epoch)).transpose()?,
            starts: None,
            start_news: Vec::new(),
            link: None,
            messages: None,
        })
    }

    /// Answers only clients with one of these keys from now on.
    ///
    /// # Errors
    /// There are too many, or two have the same id.
    pub(crate) fn require(&mut self, keys: Vec<SessionKey>) -> Result<()> {
        let capacity = u32::try_from(keys.len()).context("there are too many keys")?;
        let sessions = SessionKeysConfig { capacity, ..SessionKeysConfig::default() };
        let config = ServerLinkConfig { sessions, ..ServerLinkConfig::default() };
        let mut link = ServerLink::new(config, self.epoch())?;
        let mut messages = SessionKeys::new(Channel::Messages, sessions)?;
        for key in keys.into_iter().map(key_file::started) {
            let admitted = link.admit(&key).and_then(|()| messages.admit(&key));
            admitted.with_context(|| format!("the key with id {}", key.id()))?;
        }
        (self.link, self.messages) = (Some(link), Some(messages));
        Ok(())
    }

    /// Has clients start together from now on, each time so long after the start before.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(crate) fn start_every(&mut self, every: Span) -> Result<()> {
        self.starts = Some(Starts::new(self.epoch(), every, self.at(clock::now()))?);
        self.look_up = LOOK_UP_FRAMES;
        Ok(())
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
        let frame = self.frames.as_mut().map(Frames::next);
        let mut received = match frame {
            None => self.socket.receive_within(&mut buffer, self.look_up),
            Some(_) => self.socket.receive(&mut buffer),
        };
        self.look_at_the_clock()?;
        self.look_at_utc()?;
        while let Received::Datagram(come) = received {
            self.answer(&buffer[..come.length], come.from, frame.unwrap_or(clock::machine(come.at)));
            received = if frame.is_some() { self.socket.receive(&mut buffer) } else { Received::Nothing };
        }
        if let Some(frames) = &mut self.frames {
            frames.polled = frame;
        }
        self.start_frame();
        self.frame()
    }

    /// Begins a new epoch if the machine's clock was set.
    fn look_at_the_clock(&mut self) -> Result<()> {
        let Some(disciplined) = &mut self.disciplined else { return Ok(()) };
        if let Some(moved) = disciplined.look() {
            self.responder = Responder::new(random_epoch()?);
            if let Some(link) = &mut self.link {
                link.begin_epoch(self.responder.epoch());
            }
            self.utc = UtcSource::new(self.epoch())?;
            if let Some(every) = self.starts.as_ref().map(|starts| starts.every) {
                self.start_every(every)?;
            }
            eprintln!("lab: the machine's clock was set by {moved}: a new epoch, {:#018x}", self.epoch());
        }
        // A server that does not know the error of its clock must not serve it.
        let authority = self.authority()?;
        if let Some(link) = &mut self.link {
            link.set_authority(authority);
        }
        Ok(())
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

    fn start_frame(&mut self) {
        let now = self.at(clock::now());
        let Some(starts) = &mut self.starts else { return };
        self.start_news.extend(starts.frame(now));
        while let Some(((to, key), message)) =
            self.starts.as_mut().and_then(|starts| starts.next_message(now))
        {
            self.send(&message, key, to);
        }
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
        self.counts.segments_sent += u64::from(self.send(&datagram, key, to));
    }

    /// Answers an ask about the world. False if there is no world, or if `bytes` are no ask.
    fn answer_ask(&mut self, bytes: &[u8], key: Option<u32>, from: Peer) -> bool {
        let now = self.clock.at(clock::now());
        if Note::decode(bytes).is_none() {
            return false;
        }
        let Some(world) = &mut self.world else { return false };
        let newest = world.publisher.newest();
        match world.distributor.hear(bytes, (from, key), now, newest.as_ref()) {
            Some(Answer::Segment(segment)) => self.send_segment(&segment, (from, key)),
            Some(Answer::Note(note)) => drop(self.send(&note, key, from)),
            None => {}
        }
        true
    }

    fn answer(&mut self, bytes: &[u8], from: Peer, arrived: MachineTime) {
        let received = self.at(arrived);
        if self.link.is_some() {
            return self.answer_sealed(bytes, from, received);
        }
        let request = match wire::decode_request(bytes) {
            Ok(request) => request,
            Err(_) if self.state(bytes, from) || self.answer_beside(bytes, None, from) => return,
            Err(error) => return self.refuse(error, bytes, from),
        };
        // Refused only if a request waited for more than the 429 s that a reply can report.
        let Ok(reply) = self.responder.respond(&request, received, self.at(clock::now())) else { return };
        let polled = self.frames.as_ref().and_then(|frames| frames.polled).map(|at| self.at(at));
        let Ok(datagram) = wire::encode_reply(&reply.found_after(polled.unwrap_or(received))) else { return };
        self.counts.answered += u64::from(self.post(&datagram, wire::is_marked(bytes), from));
    }

    /// Answers a datagram by the link. What the link does not know may still be about UTC or the world.
    fn answer_sealed(&mut self, bytes: &[u8], from: Peer, received: ServerTime) {
        let (mut out, sent) = ([0; DATAGRAM], self.at(clock::now()));
        if keyed::key_id(Channel::Messages, Direction::ToServer, bytes).is_ok() {
            let Some(messages) = &mut self.messages else { return };
            let Ok((key, message)) = messages.open(bytes) else { return };
            if messages.allow(key, sent).is_ok() && !self.answer_beside(message, Some(key), from) {
                self.counts.malformed.kind += 1;
            }
            return;
        }
        let Some(link) = &mut self.link else { return };
        match link.answer(bytes, received, sent, &mut out) {
            Ok(answer) => {
                let is_marked = link.is_marked();
                self.post(answer, is_marked, from);
            }
            Err(LinkError::Wire(error)) => self.counts.malformed.add(error),
            Err(_) => {}
        }
    }

    /// Answers what is not about the server's clock. False if it is about nothing that this server has.
    fn answer_beside(&mut self, message: &[u8], key: Option<u32>, from: Peer) -> bool {
        if let Some(datagram) = self.utc.answer(message) {
            self.counts.utc_stated += u64::from(self.send(&datagram, key, from));
        } else if Truth::is_request(message) {
            let zero = self.disciplined.is_none().then_some(self.clock.start);
            // Zero is no kernel clock's name.
            let kernel_clock = kernel_clock().unwrap_or(0);
            self.send(&Truth { epoch: self.epoch(), kernel_clock, zero }.encode(), key, from);
        } else if !self.answer_ask(message, key, from) {
            let now = self.at(clock::now());
            return self.starts.as_mut().is_some_and(|starts| starts.hear(message, (from, key), now));
        }
        true
    }

    /// Counts what is no request. A client of another version learns which side is older.
    fn refuse(&mut self, error: WireError, bytes: &[u8], from: Peer) {
        if let Some(notice) = wire::version_notice(bytes) {
            if self.counts.malformed.version == 0 {
                eprintln!("lab: {} asks in another version: {error}", from.address);
            }
            self.post(&notice, false, from);
        }
        self.counts.malformed.add(error);
    }

    /// Answers an authority request without a seal. False if `bytes` are none.
    fn state(&mut self, bytes: &[u8], to: Peer) -> bool {
        let (Ok(AuthorityRequest { id }), Ok(authority)) =
            (AuthorityRequest::decode(bytes), self.authority())
        else {
            return false;
        };
        let Ok(datagram) = (AuthorityReply { id, authority }).encode() else { return false };
        self.counts.stated += u64::from(self.post(&datagram, false, to));
        true
    }

    /// Sends a message, under this key if there is one. False if that failed, which is counted.
    fn send(&mut self, message: &[u8], key: Option<u32>, to: Peer) -> bool {
        let (Some(messages), Some(id)) = (&mut self.messages, key) else {
            return self.post(message, false, to);
        };
        let mut sealed = [0; SEALED_MOST];
        // A key that was open is there, and no message is too long for a seal.
        messages.seal(id, message, &mut sealed).is_ok_and(|sealed| self.post(sealed, false, to))
    }

    fn post(&mut self, datagram: &[u8], is_marked: bool, to: Peer) -> bool {
        // Where the system does not mark, it goes without.
        let _ = self.socket.set_marked(self.marks && is_marked);
        let is_sent = self.socket.send_to(datagram, to).is_ok();
        self.counts.unsent += u64::from(!is_sent);
        is_sent
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    /// The script of the world, if there is one.
    pub(crate) fn script(&self) -> Option<&Script> {
        self.world.as_ref().map(|world| &world.script)
    }

    pub(crate) fn counts(&self) -> Counts {
        let Some(link) = &self.link else { return self.counts };
        let (counts, link) = (link.counts(), link.counts().keys);
        let beside = self.messages.as_ref().map(SessionKeys::counts).unwrap_or_default();
        let unkeyed = Unkeyed {
            malformed: link.malformed + beside.malformed,
            unknown_key: link.unknown_key + beside.unknown_key,
            forged: link.forged + beside.forged,
            replayed: link.replayed + beside.replayed,
            over_budget: link.over_budget + beside.over_budget + counts.busy,
        };
        Counts { answered: counts.answered, unkeyed, ..self.counts }
    }
}

/// A random epoch.
fn random_epoch() -> Result<u64> {
    getrandom::u64().context("the system gives no random number for the epoch")
}
