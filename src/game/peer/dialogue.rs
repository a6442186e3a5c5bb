//! A peer. It passes messages to its components and collects the messages that they send.

use super::error::PeerError;
use super::exchanges::{Asked, Exchanges};
use super::fields::EXCHANGE;
use super::login::{Login, Membership};
use super::message::{
    Body, Decoded, FIRST_GAME_ID, MESSAGE_MOST, Message, Role, SynchReply, decode, encode_game, game_size,
};
use super::reading::{GameMessage, PeerReading, instant_of, stamp_of};
use super::shared_clock::SharedClock;
use crate::clock::{
    Config, CreateError, LocalTime, MAX_INSTANT_TICKS, Refusal, ServerTime, Span, State, TimeError,
};

/// Takes part in one game. It has a single owner. Memory is allocated only on creation.
///
/// In every frame, pass received messages to [`receive`](Self::receive), call [`tick`](Self::tick), and send
/// the messages from [`next_message`](Self::next_message) until it returns `None`. Lost messages are
/// repeated.
///
/// See [`Relay`](super::Relay) for an example.
#[derive(Debug)]
pub struct Peer {
    shared: SharedClock,
    login: Login,
    exchanges: Exchanges,
    /// Whether to report to the relay when the game began.
    begin_due: bool,
}

