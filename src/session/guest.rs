//! A player's end of the conversation.

use super::WORLDS;
use super::error::SessionError;
use super::message::{
    AUTHORITY, DATAGRAM_MOST, EXCHANGE, Known, PLAIN_MOST, Read, SEGMENT, START, STATE, State, TO_GUEST,
    TO_HOST, TOKEN, UTC, Writer, finish,
};
use crate::clock::authority::{Authority, AuthorityReply};
use crate::clock::for_parts::{Unguessable, memory, u64_at};
use crate::clock::keyed::{Channel, SealedChannel, SessionKey};
use crate::clock::{
    Client, Config, CreateError, Direction, Earlier, Event, LocalTime, Reader, Reading, Reply, ServerTime,
    Span, TimeError, WireError, wire,
};
use crate::game::start::{Participant, Progress, Stage};
use crate::game::timeline::{Segment, Timeline, TimelineConfig, WorldReading};
use crate::game::utc::{ServerUtc, UtcReading, UtcReply};

/// Least time between two datagrams that only confirm a revision.
const SOONEST: Span = Span::from_millis(20);

/// Settings of a [`Guest`]. Checked once, when it is created.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuestConfig {
    /// Settings of the clock.
    pub clock: Config,
    /// Settings of all worlds.
    pub world: TimelineConfig,
}

/// Everything that a guest shows in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The server's time.
    pub reading: Reading,
    /// The time of each world; none if the host has not published it, or the clock is not in sync.
    pub worlds: [Option<WorldReading>; WORLDS],
    /// The server's UTC; none if the host has not stated it, or the clock is not in sync.
    pub utc: Option<UtcReading>,
    /// The newest start, and whether to start in this frame.
    pub start: Progress,
    /// Whose clock the reading speaks of, and how far it may be off that clock's timescale.
    pub authority: Option<Authority>,
}

/// A player's end: asks, learns what the host says, and shows it. One owner; [`reader`](Self::reader) is for
/// other threads. It allocates memory when it is created and never again. See [the module](super) for an
/// example.
#[derive(Debug)]
pub struct Guest {
    client: Client,
    worlds: Vec<Timeline>,
    utc: ServerUtc,
    participant: Participant,
    start: Progress,
    random: Unguessable,
    seal: Option<SealedChannel>,
    connection: Connection,
    out: [u8; DATAGRAM_MOST],
}

/// The state of one connection.
#[derive(Clone, Copy, Debug)]
struct Connection {
    session: u64,
    /// The server epoch of the newest reply.
    run: Option<u64>,
    /// The host has answered to this session.
    is_heard: bool,
    token: Option<u64>,
    known: Known,
    /// The newest revision whose confirmation the host received.
    acknowledged: u32,
    /// The round of starts that the host is in, and the one in which this guest has started.
    round: u32,
    started: u32,
    /// The instance and version of the newest segment of each world.
    newest: [Option<(u32, u32)>; WORLDS],
    /// The server epoch before this one, whose late news is refused.
    left: Option<u64>,
    /// A confirmation is due.
    has_news: bool,
    /// The time of the newest confirmation.
    said: Option<LocalTime>,
}

impl Connection {
    fn new(session: u64) -> Self {
        Connection {
            session,
            run: None,
            is_heard: false,
            token: None,
            known: Known::default(),
            acknowledged: 0,
            round: 0,
            started: 0,
            newest: [None; WORLDS],
            left: None,
            has_news: false,
            said: None,
        }
    }

    /// Whether to confirm the revision: until the host has received the confirmation.
    fn says(&self) -> bool {
        !self.is_heard || self.acknowledged != self.known.revision
    }

    fn says_at_once(&self, now: LocalTime) -> bool {
        self.has_news && self.said.is_none_or(|said| (now - said).abs() >= SOONEST)
    }
}

