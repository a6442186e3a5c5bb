//! A client of a server over UDP, with counters.
//!
//! With a key its clock follows the library's link, on a thread of its own. Without one it asks by messages,
//! which a link does not have. What a link does not carry, the server's UTC and its world, goes by the
//! session's own socket in either case.

use std::io;
use std::net::SocketAddr;

use anyhow::Result;
use netclock::authority::{Authority, AuthorityReply};
use netclock::keyed::{OVERHEAD, SEALED_MOST, SessionKey};
use netclock::link::sockets::{Received, StampedSocket, Stamps, is_refusal};
use netclock::link::{ClientLinkConfig, Mark, Marking};
use netclock::timeline::{SEGMENT_SIZE, Segment, WorldReading};
use netclock::utc::{ServerUtc, UtcChange, UtcReply};
use netclock::{
    Client, Config, Earlier, Event, LocalTime, Reading, Reply, Sample, Span, State, WireError, wire,
};

use super::events::{Described, mark_dropped};
use super::judge::Judge;
use super::linked::{Linked, News};
use super::noted::{NotedClient, Notes};
use super::taking_part::StartNews;
pub(crate) use super::taking_part::TakingPart;
pub(crate) use super::traffic::Traffic;
use crate::game::follower::Follower;
use crate::net::address;
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::random_seed;
use crate::recording::Announcement;

/// Longest wait for a datagram in one step. A client takes at least 100 steps a second, like the frames of a
/// game.
const FRAME: Span = Span::from_millis(5);

/// An arrival stamp is at most this much older than the latest time that the client got. A stamp that is a
/// second older would look as if somebody had set the local clock back. A later stamp only makes a longer
/// round trip.
const LATEST_BACK: Span = Span::from_millis(500);

/// A longer time from the end of a step to that of the next is a pause of the program. Steps take 5 ms.
const PAUSE: Span = Span::from_secs(1);

/// A server that has been silent for this long after an answer counts as gone. Requests leave every 4 s.
const SILENCE: Span = Span::from_secs(13);

/// Longer than any datagram of NetClock, so that longer ones are recognised.
const BUFFER: usize = 2 * SEGMENT_SIZE;

/// A client of a server.
pub(crate) struct Session {
    server: SocketAddr,
    socket: StampedSocket,
    clock: SkewedClock,
    pub(super) client: NotedClient,
    link: Option<Linked>,
    /// Of messages. The link has its own, and begins without marks if this one has given up by then.
    pub(super) marking: Marking,
    /// That marked datagrams are dropped was said.
    told_of_mark: bool,
    traffic: Traffic,
    /// The latest time that the client got.
    latest: Option<LocalTime>,
    /// What follows the server's world, if it does.
    pub(crate) follower: Option<Follower>,
    /// What takes part in the server's starts, if it does.
    pub(crate) starts: Option<TakingPart>,
    /// Judges the clock's reads, once the server has said how it reads its own clock.
    pub(crate) judge: Option<Judge>,
    /// The end of the last step.
    stepped: Option<MachineTime>,
    /// How long the program stood still, until somebody takes it.
    pub(crate) pause: Option<Span>,
    /// Epoch and timescale of the authority that was recorded last.
    announced: Option<(u64, u64)>,
    /// It asks for the time, and neither whose it is nor what UTC is. Set it before there is a link.
    pub(crate) only_time: bool,
    /// Who stamps what comes beside the link.
    stamps: Stamps,
    pub(crate) utc: ServerUtc,
    /// What the last reply about UTC changed, until somebody takes it.
    pub(crate) utc_change: Option<UtcChange>,
    /// When the last used reply came.
    answered: Option<MachineTime>,
    /// The network reported since then that nobody listens at the server.
    refused: bool,
    /// Why the first message in another version could not be read.
    other_version: Option<WireError>,
}

