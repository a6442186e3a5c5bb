//! The guest's side of the protocol, without the clock itself. The two are separate because readers share the
//! clock in the C interface.

use super::WORLDS;
use super::blob;
use super::error::SessionError;
use super::guest::{GuestConfig, View};
use super::message::{
    AUTHORITY, CONFIRMED_BEFORE, DATAGRAM_MOST, EXCHANGE, Known, LINK, LinkOffer, PLAIN_MOST, Read, SEGMENT,
    START, STATE, State, TO_GUEST, TO_HOST, TOKEN, UTC, Writer, finish,
};
use crate::clock::authority::Authority;
use crate::clock::for_parts::{Unguessable, memory, u64_at};
use crate::clock::keyed::{Channel, SealedChannel, SessionKey};
use crate::clock::{
    Client, CreateError, Direction, LocalTime, Reading, Reply, ServerTime, Span, State as ClockState,
    TimeError, WireError, wire,
};
use crate::game::latency::LatencyWatch;
use crate::game::order::Lead;
use crate::game::start::{Participant, Progress, Stage};
use crate::game::timeline::{Segment, Timeline};
use crate::game::utc::UtcClaim;

/// A start's result reaches the host within this time even if many datagrams are lost.
const REPORTED_WITHIN: Span = Span::from_secs(3);
/// Minimum time between two datagrams that only confirm a revision.
const SOONEST: Span = Span::from_millis(20);

/// A guest's state, except for its clock.
#[derive(Debug)]
pub(crate) struct GuestProtocol {
    pub(crate) worlds: Vec<Timeline>,
    /// Claims of the last two server epochs, the newest first. The clock may still show the earlier epoch.
    pub(crate) utc: [Option<UtcClaim>; 2],
    pub(crate) latency: Box<LatencyWatch>,
    pub(crate) offer: Option<LinkOffer>,
    participant: Participant,
    start: Progress,
    lead: Box<Lead>,
    random: Unguessable,
    seal: Option<SealedChannel>,
    connection: Connection,
    /// Whether this player takes part in starts.
    pub(crate) is_present: bool,
    pub(crate) blob_epoch: Option<u64>,
    /// The time and reading of the most recent frame. The frame's messages are sent at its end.
    frame: Option<(LocalTime, Reading)>,
    out: [u8; DATAGRAM_MOST],
}

/// A connection's state.
#[derive(Clone, Copy, Debug)]
struct Connection {
    session: u64,
    /// The server epoch in the most recent reply.
    replied: Option<u64>,
    /// The server epoch of the host that last answered in this session.
    host: Option<u64>,
    token: Option<u64>,
    known: Known,
    /// When the guest learned the revision in `known`.
    learned_at: LocalTime,
    /// The latest revision for which the host has received a confirmation.
    acknowledged: u32,
    /// The host's current round of starts, and the round in which this guest has started.
    round: u32,
    started: u32,
    /// The instance and version of each world's latest segment.
    newest: [Option<(u32, u32)>; WORLDS],
    /// The previous server epoch, whose late updates are rejected.
    left: Option<u64>,
    /// Whether a confirmation is due.
    confirms_soon: bool,
    /// When the most recent confirmation was sent.
    confirmed_at: Option<LocalTime>,
    /// Key id of the offered link, if the offer has to be confirmed.
    offered: Option<u32>,
}

impl Connection {
    fn new(session: u64) -> Self {
        Connection {
            session,
            replied: None,
            host: None,
            token: None,
            known: Known::default(),
            learned_at: LocalTime::from_ticks(0),
            acknowledged: 0,
            round: 0,
            started: 0,
            newest: [None; WORLDS],
            left: None,
            confirms_soon: false,
            confirmed_at: None,
            offered: None,
        }
    }

    /// Returns whether the host has not acknowledged the known revision yet. Until then, datagrams confirm
    /// it.
    fn is_unconfirmed(&self) -> bool {
        self.host.is_none() || self.host != self.replied || self.acknowledged != self.known.revision
    }

    fn is_confirmation_due(&self, now: LocalTime) -> bool {
        self.confirms_soon && self.confirmed_at.is_none_or(|confirmed| (now - confirmed).abs() >= SOONEST)
    }
}