impl Guest {
    /// A guest that is connected without a session key. `seed` makes its requests and sessions unguessable:
    /// draw 128 bits from the operating system.
    ///
    /// # Errors
    /// A setting is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: GuestConfig, seed: u128) -> Result<Self, CreateError> {
        Self::with_saved(config, seed, &Earlier::NONE)
    }

    /// As [`new`](Self::new), with what earlier sessions saved: see [`Client::with_saved`].
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_saved(config: GuestConfig, seed: u128, earlier: &Earlier<'_>) -> Result<Self, CreateError> {
        let client = Client::with_saved(config.clock, seed, earlier)?;
        let mut random = Unguessable::new(!seed);
        let mut worlds = memory::list(WORLDS)?;
        for _ in 0..WORLDS {
            worlds.push(Timeline::new(config.world)?);
        }
        Ok(Guest {
            client,
            worlds,
            utc: ServerUtc::new(seed)?,
            participant: Participant::new(random.next()),
            start: Progress::default(),
            seal: None,
            connection: Connection::new(random.next()),
            random,
            out: [0; DATAGRAM_MOST],
        })
    }

    /// Begins another connection, to this host or to another. With a `key`, all datagrams are sealed: each
    /// connection has a new key. The time goes on, but without a bound until the first reply, as after
    /// [`Client::may_have_missed_time`]: the new host's clock may be another.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn connect(&mut self, key: Option<&SessionKey>, now: LocalTime) -> Result<(), TimeError> {
        self.client.may_have_missed_time(now, Span::MAX)?;
        self.seal = key.map(|key| SealedChannel::new(key, Channel::Messages, Direction::ToServer));
        self.connection = Connection::new(self.random.next());
        self.participant = Participant::new(self.random.next());
        self.start = Progress::default();
        Ok(())
    }

    /// Notes that the caller polled its transport at `at`, and has handled all datagrams that were there: see
    /// [`Client::polled`]. Before a datagram that was stamped on arrival, pass its stamp.
    ///
    /// # Errors
    /// `at` is out of range; nothing changed.
    pub fn polled(&mut self, at: LocalTime) -> Result<(), TimeError> {
        self.client.polled(at)
    }

    /// Everything that is shown in the frame at `now`. Call it once a frame: world time does not go backwards
    /// from call to call, and a start fires in one of them.
    ///
    /// # Errors
    /// `now` is out of range; nothing changed.
    pub fn view(&mut self, now: LocalTime) -> Result<View, TimeError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        let reading = self.client.read(now);
        let mut worlds = [None; WORLDS];
        for (shown, world) in worlds.iter_mut().zip(&mut self.worlds) {
            *shown = world.show(&reading).ok();
        }
        self.start.fires = false;
        if self.takes_part() {
            self.start = self.participant.tick(now, &reading)?;
            if self.start.fires {
                self.connection.started = self.connection.round;
            }
        }
        let (utc, authority) = (self.utc.read(&reading).ok(), self.client.authority(now));
        Ok(View { reading, worlds, utc, start: self.start, authority })
    }

    /// A participant reports how good its clock is. That costs traffic, so it happens only until it has
    /// started.
    fn takes_part(&self) -> bool {
        let Connection { round, started, .. } = self.connection;
        (round != 0 && round != started) || self.start.stage == Stage::Announced
    }

    /// Handles a datagram of the host that arrived at `arrived`.
    ///
    /// # Errors
    /// The reason for refusing the datagram; nothing changed. A reply that the clock refuses is not an error:
    /// see [`Client::last_sample`].
    pub fn receive(&mut self, datagram: &[u8], arrived: LocalTime) -> Result<(), SessionError> {
        if !arrived.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        if datagram.len() > DATAGRAM_MOST {
            return Err(WireError::Length(datagram.len()).into());
        }
        let proved = self.seal.as_ref().map(|seal| seal.prove(datagram)).transpose()?;
        let (number, plain) = proved.map_or((None, datagram), |(number, plain)| (Some(number), plain));
        let news = News::read(plain)?;
        if let Some((seal, number)) = self.seal.as_mut().zip(number) {
            seal.take(number)?;
        }
        if news.session.is_some_and(|session| session != self.connection.session) {
            // The host does not know this connection yet.
            self.connection.is_heard = false;
            return Err(SessionError::OtherSession);
        }
        self.connection.is_heard |= news.session.is_some() && news.token.is_none();
        self.connection.token = news.token.or(self.connection.token);
        if let Some(state) = &news.state {
            self.learn(state, &news, arrived);
        }
        for (_, message) in Read::new(plain, TO_GUEST)?.filter(|(tag, _)| *tag == START) {
            // Repeated and late messages are normal.
            let _ = self.participant.receive(message);
        }
        if let Some(reply) = &news.reply {
            if self.client.handle_reply(reply, arrived).is_ok() {
                // A restarted host does not know the session.
                let before = self.connection.run.replace(reply.epoch);
                self.connection.is_heard &= before.is_none_or(|before| before == reply.epoch);
            }
        }
        Ok(())
    }

    /// Applies news whose base is known.
    fn learn(&mut self, state: &State, news: &News, arrived: LocalTime) {
        let connection = &mut self.connection;
        if connection.left == Some(state.epoch) {
            return;
        }
        if connection.known.epoch != state.epoch {
            // Another server epoch, or the first news.
            connection.left = Some(connection.known.epoch).filter(|&epoch| epoch != 0);
            connection.known = Known { revision: 0, epoch: state.epoch };
            connection.newest = [None; WORLDS];
        }
        connection.acknowledged = state.acknowledged;
        // There is a gap before it, or nothing new in it.
        if state.base > connection.known.revision || state.revision < connection.known.revision {
            return;
        }
        connection.round = state.round;
        for (place, segment) in news.segments.iter().flatten() {
            // A timeline refuses segments of worlds that are over.
            if self.worlds[*place].insert(segment).is_ok() {
                connection.newest[*place] = Some((segment.instance, segment.version));
            }
        }
        if let Some(claim) = &news.utc {
            let _ = self.utc.insert(&claim.claim);
        }
        if let Some(stated) = &news.authority {
            let _ = self.client.set_authority(&stated.authority, arrived);
        }
        let connection = &mut self.connection;
        connection.known.revision = state.revision;
        connection.has_news |= connection.acknowledged != state.revision;
        let through = ServerTime::from_ticks(state.through);
        for (world, newest) in self.worlds.iter_mut().zip(connection.newest) {
            if let Some((instance, version)) = newest {
                // Refused if the host confirms nothing.
                let _ = world.confirm(state.epoch, instance, version, through);
            }
        }
    }

    /// The next datagram to send at `now`, and whether to send it reliably if the transport can. Call it in
    /// every frame until it returns none, right before datagrams leave.
    ///
    /// # Errors
    /// `now` is out of range, or slightly before an earlier call's; nothing changed.
    pub fn next(&mut self, now: LocalTime) -> Result<Option<(&[u8], bool)>, TimeError> {
        let request = self.client.tick(now)?;
        let start = self.participant.next_message();
        let connection = &mut self.connection;
        let mut writer = Writer::new(TO_HOST, connection.session, PLAIN_MOST);
        if connection.says_at_once(now) || (connection.says() && (request.is_some() || start.is_some())) {
            (connection.has_news, connection.said) = (false, Some(now));
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
        if writer.is_empty() {
            return Ok(None);
        }
        let size = finish(&mut self.seal, writer.bytes(), &mut self.out);
        Ok(size.map(|size| (&self.out[..size], request.is_some_and(|request| request.reliable))))
    }

    /// A handle for reading the server's time from any thread.
    pub fn reader(&self) -> Reader {
        self.client.reader()
    }

    /// Removes and returns the oldest event of the clock. The 16 newest are kept.
    pub fn next_event(&mut self) -> Option<Event> {
        self.client.next_event()
    }

    /// The clock.
    pub fn clock(&self) -> &Client {
        &self.client
    }

    /// A world, for its time at other instants. None if there is no world of this number.
    pub fn world(&self, number: usize) -> Option<&Timeline> {
        self.worlds.get(number)
    }

    /// The server's UTC, for other instants.
    pub fn utc(&self) -> &ServerUtc {
        &self.utc
    }
}