impl Session {
    /// A client of `server`, with `clock` as its local clock, and with what earlier sessions left.
    ///
    /// # Errors
    /// There is no way to the server, or a setting is out of range.
    pub(crate) fn new(
        server: SocketAddr,
        clock: SkewedClock,
        config: Config,
        earlier: &Earlier<'_>,
    ) -> Result<Self> {
        Ok(Session {
            server,
            socket: address::connect(server)?,
            clock,
            client: NotedClient::new(Client::with_saved(config, random_seed()?, earlier)?),
            link: None,
            marking: Marking::new(true),
            told_of_mark: false,
            traffic: Traffic::default(),
            latest: None,
            follower: None,
            starts: None,
            judge: None,
            stepped: None,
            pause: None,
            announced: None,
            only_time: false,
            stamps: Stamps::None,
            utc: ServerUtc::new(random_seed()?)?,
            utc_change: None,
            answered: None,
            refused: false,
            other_version: None,
        })
    }

    /// Follows the clock by a link with this key from now on. Messages without a seal count for nothing then.
    ///
    /// # Errors
    /// The system gives no thread or no memory.
    pub(crate) fn use_key(&mut self, key: SessionKey) -> Result<()> {
        let unmarked = self.marking.mark() == Mark::Off;
        let follow_authority = !self.only_time;
        let config = ClientLinkConfig { follow_authority, unmarked, ..ClientLinkConfig::default() };
        self.link = Some(Linked::connect(self.server, key, config, &self.client, self.clock)?);
        Ok(())
    }

    /// That marked datagrams were found to be dropped on the path; once.
    pub(crate) fn take_mark_dropped(&mut self) -> Option<Described> {
        let mark = self.link.as_ref().map_or(self.marking.mark(), |link| link.status().mark);
        let is_dropped = mark == Mark::Dropped;
        let was_told = std::mem::replace(&mut self.told_of_mark, is_dropped);
        (is_dropped && !was_told).then(mark_dropped)
    }

    /// Who stamps arrivals.
    pub(crate) fn stamps(&self) -> Stamps {
        self.link.as_ref().map_or(self.stamps, |link| link.status().stamps)
    }

    /// Looks at what the link did since the last look.
    fn look_at_the_link(&mut self) {
        match self.link.as_mut().map(Linked::look) {
            Some(News::Answered) => {
                (self.answered, self.refused) = (Some(clock::now()), false);
                self.announce_authority();
            }
            Some(News::NobodyListens) if !self.refused => self.refuse(),
            _ => {}
        }
    }

    /// Records whose clock it is, if that is news by the link.
    fn announce_authority(&mut self) {
        let Some(authority) = self.authority() else { return };
        let name = (authority.epoch, authority.timescale);
        if self.announced.replace(name) != Some(name) {
            self.client.announce(self.clock.at(clock::now()), &Announcement::Authority(authority));
        }
    }

    /// Turns to another server.
    pub(crate) fn turn_to(&mut self, server: SocketAddr) -> Result<()> {
        self.socket = address::connect(server)?;
        self.marking.try_again();
        (self.server, self.answered, self.refused) = (server, None, false);
        // What the link to the other server did counts on.
        self.traffic = self.traffic();
        if let Some(link) = self.link.take() {
            self.use_key(link.end())?;
        }
        self.client.run(Client::begin_burst);
        Ok(())
    }

    /// True if the server answered before and is gone: nobody listens there, or it has been silent for long.
    pub(crate) fn is_deserted(&self) -> bool {
        let is_blocked = || self.link.as_ref().is_some_and(Linked::is_blocked);
        let is_silent = |answered| clock::now() - answered > SILENCE;
        self.answered.is_some_and(|answered| self.refused || is_silent(answered) || is_blocked())
    }

    /// The authority whose clock the client shows.
    pub(crate) fn authority(&self) -> Option<Authority> {
        self.client.run(|client| client.authority(self.clock.at(clock::now())))
    }

    /// What became of starts since the last call.
    pub(crate) fn take_start_news(&mut self) -> Vec<StartNews> {
        let Some(starts) = &mut self.starts else { return Vec::new() };
        let news = starts.take_news();
        for it in &news {
            if let StartNews::Announced(what) = it {
                self.client.announce(self.clock.at(clock::now()), what);
            }
        }
        news
    }

    /// Keeps every exchange from now on. Returns those that were kept since the last call.
    ///
    /// # Errors
    /// A recording before them ended early.
    pub(crate) fn take_samples(&mut self) -> Result<Vec<Sample>> {
        match self.client.note(Notes::Kept(Vec::new()))? {
            Notes::Kept(samples) => Ok(samples),
            _ => Ok(Vec::new()),
        }
    }