impl GuestProtocol {
    /// Creates the state on the heap, because it takes several kilobytes. This is not inlined, to save stack
    /// in the function that creates the clock.
    #[inline(never)]
    pub(crate) fn new(config: &GuestConfig, seed: u128) -> Result<Box<Self>, CreateError> {
        let lead = memory::boxed(|| Lead::new(config.lead))?;
        let latency = memory::boxed(|| LatencyWatch::new(&config.latency).map_err(CreateError::from))?;
        let mut worlds = memory::list(WORLDS)?;
        for _ in 0..WORLDS {
            worlds.push(Timeline::new(config.world)?);
        }
        memory::boxed(|| {
            let mut random = Unguessable::new(!seed);
            Ok(GuestProtocol {
                worlds,
                utc: [None; 2],
                latency,
                offer: None,
                participant: Participant::new(random.next()),
                start: Progress::default(),
                lead,
                seal: None,
                connection: Connection::new(random.next()),
                is_present: true,
                blob_epoch: None,
                frame: None,
                random,
                out: [0; DATAGRAM_MOST],
            })
        })
    }

    /// See [`Guest::connect`](super::Guest::connect) or, if `doubted_at` is `None`,
    /// [`Guest::follow`](super::Guest::follow).
    pub(crate) fn connect(
        &mut self,
        client: &mut Client,
        key: Option<&SessionKey>,
        doubted_at: Option<LocalTime>,
    ) -> Result<(), TimeError> {
        if let Some(now) = doubted_at {
            client.may_have_missed_time(now, Span::MAX)?;
        }
        self.seal = key.map(|key| SealedChannel::new(key, Channel::Messages, Direction::ToServer));
        self.connection = Connection::new(self.random.next());
        self.participant = Participant::new(self.random.next());
        self.start = Progress::default();
        self.offer = None;
        Ok(())
    }

    /// See [`Guest::introduce`](super::Guest::introduce).
    pub(crate) fn introduce(&mut self) {
        (self.connection.host, self.connection.confirms_soon) = (None, true);
    }

