//! A peer's side: logs in, follows or leads, and says what the shared clock reads.

use super::error::{PeerError, Rejection};
use super::follow::Shared;
use super::message::{
    self, BEGIN_GAME, ERROR, FIRST_GAME_ID, Fields, GAME_END, GAME_HEAD, KNOWS_BEGIN, KNOWS_PRIMARY, LOGIN,
    LOGIN_OK, MESSAGE_MOST, Message, PRIMARY_CLIENT, READY, SECONDARY_CLIENT, SYNCH_DONE, SYNCH_REPLY,
    SYNCH_REQUEST, SYNCH_WAIT, Statement, VERSION,
};
use crate::client::Config;
use crate::clock::State;
use crate::exchange::Refusal;
use crate::exchange::{Request, Unguessable};
use crate::range::ConfigError;
use crate::time::TimeError;
use crate::time::{LocalTime, ServerTime, Span};

/// Time between two logins that are not answered, and after one that was refused.
const LOGIN_EVERY: Span = Span::from_millis(500);
const REFUSED_FOR: Span = Span::from_secs(2);
/// Time between two READY.
const READY_EVERY: Span = Span::from_millis(250);
/// Without a word from the relay for so long the seat is thought lost: 20 READY were not answered.
const LOST_AFTER: Span = Span::from_secs(5);
/// Requests whose reply is still waited for: as many as the client remembers.
const OUTSTANDING: usize = 32;
/// Requests of others that wait for their answer; older ones are left to be asked again.
const UNANSWERED: usize = 64;
const TICKS_PER_MS: i64 = 10_000;

/// Who a peer is in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its clock is the shared one.
    Primary,
    /// It follows the primary.
    Secondary,
}

/// How far a peer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerStage {
    /// It has no seat (any more) and logs in.
    Joining,
    /// It has a seat, but no shared clock yet.
    Waiting,
    /// It has the shared clock; the game did not begin.
    Synced,
    /// The game runs.
    Playing,
    /// It left, or the relay speaks another version.
    Ended,
}

/// Everything a peer knows at one local instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeerReading {
    /// How far it has come.
    pub stage: PeerStage,
    /// Its role; none without a seat.
    pub role: Option<Role>,
    /// Number of its seat, and how many peers are there, as the relay said last.
    pub seat: u16,
    /// See [`seat`](Self::seat).
    pub players: u16,
    /// The shared clock: zero when the game began and before, never backwards within an [`epoch`](Self::epoch).
    pub time: ServerTime,
    /// Hard bound: the authority's clock reads `time` within this, if the relay's holds are true.
    /// [`Span::MAX`] if nothing can be promised.
    pub error_bound: Span,
    /// Expected size of the error, one standard deviation. [`Span::MAX`] if nothing is known.
    pub expected_error: Span,
    /// How far the authority's clock may be from that of the game's first primary, by what was lost when primaries
    /// changed.
    pub inherited: Span,
    /// Names the primary whose clock this is; zero before there is one. Two peers with the same authority read the
    /// same clock.
    pub authority: u64,
    /// How much the clock can be relied on.
    pub state: State,
    /// Counts declared discontinuities: see [`Reading::epoch`](crate::Reading::epoch).
    pub epoch: u32,
    /// Smallest round trip to the primary as seen lately, without what the relay held.
    pub round_trip: Span,
    /// Why the relay refused the last login; none if it did not.
    pub rejection: Option<Rejection>,
}

/// A message of the game's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameMessage<'a> {
    /// Its id, from [`FIRST_GAME_ID`](super::FIRST_GAME_ID) on.
    pub id: u16,
    /// The sender's seat, by the relay.
    pub seat: u16,
    /// What the sender's shared clock read, in ms, modulo 2^32.
    pub stamp: u32,
    /// The same in full: the instant next to this peer's own shared time; zero if it has none.
    pub time: ServerTime,
    /// The game's data.
    pub data: &'a [u8],
}

#[derive(Clone, Copy, Debug)]
struct Place {
    seat: u16,
    token: u64,
    generation: u32,
    role: Role,
}

/// A request that waits for this primary's answer.
#[derive(Clone, Copy, Debug)]
struct Asked {
    seat: u16,
    id: u64,
    held: u32,
    received: LocalTime,
}

/// Takes part in one game. One owner; allocates when it is created and never again.
///
/// In every frame: [`receive`](Self::receive) what came, [`tick`](Self::tick), then send what
/// [`next_message`](Self::next_message) gives until it gives none. Lost messages are made up for.
#[derive(Debug)]
pub struct Peer {
    shared: Shared,
    game: u64,
    random: Unguessable,
    /// Proof of this login to the peer, drawn anew for each.
    key: u64,
    place: Option<Place>,
    players: u16,
    rejection: Option<Rejection>,
    ended: bool,
    leaving: bool,
    /// When the next LOGIN or READY is due, and when the relay was last heard.
    due: Option<LocalTime>,
    heard: Option<LocalTime>,
    /// The relay knows that this peer has the clock.
    acknowledged: bool,
    done_due: bool,
    tell_begin: bool,
    request: Option<Request>,
    sent: [Option<u64>; OUTSTANDING],
    next_sent: usize,
    unanswered: [Option<Asked>; UNANSWERED],
    next_unanswered: usize,
}