    /// Ends the recording, if there is one.
    pub(crate) fn end_recording(&mut self) -> Result<()> {
        self.client.announce(self.clock.at(clock::now()), &Announcement::Ended);
        match self.client.note(Notes::Nowhere)? {
            Notes::File(recorder) => recorder.finish(),
            _ => Ok(()),
        }
    }

    /// One frame: waits a moment for replies, handles all that have come, and sends a request if one is due.
    pub(crate) fn step(&mut self) -> Result<()> {
        let mut buffer = [0; BUFFER];
        let mut received = self.socket.receive_within(&mut buffer, FRAME);
        loop {
            match received {
                Received::Nothing => break,
                Received::Refused => self.refuse(),
                Received::Datagram(come) => {
                    self.stamps = come.stamps;
                    self.take(&buffer[..come.length], clock::machine(come.at));
                }
            }
            received = self.socket.receive(&mut buffer);
        }
        self.look_at_the_link();
        self.send_what_is_due()?;
        self.look_for_a_pause();
        self.client.check()
    }

    /// Notes that the program did not run for long.
    fn look_for_a_pause(&mut self) {
        let now = clock::now();
        if let Some(since) = self.stepped.replace(now).filter(|&since| now - since > PAUSE) {
            self.client.announce(self.clock.at(now), &Announcement::Paused { since: self.clock.at(since) });
            self.pause = Some(now - since);
        }
    }

    fn take(&mut self, bytes: &[u8], at: MachineTime) {
        let messages = self.link.as_mut().map(|link| &mut link.messages);
        let Ok(bytes) = messages.map_or(Ok(bytes), |messages| messages.open(bytes)) else {
            self.traffic.malformed += 1;
            return;
        };
        self.traffic.seal_bytes += self.seal_size();
        if let Ok(utc_reply) = UtcReply::decode(bytes) {
            if let Ok(change) = self.utc.handle_reply(&utc_reply, self.clock.at(at)) {
                self.traffic.utc_replies += 1;
                self.utc_change = change.or(self.utc_change);
            }
            return;
        }
        let is_taken = self.follower.as_mut().is_some_and(|follower| follower.hear(bytes));
        if is_taken {
            if let Ok(segment) = Segment::decode(bytes) {
                self.client.announce(self.clock.at(at), &Announcement::Segment(segment));
            }
            return;
        }
        if self.starts.as_mut().is_some_and(|starts| starts.hear(bytes))
            || self.judge.as_mut().is_some_and(|judge| judge.hear(bytes))
        {
            return;
        }
        match wire::decode_reply(bytes) {
            Ok(reply) if self.link.is_none() => self.take_reply(&reply, at),
            _ if self.link.is_none() && self.take_authority(bytes) => {}
            Ok(_) => self.traffic.malformed += 1,
            Err(error) => {
                self.traffic.malformed += 1;
                if matches!(error, WireError::Version(_)) && self.other_version.is_none() {
                    eprintln!("lab: {error}");
                    self.other_version = Some(error);
                }
            }
        }
    }

    /// Takes a statement of whose clock it is. False if `bytes` are none.
    fn take_authority(&mut self, bytes: &[u8]) -> bool {
        let Ok(stated) = AuthorityReply::decode(bytes) else { return false };
        let now = self.clock.at(clock::now());
        self.latest = Some(now);
        if self.client.run(|client| client.handle_authority_reply(&stated, now)).is_ok() {
            self.traffic.statements += 1;
            self.client.announce(now, &Announcement::Authority(stated.authority));
        }
        true
    }

    fn take_reply(&mut self, reply: &Reply, at: MachineTime) {
        let stamp = self.clock.at(at);
        let arrived = self.latest.map_or(stamp, |latest| stamp.max(latest - LATEST_BACK));
        self.latest = Some(self.latest.map_or(arrived, |latest| latest.max(arrived)));
        match self.client.run(|client| client.handle_reply(reply, arrived)) {
            Ok(()) => {
                self.marking.answered(reply.id, arrived);
                self.traffic.replies += 1;
                (self.answered, self.refused) = (Some(at), false);
            }
            Err(refusal) => self.traffic.refused_reply(refusal),
        }
    }