    /// See [`Guest::view`](super::Guest::view).
    pub(crate) fn view(&mut self, client: &Client, now: LocalTime) -> Result<View, TimeError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        let reading = client.read(now);
        self.frame = Some((now, reading));
        let mut worlds = [None; WORLDS];
        // After a new connection, known segments may belong to a world that the host has left.
        for ((shown, world), newest) in worlds.iter_mut().zip(&mut self.worlds).zip(self.connection.newest) {
            *shown = newest.and_then(|_| world.show(&reading).ok());
        }
        self.start.fires = false;
        if self.is_present && self.takes_part(reading.server_time) {
            self.start = self.participant.tick(now, &reading)?;
            if self.start.fires {
                self.connection.started = self.connection.round;
            }
        }
        let utc = self.utc.iter().flatten().find_map(|claim| claim.read(&reading));
        let authority = client.authority(now);
        let speed = self.latency.speed(now);
        let (handled_by, showable) = (self.lead.handled_by(now), self.lead.showable(now));
        Ok(View { reading, worlds, utc, start: self.start, authority, handled_by, showable, speed })
    }

    /// See [`Guest::host_epoch`](super::Guest::host_epoch).
    pub(crate) fn host_epoch(&self) -> Option<u64> {
        self.connection.host.or(self.connection.replied)
    }

    /// See [`Guest::read_blob`](super::Guest::read_blob).
    pub(crate) fn read_blob(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        for (place, segment) in blob::read(bytes)? {
            self.blob_epoch = Some(segment.server_epoch);
            // A timeline rejects segments of worlds that have ended.
            let _ = self.worlds[place].insert(&segment);
        }
        Ok(())
    }

    /// Returns whether the participant is active. It reports the quality of its clock, which costs traffic.
    /// The participant stops some time after its start, when the host has received the result, because hosts
    /// do not repeat a start to a silent player.
    fn takes_part(&self, now: ServerTime) -> bool {
        let (Connection { round, started, .. }, start) = (self.connection, &self.start);
        let is_over = now - start.at > start.lateness + REPORTED_WITHIN;
        (round != 0 && (round != started || !is_over)) || start.stage == Stage::Announced
    }

    /// See [`Guest::receive`](super::Guest::receive).
    pub(crate) fn receive(
        &mut self,
        client: &mut Client,
        datagram: &[u8],
        arrived: LocalTime,
    ) -> Result<(), SessionError> {
        if !arrived.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        if let Some(answer) = self.read(client, datagram, arrived)? {
            self.handle_answer(client, &answer, arrived);
        }
        Ok(())
    }

    /// Applies all sections except the reply, which it returns. This is a separate function because handling
    /// a reply needs most of the stack.
    #[inline(never)]
    fn read(
        &mut self,
        client: &mut Client,
        datagram: &[u8],
        arrived: LocalTime,
    ) -> Result<Option<Answer>, SessionError> {
        if datagram.len() > DATAGRAM_MOST {
            return Err(WireError::Length(datagram.len()).into());
        }
        let proved = self.seal.as_ref().map(|seal| seal.prove(datagram)).transpose()?;
        let (number, plain) = proved.map_or((None, datagram), |(number, plain)| (Some(number), plain));
        let content = HostDatagram::read(plain)?;
        if let Some((seal, number)) = self.seal.as_mut().zip(number) {
            seal.take(number)?;
        }
        if content.session.is_some_and(|session| session != self.connection.session) {
            // The host does not know this session yet, so introduce the guest to it.
            self.connection.host = None;
            return Err(SessionError::OtherSession);
        }
        // The host waits until the token is returned.
        self.connection.confirms_soon |= content.token.is_some();
        self.connection.token = content.token.or(self.connection.token);
        if let Some(state) = &content.state {
            self.connection.host = Some(state.epoch);
            self.learn(client, state, &content, arrived);
        }
        for (_, message) in Read::new(plain, TO_GUEST)?.filter(|(tag, _)| *tag == START) {
            // Errors due to repeated and late messages are normal.
            let _ = self.participant.receive(message);
        }
        if let Some(offer) = content.offer {
            self.connection.offered = Some(offer.key.id());
            self.connection.confirms_soon = true;
            self.offer = Some(offer);
        }
        let state = content.state.map(|State { revision, epoch, .. }| Known { revision, epoch });
        Ok(content.reply.map(|(reply, confirms)| Answer { reply, confirms, state }))
    }

    fn handle_answer(&mut self, client: &mut Client, answer: &Answer, arrived: LocalTime) {
        let Answer { reply, confirms, state } = answer;
        if client.handle_reply(reply, arrived).is_err() {
            return;
        }
        // A restarted host does not know this session.
        let before = self.connection.replied.replace(reply.epoch);
        let is_new = before.is_some_and(|before| before != reply.epoch);
        self.connection.confirms_soon |= is_new;
        if self.connection.left == Some(reply.epoch) {
            // Late updates from an earlier host had replaced the updates from this host.
            (self.connection.left, self.connection.host) = (None, None);
            self.connection.confirms_soon = true;
        }
        if !self.connection.is_unconfirmed() && self.connection.known.epoch == reply.epoch {
            if *confirms {
                self.confirm(reply.received - CONFIRMED_BEFORE);
            } else if state.is_none() {
                // The host does not know this session, for example because the guest's address has changed.
                self.introduce();
            }
        }
        let sent = client.last_sample().and_then(|sample| sample.client_sent);
        let known = self.connection.known;
        let is_behind =
            state.is_some_and(|state| state.epoch == known.epoch && state.revision < known.revision);
        if is_behind && known.epoch == reply.epoch && sent >= Some(self.connection.learned_at) {
            // The host answered after this guest had learned a revision that the host does not have yet, so
            // an update was forged. Request everything again.
            self.connection.known.revision = 0;
            self.introduce();
        }
        // Errors are ignored, because delays that are out of range provide no information about the path.
        let _ = self.latency.follow(client);
        let _ = self.lead.note_arrived(reply.id.0, reply.received);
        let _ = self.lead.note_received(reply.sent, arrived, &client.read(arrived));
    }

    /// Applies an update if its base is known.
    fn learn(&mut self, client: &mut Client, state: &State, content: &HostDatagram, arrived: LocalTime) {
        let connection = &mut self.connection;
        if connection.left == Some(state.epoch) {
            return;
        }
        if connection.known.epoch != state.epoch {
            // A new server epoch, or the first update.
            connection.left = Some(connection.known.epoch).filter(|&epoch| epoch != 0);
            connection.known = Known { revision: 0, epoch: state.epoch };
            connection.newest = [None; WORLDS];
            self.worlds.iter_mut().for_each(Timeline::readmit);
        }
        connection.acknowledged = state.acknowledged;
        // If the host assumes that this guest knows more than it does, confirm the known revision
        // immediately.
        connection.confirms_soon |= state.base > connection.known.revision;
        if state.base > connection.known.revision || state.revision < connection.known.revision {
            return;
        }
        if connection.round != state.round {
            connection.round = state.round;
            self.participant.call_off(client.read(arrived).server_time);
            if self.start.stage == Stage::Announced {
                self.start.stage = Stage::Waiting;
            }
        }
        for (place, segment) in content.segments.iter().flatten() {
            // A timeline rejects segments of worlds that have ended.
            if self.worlds[*place].insert(segment).is_ok() {
                connection.newest[*place] = Some((segment.instance, segment.version));
            }
        }
        let is_newer = state.revision > connection.known.revision;
        if let Some(claim) = content.utc.filter(|_| is_newer) {
            let [newest, earlier] = self.utc;
            let is_same = newest.is_none_or(|known| known.server_epoch == claim.server_epoch);
            self.utc = [Some(claim), if is_same { earlier } else { newest }];
        }
        if let Some(stated) = &content.authority {
            let _ = client.set_authority(stated, arrived);
        }
        let connection = &mut self.connection;
        if is_newer {
            (connection.known.revision, connection.learned_at) = (state.revision, arrived);
        }
        connection.confirms_soon |= connection.acknowledged != state.revision;
        self.confirm(ServerTime::from_ticks(state.through));
    }

    /// Records that the worlds' segments were the host's latest at `through`.
    fn confirm(&mut self, through: ServerTime) {
        let Connection { known, newest, .. } = self.connection;
        for (world, newest) in self.worlds.iter_mut().zip(newest) {
            if let Some((instance, version)) = newest {
                // This fails if the host confirms nothing, because `through` is then invalid.
                let _ = world.confirm(known.epoch, instance, version, through);
            }
        }
    }

    /// See [`Guest::next`](super::Guest::next).
    pub(crate) fn next(
        &mut self,
        client: &mut Client,
        now: LocalTime,
    ) -> Result<Option<(&[u8], bool)>, TimeError> {
        let request = client.tick(now)?;
        if let Some(request) = &request {
            // Messages sent at the end of a frame refer to the time that the frame shows.
            let (at, reading) = self.frame.unwrap_or_else(|| (now, client.read(now)));
            if reading.state != ClockState::Unsynced {
                // This cannot fail, because `at` is in range.
                let _ = self.lead.note_sent(request.id.0, at, &reading);
            }
        }
        let start = if self.is_present { self.participant.next_message() } else { None };
        let connection = &mut self.connection;
        let mut writer = Writer::new(TO_HOST, connection.session, PLAIN_MOST);
        if connection.is_confirmation_due(now)
            || (connection.is_unconfirmed() && (request.is_some() || start.is_some()))
        {
            (connection.confirms_soon, connection.confirmed_at) = (false, Some(now));
            let _ = writer.add(STATE, &connection.known.encode(), &[]);
            if let Some(token) = connection.token {
                let _ = writer.add(TOKEN, &token.to_be_bytes(), &[]);
            }
        }
        if let Some(datagram) = request.and_then(|request| wire::encode_request(&request).ok()) {
            let _ = writer.add(EXCHANGE, &datagram, &[]);
        }
        if let Some(message) = start {
            let _ = writer.add(START, &message, &[]);
        }
        if let Some(key) = connection.offered.filter(|_| !writer.is_empty()) {
            if writer.add(LINK, &key.to_be_bytes(), &[]) {
                connection.offered = None;
            }
        }
        if writer.is_empty() {
            return Ok(None);
        }
        let size = finish(&mut self.seal, writer.bytes(), &mut self.out);
        Ok(size.map(|size| (&self.out[..size], request.is_some_and(|request| request.reliable))))
    }
}