impl Peer {
    /// A peer that is to play `game`. `config` is that of the clock; `seed` makes its messages unguessable: draw 128
    /// bits from the operating system.
    ///
    /// # Errors
    /// A field of `config` is out of range.
    pub fn new(config: Config, game: u64, seed: u128) -> Result<Self, ConfigError> {
        let mut peer = Peer {
            shared: Shared::new(config, seed)?,
            game,
            // Another key than the client's, whose numbers travel.
            random: Unguessable::new(!seed),
            key: 0,
            place: None,
            players: 0,
            rejection: None,
            ended: false,
            leaving: false,
            due: None,
            heard: None,
            acknowledged: false,
            done_due: false,
            tell_begin: false,
            request: None,
            sent: [None; OUTSTANDING],
            next_sent: 0,
            unanswered: [None; UNANSWERED],
            next_unanswered: 0,
        };
        peer.key = peer.random.next();
        Ok(peer)
    }

    /// Handles one message from the relay that arrived at `arrived` (stamped as close to the network as possible), and
    /// hands on what is the game's.
    ///
    /// # Errors
    /// Says why it was refused; nothing changed. [`PeerError::Rejected`] is noted in the reading.
    pub fn receive<'a>(
        &mut self,
        message: &'a [u8],
        arrived: LocalTime,
    ) -> Result<Option<GameMessage<'a>>, PeerError> {
        if !arrived.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        match Message::decode(message)? {
            Message::Game { id, stamp, seat, data } => {
                let time = self.instant(stamp, arrived);
                return Ok(Some(GameMessage { id, seat, stamp, time, data }));
            }
            Message::Reply(reply, said) => self.learn(&reply, &said, arrived)?,
            Message::Plain(fields) if fields.id == SYNCH_REQUEST => self.asked(&fields, arrived)?,
            Message::Plain(fields) => self.control(&fields, arrived)?,
        }
        self.heard = Some(arrived);
        Ok(None)
    }

    #[inline(never)]
    fn control(&mut self, fields: &Fields, now: LocalTime) -> Result<(), PeerError> {
        let token = self.place.map(|place| place.token);
        if fields.id == ERROR && token == Some(fields.proof) {
            self.lose_seat();
            return Ok(());
        }
        if fields.proof != self.key {
            return Err(PeerError::WrongKey);
        }
        match fields.id {
            ERROR => self.rejected(fields, now),
            PRIMARY_CLIENT | SECONDARY_CLIENT => self.take_role(fields, now),
            LOGIN_OK | SYNCH_WAIT | BEGIN_GAME => {
                let place = self.place.ok_or(PeerError::Stale)?;
                if fields.generation != place.generation {
                    return Err(PeerError::Stale);
                }
                if fields.id != BEGIN_GAME {
                    self.players = fields.second;
                    self.acknowledged |= fields.id == LOGIN_OK && fields.first == 1;
                } else if fields.first == 1 {
                    self.shared.learn_begin(fields.number, ServerTime::from_ticks(fields.stamp));
                } else if place.role == Role::Primary {
                    self.shared.begin(now);
                    self.tell_begin = true;
                } else {
                    return Err(PeerError::WrongRole);
                }
                Ok(())
            }
            _ => Err(PeerError::WrongRole),
        }
    }

    fn rejected(&mut self, fields: &Fields, now: LocalTime) -> Result<(), PeerError> {
        let rejection = Rejection::from_code(fields.first).ok_or(PeerError::Malformed(ERROR))?;
        if self.place.is_some() {
            return Err(PeerError::Stale);
        }
        self.ended |= rejection == Rejection::Version;
        self.rejection = Some(rejection);
        self.due = Some(now + REFUSED_FOR);
        Err(PeerError::Rejected(rejection))
    }

    #[inline(never)]
    fn take_role(&mut self, fields: &Fields, now: LocalTime) -> Result<(), PeerError> {
        let role = if fields.id == PRIMARY_CLIENT { Role::Primary } else { Role::Secondary };
        if let Some(place) = self.place {
            // The newest generation counts, as far as 32 bits can tell.
            let newer = fields.generation.wrapping_sub(place.generation) as i32;
            if place.token != fields.number || newer < 0 || (newer == 0 && place.role != role) {
                return Err(PeerError::Stale);
            }
            if newer == 0 {
                self.players = fields.second;
                return Ok(());
            }
        }
        let Fields { first: seat, second: players, generation, number: token, .. } = *fields;
        self.place = Some(Place { seat, token, generation, role });
        (self.players, self.rejection) = (players, None);
        // Show the token at once; whatever was under way was another primary's.
        (self.due, self.request, self.acknowledged) = (None, None, false);
        (self.sent, self.unanswered) = ([None; OUTSTANDING], [None; UNANSWERED]);
        if role == Role::Primary {
            let name = self.random.next();
            self.shared.lead(name, now);
        } else {
            self.shared.follow();
        }
        Ok(())
    }

    /// The relay does not know this login any more. The clock goes on.
    #[inline(never)]
    fn lose_seat(&mut self) {
        self.place = None;
        self.due = None;
        self.request = None;
        self.key = self.random.next();
    }

    /// A secondary asks this primary.
    fn asked(&mut self, request: &Fields, arrived: LocalTime) -> Result<(), PeerError> {
        let place = self.place.filter(|place| place.role == Role::Primary).ok_or(PeerError::WrongRole)?;
        if request.generation != place.generation {
            return Err(PeerError::Stale);
        }
        let Fields { first: seat, proof: id, number, .. } = *request;
        self.unanswered[self.next_unanswered] =
            Some(Asked { seat, id, held: (number >> 32) as u32, received: arrived });
        self.next_unanswered = (self.next_unanswered + 1) % UNANSWERED;
        Ok(())
    }

    #[inline(never)]
    fn learn(&mut self, reply: &Fields, said: &Statement, arrived: LocalTime) -> Result<(), PeerError> {
        let place = self.place.filter(|place| place.role == Role::Secondary).ok_or(PeerError::WrongRole)?;
        if reply.generation != place.generation {
            return Err(PeerError::Stale);
        }
        // Before anything is believed of it: it answers a request of ours, to this primary, and for the first time.
        let known = self.sent.iter_mut().find(|sent| **sent == Some(reply.proof));
        let known = known.ok_or(Refusal::UnknownRequest)?;
        self.shared.learn(reply, said, arrived)?;
        *known = None;
        Ok(())
    }

    /// Does what is due at `now`; call it every frame.
    ///
    /// # Errors
    /// As [`Client::tick`](crate::Client::tick).
    pub fn tick(&mut self, now: LocalTime) -> Result<(), TimeError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        if self.place.is_none() && !self.shared.has_asked() {
            return Ok(());
        }
        if let Some(request) = self.shared.tick(now)? {
            self.request = Some(request).filter(|_| self.place.is_some());
        }
        let silent = self.heard.is_some_and(|heard| now - heard > LOST_AFTER);
        if silent && self.place.is_some() {
            self.lose_seat();
        }
        Ok(())
    }

    /// The next message to be sent at once at `now`, and its length. Call it until there is none.
    pub fn next_message(&mut self, now: LocalTime, message: &mut [u8; MESSAGE_MOST]) -> Option<usize> {
        if let Some((fields, said)) = self.next_answer(now) {
            message[..message::REPLY].copy_from_slice(&said.write(&fields));
            return Some(message::REPLY);
        }
        let fields = self.next_plain(now)?;
        message[..message::PLAIN].copy_from_slice(&fields.write());
        Some(message::PLAIN)
    }

    fn next_answer(&mut self, now: LocalTime) -> Option<(Fields, Statement)> {
        loop {
            let asked = self.unanswered.iter_mut().find_map(Option::take)?;
            let Some((stamp, said)) = self.shared.answer(asked.received, now) else { continue };
            let fields = Fields {
                id: SYNCH_REPLY,
                first: asked.seat,
                second: 0,
                generation: self.place?.generation,
                proof: asked.id,
                number: u64::from(asked.held) << 32,
                stamp: stamp.ticks(),
            };
            return Some((fields, said));
        }
    }

    fn next_plain(&mut self, now: LocalTime) -> Option<Fields> {
        if self.ended {
            return None;
        }
        let due = self.due.is_none_or(|due| now >= due || due - now > REFUSED_FOR);
        let Some(place) = self.place else {
            self.ended = self.leaving;
            if self.ended || !due {
                return None;
            }
            self.due = Some(now + LOGIN_EVERY);
            return Some(Fields {
                id: LOGIN,
                first: VERSION,
                proof: self.key,
                number: self.game,
                ..Fields::default()
            });
        };
        let say = |id| Fields { id, generation: place.generation, proof: place.token, ..Fields::default() };
        if self.leaving {
            (self.ended, self.place) = (true, None);
            return Some(say(GAME_END));
        }
        // Before anything else: the relay forwards nothing for who has not shown its token.
        if due {
            (self.due, self.done_due) = (Some(now + READY_EVERY), true);
            let leads = if place.role == Role::Primary { KNOWS_PRIMARY } else { 0 };
            let knows = if self.shared.beginning().is_some() { KNOWS_BEGIN } else { 0 };
            return Some(Fields { first: leads | knows, ..say(READY) });
        }
        if let Some(request) = self.request.take() {
            self.sent[self.next_sent] = Some(request.id.0);
            self.next_sent = (self.next_sent + 1) % OUTSTANDING;
            let stamp = request.client_time.ticks();
            return Some(Fields { proof: request.id.0, stamp, ..say(SYNCH_REQUEST) });
        }
        if core::mem::take(&mut self.tell_begin) {
            if let Some((run, at)) = self.shared.beginning() {
                return Some(Fields { first: 1, number: run, stamp: at.ticks(), ..say(BEGIN_GAME) });
            }
        }
        let (reading, ..) = self.shared.read(now);
        if core::mem::take(&mut self.done_due) && reading.state != State::Unsynced && !self.acknowledged {
            let [number, stamp] = [reading.round_trip, reading.error_bound]
                .map(|span| span.ticks().min(crate::time::MAX_INSTANT_TICKS));
            return Some(Fields { number: number as u64, stamp, ..say(SYNCH_DONE) });
        }
        None
    }

    /// Says good-bye with the next message; the clock goes on.
    pub fn leave(&mut self) {
        self.leaving = true;
    }

    /// Writes a message of the game's own, stamped with the shared time at `now`, and gives its length. Send it to the
    /// relay, which forwards it to everybody else.
    ///
    /// # Errors
    /// [`PeerError::UnknownId`] below [`FIRST_GAME_ID`](super::FIRST_GAME_ID), [`PeerError::Size`] if the data is longer
    /// than [`MESSAGE_MOST`] less [`GAME_HEAD`], [`PeerError::NotLoggedIn`], [`PeerError::NotBegun`].
    pub fn stamp_message(
        &self,
        now: LocalTime,
        id: u16,
        data: &[u8],
        message: &mut [u8; MESSAGE_MOST],
    ) -> Result<usize, PeerError> {
        if id < FIRST_GAME_ID {
            return Err(PeerError::UnknownId(id));
        }
        let size = GAME_HEAD.saturating_add(data.len());
        let place = message.get_mut(GAME_HEAD..size).ok_or(PeerError::Size(size))?;
        self.place.ok_or(PeerError::NotLoggedIn)?;
        let time = self.shared_time(now).ok_or(PeerError::NotBegun)?;
        place.copy_from_slice(data);
        message[..GAME_HEAD].fill(0);
        message[0..2].copy_from_slice(&id.to_be_bytes());
        message[2..4].copy_from_slice(&(size as u16).to_be_bytes());
        message[4..8].copy_from_slice(&((time.ticks() / TICKS_PER_MS) as u32).to_be_bytes());
        Ok(size)
    }

    /// The shared clock, from zero; none before the game began.
    #[inline(never)]
    fn shared_time(&self, now: LocalTime) -> Option<ServerTime> {
        let (reading, began, _) = self.shared.read(now);
        let began = began.filter(|_| reading.state != State::Unsynced)?;
        Some(ServerTime::from_ticks((reading.server_time - began).ticks().max(0)))
    }

    /// The instant that a stamp of milliseconds means: the one next to the present.
    fn instant(&self, stamp: u32, now: LocalTime) -> ServerTime {
        let Some(time) = self.shared_time(now) else { return ServerTime::from_ticks(0) };
        let present = time.ticks() / TICKS_PER_MS;
        let ahead = i64::from(stamp.wrapping_sub(present as u32) as i32);
        ServerTime::from_ticks((present + ahead).saturating_mul(TICKS_PER_MS))
    }

    /// Everything it knows at `now`.
    pub fn read(&self, now: LocalTime) -> PeerReading {
        let (reading, _, inherited) = self.shared.read(now);
        let time = self.shared_time(now);
        let stage = match (self.ended, self.place, time) {
            (true, ..) => PeerStage::Ended,
            (_, None, _) => PeerStage::Joining,
            (.., Some(_)) => PeerStage::Playing,
            _ if reading.state == State::Unsynced => PeerStage::Waiting,
            _ => PeerStage::Synced,
        };
        PeerReading {
            stage,
            role: self.place.map(|place| place.role),
            seat: self.place.map_or(0, |place| place.seat),
            players: self.players,
            time: time.unwrap_or(ServerTime::from_ticks(0)),
            error_bound: reading.error_bound,
            expected_error: reading.expected_error,
            inherited,
            authority: reading.server_epoch,
            state: reading.state,
            epoch: reading.epoch,
            round_trip: reading.round_trip,
            rejection: self.rejection,
        }
    }
}