impl Peer {
    /// Creates a peer for the game with the id `game`. `config` has the clock settings. `seed` makes the
    /// peer's messages unguessable; draw 128 bits from the operating system.
    ///
    /// # Errors
    /// Fails if a field of `config` is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: Config, game: u64, seed: u128) -> Result<Self, CreateError> {
        Ok(Peer {
            shared: SharedClock::new(config, seed)?,
            // This seed must differ from the client's, because the client's random numbers are sent.
            login: Login::new(game, !seed),
            exchanges: Exchanges::new()?,
            begin_due: false,
        })
    }

    /// Handles a message from the relay, and returns it if it is a game message. Take the timestamp `arrived`
    /// as close to the socket as possible.
    ///
    /// # Errors
    /// Returns the reason if the message was rejected, in which case no state has changed. A
    /// [`PeerError::Rejected`] is also reported in [`PeerReading::rejection`].
    pub fn receive<'a>(
        &mut self,
        message: &'a [u8],
        arrived: LocalTime,
    ) -> Result<Option<GameMessage<'a>>, PeerError> {
        if !arrived.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        match decode(message)? {
            Decoded::Game { id, stamp, slot, proof, data } => {
                self.login.membership.ok_or(PeerError::NotLoggedIn)?;
                self.login.check(proof)?;
                let present = self.shared.read(arrived).game_time();
                let time = present.map_or(ServerTime::from_ticks(0), |present| instant_of(stamp, present));
                return Ok(Some(GameMessage { id, slot, stamp, time, data }));
            }
            Decoded::Protocol(message) => match message.body {
                Body::SynchReply(reply) => self.handle_reply(&message, &reply, arrived)?,
                Body::SynchRequest { slot, id, held } => {
                    self.login.check(message.proof)?;
                    self.login.member_as(Role::Primary)?.check(message.generation)?;
                    self.exchanges.ask(Asked { slot, id, held, received: arrived });
                }
                _ => self.control(&message, arrived)?,
            },
        }
        self.login.heard = Some(arrived);
        Ok(None)
    }

    fn handle_reply(
        &mut self,
        message: &Message,
        reply: &SynchReply,
        arrived: LocalTime,
    ) -> Result<(), PeerError> {
        self.login.check(message.proof)?;
        self.login.member_as(Role::Secondary)?.check(message.generation)?;
        // Accept only the first valid reply to each request that was sent to this primary.
        if !self.exchanges.is_open(reply.id) {
            return Err(Refusal::UnknownRequest.into());
        }
        self.shared.learn(reply, arrived)?;
        self.exchanges.close(reply.id);
        Ok(())
    }

    fn control(&mut self, message: &Message, now: LocalTime) -> Result<(), PeerError> {
        // An ERROR in response to a message of this peer repeats its token.
        let is_own = self.login.membership.is_some_and(|known| known.token == message.proof);
        if is_own && matches!(message.body, Body::Error { .. }) {
            self.lose_slot();
            return Ok(());
        }
        self.login.check(message.proof)?;
        match message.body {
            Body::Error { rejection, .. } => return Err(self.login.reject(rejection, now)),
            Body::Challenge { cookie } => self.login.take_cookie(cookie)?,
            Body::Role { role, slot, players, token } => {
                let next = Membership { slot, token, generation: message.generation, role };
                if self.login.join(next, players)? {
                    self.exchanges.forget();
                    match role {
                        Role::Primary => {
                            let name = self.login.random.next();
                            self.shared.lead(name, now);
                        }
                        Role::Secondary => self.shared.follow(),
                    }
                }
            }
            Body::State { synced, players, .. } => {
                self.check_generation(message)?;
                self.login.note(players, synced);
            }
            Body::BeginGame { began } => {
                self.check_generation(message)?;
                match began {
                    Some(began) => self.shared.learn_begin(began),
                    None => {
                        self.login.member_as(Role::Primary)?;
                        self.shared.begin(now);
                        self.begin_due = true;
                    }
                }
            }
            _ => return Err(PeerError::WrongRole),
        }
        Ok(())
    }

    fn check_generation(&self, message: &Message) -> Result<(), PeerError> {
        self.login.membership.ok_or(PeerError::Stale)?.check(message.generation)
    }

    /// Call this when the relay no longer knows the login. The clock continues.
    fn lose_slot(&mut self) {
        self.login.lose_slot();
        self.exchanges.request = None;
    }

    /// Performs the work due at `now`. Call this every frame.
    ///
    /// # Errors
    /// Returns the same errors as [`Client::tick`](crate::Client::tick).
    pub fn tick(&mut self, now: LocalTime) -> Result<(), TimeError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        let is_member = self.login.membership.is_some();
        if !is_member && !self.shared.has_authority() {
            return Ok(());
        }
        if let Some(request) = self.shared.tick(now)? {
            self.exchanges.request = Some(request).filter(|_| is_member);
        }
        if is_member && self.login.is_silent(now) {
            self.lose_slot();
        }
        Ok(())
    }

    /// Writes the next message, which must be sent immediately, and returns its length. Call this until it
    /// returns `None`.
    pub fn next_message(&mut self, now: LocalTime, message: &mut [u8; MESSAGE_MOST]) -> Option<usize> {
        let next = self.next_reply(now).or_else(|| self.next_own(now))?;
        let mut bytes = [0; EXCHANGE];
        let encoded = next.encode(&mut bytes);
        message[..encoded.len()].copy_from_slice(encoded);
        Some(encoded.len())
    }

    fn next_reply(&mut self, now: LocalTime) -> Option<Message> {
        loop {
            let asked = self.exchanges.next_asked()?;
            let Some(answer) = self.shared.answer(asked.received, now) else { continue };
            let Asked { slot, id, held: held_there, .. } = asked;
            let reply = SynchReply { slot, id, held_there, held_back: 0, answer };
            return Some(self.login.membership?.say(Body::SynchReply(reply)));
        }
    }

    fn next_own(&mut self, now: LocalTime) -> Option<Message> {
        // Login messages come first, because the relay forwards nothing for a peer that has not presented its
        // token.
        if let Some(message) = self.login.next_message(now, self.shared.began().is_some()) {
            return Some(message);
        }
        let member = self.login.membership.filter(|_| !self.login.ended)?;
        if let Some(request) = self.exchanges.send() {
            return Some(member.say(Body::SynchRequest { slot: 0, id: request.id.0, held: 0 }));
        }
        if core::mem::take(&mut self.begin_due) {
            if let Some(began) = self.shared.began() {
                return Some(member.say(Body::BeginGame { began: Some(began) }));
            }
        }
        let reading = self.shared.read(now).reading;
        if self.login.take_done(reading.state != State::Unsynced) {
            let most = Span::from_ticks(MAX_INSTANT_TICKS);
            let [round_trip, error_bound] =
                [reading.round_trip, reading.error_bound].map(|span| span.min(most));
            return Some(member.say(Body::SynchDone { round_trip, error_bound }));
        }
        None
    }

    /// Leaves the game. The next message informs the relay. The clock continues.
    pub fn leave(&mut self) {
        self.login.leaving = true;
    }

    /// Writes a game message, timestamped with the shared time at `now`, and returns its length. Send it to
    /// the relay, which forwards it to all other peers.
    ///
    /// # Errors
    /// Returns [`PeerError::UnknownId`] if `id` is below [`FIRST_GAME_ID`](super::FIRST_GAME_ID),
    /// [`PeerError::Size`] if the data is longer than [`MESSAGE_MOST`] minus [`GAME_HEAD`](super::GAME_HEAD),
    /// [`PeerError::NotLoggedIn`] if the peer has no slot, or [`PeerError::NotBegun`] if the game has not
    /// begun.
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
        game_size(data)?;
        let token = self.login.membership.ok_or(PeerError::NotLoggedIn)?.token;
        let time = self.shared.read(now).game_time().ok_or(PeerError::NotBegun)?;
        encode_game(id, stamp_of(time), token, data, message)
    }

    /// Returns the peer's state and the shared clock at `now`.
    pub fn read(&self, now: LocalTime) -> PeerReading {
        PeerReading::new(&self.login, &self.shared.read(now))
    }
}