/// Number of segments that fit into a datagram.
const SEGMENTS: usize = 3;

/// A reply, whether it confirms the guest's revision, and the last revision of the update beside it.
struct Answer {
    reply: Reply,
    confirms: bool,
    state: Option<Known>,
}

/// The content of a host's datagram, except for start messages.
struct HostDatagram {
    session: Option<u64>,
    reply: Option<(Reply, bool)>,
    state: Option<State>,
    token: Option<u64>,
    segments: [Option<(usize, Segment)>; SEGMENTS],
    utc: Option<UtcClaim>,
    authority: Option<Authority>,
    offer: Option<LinkOffer>,
}

impl HostDatagram {
    fn read(plain: &[u8]) -> Result<Self, SessionError> {
        let sections = Read::new(plain, TO_GUEST)?;
        let mut content = HostDatagram {
            session: sections.session,
            reply: None,
            state: None,
            token: None,
            segments: [None; SEGMENTS],
            utc: None,
            authority: None,
            offer: None,
        };
        let mut count = 0;
        for (tag, body) in sections {
            match tag {
                EXCHANGE => content.reply = Some(wire::decode_session_reply(body)?),
                STATE => content.state = Some(State::decode(body).ok_or(SessionError::Truncated)?),
                TOKEN => content.token = u64_at(body, 0),
                SEGMENT => {
                    let (&number, bytes) = body.split_first().ok_or(SessionError::Truncated)?;
                    let number = usize::from(number);
                    let segment = Segment::decode(bytes)?;
                    if number >= WORLDS {
                        return Err(SessionError::UnknownWorld);
                    }
                    // A host's datagram cannot contain more.
                    if let Some(place) = content.segments.get_mut(count) {
                        *place = Some((number, segment));
                    }
                    count += 1;
                }
                UTC => content.utc = Some(UtcClaim::decode(body)?),
                AUTHORITY => content.authority = Some(Authority::decode(body)?),
                LINK => content.offer = LinkOffer::decode(body),
                _ => {}
            }
        }
        Ok(content)
    }
}