    fn refuse(&mut self) {
        self.traffic.refused += 1;
        self.refused = true;
    }

    /// # Errors
    /// The server does not say how it reads its clock, which was asked for.
    fn send_what_is_due(&mut self) -> Result<()> {
        let machine = clock::now();
        let now = self.clock.at(machine);
        self.latest = Some(now);
        // What cannot be sent is lost, and the next one follows soon.
        if let Some(ask) = self.follower.as_mut().and_then(|follower| follower.ask(now)) {
            let _ = self.send(&ask);
        }
        if self.link.is_none() {
            self.ask_by_messages(now);
        }
        let reading = self.client.run(|client| client.read(now));
        // Before the clock is synced, UTC would be of no use.
        if !self.only_time && reading.state != State::Unsynced {
            if let Ok(Some(request)) = self.utc.request(now, reading.server_epoch) {
                self.traffic.utc_requests += u64::from(self.send(&request.encode()).is_ok());
            }
        }
        if let Some(starts) = &mut self.starts {
            starts.frame(now, &reading);
        }
        while let Some(message) = self.starts.as_mut().and_then(TakingPart::next_message) {
            let _ = self.send(&message);
        }
        if let Some(request) = self.judge.as_mut().map_or(Ok(None), |judge| judge.ask(machine, &reading))? {
            let _ = self.send(&request);
        }
        Ok(())
    }

    fn ask_by_messages(&mut self, now: LocalTime) {
        // Refused only if the local clock ran backwards, which it does not.
        let due = self.client.run(|client| client.tick(now));
        let asks_whose = |client: &mut Client| client.request_authority(now).ok().flatten();
        if let Some(authority_request) = self.client.run(asks_whose).filter(|_| !self.only_time) {
            self.traffic.inquiries += u64::from(self.send(&authority_request.encode()).is_ok());
        }
        let is_repeated = self.marking.next_due().is_some_and(|due| now >= due);
        let Some(request) = due.ok().flatten().or_else(|| {
            is_repeated.then(|| self.client.run(|client| client.make_request(now)).ok()).flatten()
        }) else {
            return;
        };
        let Ok(mut datagram) = wire::encode_request(&request) else { return };
        let is_marked = self.marking.request(request.id, now);
        if is_marked {
            wire::mark(&mut datagram);
        }
        if !self.socket.set_marked(is_marked) {
            self.marking.give_up();
        }
        match self.send(&datagram) {
            Ok(_) => self.traffic.requests += 1,
            // The error belongs to an earlier request, and this one was not sent.
            Err(error) if is_refusal(&error) => self.refuse(),
            // A full buffer, or no network: for a clock this is loss.
            Err(_) => {}
        }
    }

    fn send(&mut self, message: &[u8]) -> io::Result<usize> {
        let Some(Linked { messages, .. }) = &mut self.link else { return self.socket.send(message) };
        let mut sealed = [0; SEALED_MOST];
        let sealed = messages.seal(message, &mut sealed).map_err(io::Error::other)?;
        let sent = self.socket.send(sealed)?;
        self.traffic.seal_bytes += self.seal_size();
        Ok(sent)
    }

    fn seal_size(&self) -> u64 {
        if self.link.is_some() { OVERHEAD as u64 } else { 0 }
    }

    /// Reads the clock. Returns the machine time of the read too.
    pub(crate) fn read(&self) -> (MachineTime, Reading) {
        let machine = clock::now();
        (machine, self.client.run(|client| client.read(self.clock.at(machine))))
    }

    /// The world's time at a reading of the clock, if it is known.
    pub(crate) fn read_world(&mut self, now: &Reading) -> Option<WorldReading> {
        self.follower.as_mut()?.show(now).ok()
    }

    /// True if there is a server time to show.
    pub(crate) fn is_synced(&self) -> bool {
        self.client.run(|client| client.is_time_synced())
    }

    /// The oldest event that nobody has fetched.
    pub(crate) fn next_event(&mut self) -> Option<Event> {
        self.client.run(Client::next_event)
    }

    /// Datagrams so far, by the link and beside it.
    pub(crate) fn traffic(&self) -> Traffic {
        let mut traffic = self.traffic;
        if let Some(link) = &self.link {
            traffic.add_link(&link.status().counts);
        }
        traffic
    }
}