/// Segments that a datagram has room for.
const SEGMENTS: usize = 3;

/// The content of a host's datagram, apart from messages of starts.
struct News {
    session: Option<u64>,
    reply: Option<Reply>,
    state: Option<State>,
    token: Option<u64>,
    segments: [Option<(usize, Segment)>; SEGMENTS],
    utc: Option<UtcReply>,
    authority: Option<AuthorityReply>,
}

impl News {
    fn read(plain: &[u8]) -> Result<Self, SessionError> {
        let sections = Read::new(plain, TO_GUEST)?;
        let mut news = News {
            session: sections.session,
            reply: None,
            state: None,
            token: None,
            segments: [None; SEGMENTS],
            utc: None,
            authority: None,
        };
        let mut count = 0;
        for (tag, body) in sections {
            match tag {
                EXCHANGE => news.reply = Some(wire::decode_reply(body)?),
                STATE => news.state = Some(State::decode(body).ok_or(SessionError::Truncated)?),
                TOKEN => news.token = u64_at(body, 0),
                SEGMENT => {
                    let (&number, bytes) = body.split_first().ok_or(SessionError::Truncated)?;
                    let number = usize::from(number);
                    let segment = Segment::decode(bytes)?;
                    if number >= WORLDS {
                        return Err(SessionError::UnknownWorld);
                    }
                    // No more fit.
                    if let Some(place) = news.segments.get_mut(count) {
                        *place = Some((number, segment));
                    }
                    count += 1;
                }
                UTC => news.utc = Some(UtcReply::decode(body)?),
                AUTHORITY => news.authority = Some(AuthorityReply::decode(body)?),
                _ => {}
            }
        }
        Ok(news)
    }
}
