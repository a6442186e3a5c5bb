//! The relay, which assigns peers to slots in games and forwards messages between them. It does not provide a
//! clock.
//!
//! The cost of a message does not depend on the number of games or slots, except for game messages, which are
//! sent to all other peers of the game. Hash maps find connections and games, bit sets mark where messages
//! are queued, and each game stores when its next work is due.

use core::hash::Hasher;
use std::collections::HashMap;

use siphasher::sip::SipHasher24;

use super::bits::Bits;
use super::config::RelayConfig;
use super::cookie::Cookies;
use super::error::{PeerError, Rejection};
use super::fields::EXCHANGE;
use super::game::{Game, NEVER};
use super::message::{Body, Decoded, MESSAGE_MOST, Message, VERSION, decode};
use super::slot::Occupant;
use super::strangers::Strangers;
use crate::clock::for_parts::memory::{self, Keyed, check_seed};
use crate::clock::{CreateError, LocalTime, TimeError};

/// A game's status at a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStatus {
    /// Number of peers.
    pub players: u32,
    /// Number of primaries so far, including the current primary.
    pub generation: u32,
    /// Connection of the primary, if there is one.
    pub primary: Option<u64>,
    /// Whether the game has begun.
    pub began: bool,
    /// Number of messages dropped because a queue was full. The count includes earlier games that used the
    /// same memory.
    pub dropped: u64,
}

/// Forwards messages between the peers in each game. It has a single owner. Memory is allocated only on
/// creation.
///
/// The caller identifies connections by numbers. A connection may be a stream, which a
/// [`StreamReader`](super::StreamReader) splits into messages, or the source address of datagrams. The same
/// address must always have the same number. Times are on the relay's own monotonic clock.
///
/// ```
/// use netclock::peer::{MESSAGE_MOST, Peer, PeerStage, Relay, RelayConfig};
/// use netclock::{Config, LocalTime, Span};
///
/// let mut relay = Relay::new(RelayConfig::default(), 9)?; // draw such numbers from the system
/// let mut peers = [Peer::new(Config::default(), 1, 7)?, Peer::new(Config::default(), 1, 8)?];
/// let (mut now, mut message) = (LocalTime::from_ticks(0), [0; MESSAGE_MOST]);
/// for _frame in 0..200 {
///     for (connection, peer) in (0..).zip(&mut peers) {
///         peer.tick(now)?;
///         while let Some(length) = peer.next_message(now, &mut message) {
///             relay.receive(connection, &message[..length], now)?;
///         }
///     }
///     while let Some((connection, length)) = relay.next_message(now, &mut message)? {
///         peers[connection as usize].receive(&message[..length], now)?;
///     }
///     now += Span::from_millis(16);
/// }
/// assert_eq!(peers[0].read(now).stage, PeerStage::Playing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Relay {
    config: RelayConfig,
    games: Vec<Game>,
    /// Indices of games by id, and of slots by connection.
    ids: HashMap<u64, usize, Keyed>,
    connections: HashMap<u64, usize, Keyed>,
    /// The games with peers, and the games with queued messages.
    used: Bits<4>,
    waiting: Bits<4>,
    /// When the next work of each game is due, and the earliest of these times.
    dues: Box<[LocalTime]>,
    due: LocalTime,
    cookies: Cookies,
    random: SipHasher24,
    logins: u64,
    strangers: Strangers,
    /// Game and slot of the last message returned.
    turn: (usize, usize),
}

impl Relay {
    /// Creates a relay. `seed` makes its tokens and cookies unguessable; draw 128 bits from the operating
    /// system.
    ///
    /// # Errors
    /// Fails if a field of `config` is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: RelayConfig, seed: u128) -> Result<Self, CreateError> {
        config.validate()?;
        check_seed(seed)?;
        let most = config.games as usize;
        let mut games = memory::list(most)?;
        for _ in 0..most {
            games.push(Game::new(&config)?);
        }
        // Derive a separate key for each purpose.
        let root = SipHasher24::new_with_key(&seed.to_le_bytes());
        let derived_seed = |purpose: u64| {
            let half = |half: u64| {
                let mut hasher = root;
                hasher.write_u64(purpose);
                hasher.write_u64(half);
                u128::from(hasher.finish())
            };
            half(0) | half(1) << 64
        };
        let derived = |purpose| SipHasher24::new_with_key(&derived_seed(purpose).to_le_bytes());
        Ok(Relay {
            config,
            games,
            ids: memory::map(most, Keyed(derived(1)))?,
            connections: memory::map(most * config.slots as usize, Keyed(derived(2)))?,
            used: Bits::NONE,
            waiting: Bits::NONE,
            dues: memory::filled(NEVER, most)?,
            due: NEVER,
            cookies: Cookies::new(derived(3)),
            random: derived(4),
            logins: 0,
            strangers: Strangers::new(derived_seed(5))?,
            turn: (0, 0),
        })
    }

    /// Handles a message that arrived on `connection`. Take the timestamp `received` as close to the socket
    /// as possible, because that is when the hold begins that the relay reports to the peers. Then send the
    /// messages from [`next_message`](Self::next_message), preferably before reading the next message,
    /// because at most 16 answers to connections without a slot are queued. If there are more, a random
    /// sample of them is sent.
    ///
    /// A peer needs two LOGINs to obtain a slot. The relay answers the first one with a cookie and stores no
    /// state.
    ///
    /// # Errors
    /// Returns the reason if the message was rejected and not forwarded, or [`PeerError::NoSpace`] if it was
    /// not forwarded to all peers.
    pub fn receive(&mut self, connection: u64, message: &[u8], received: LocalTime) -> Result<(), PeerError> {
        if !received.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        let decoded = decode(message)?;
        if let Decoded::Protocol(login @ Message { body: Body::Login { version, game, cookie }, .. }) =
            decoded
        {
            if version != VERSION {
                return self.refuse(connection, &login, PeerError::Version(version));
            }
            return self.login(connection, &login, game, cookie, received);
        }
        let Some((game, slot)) = self.find(connection) else {
            let error = PeerError::NotLoggedIn;
            return match decoded {
                Decoded::Protocol(message) if message.body.is_of_member() => {
                    self.refuse(connection, &message, error)
                }
                _ => Err(error),
            };
        };
        let handled = self.games[game].receive(slot, &decoded, message, received, &self.config);
        if handled.is_ok() && matches!(decoded, Decoded::Protocol(Message { body: Body::GameEnd, .. })) {
            self.leave(game, slot, received);
        }
        self.look_after(game);
        handled
    }

    /// Rejects a message from a connection without a slot, and answers it with an ERROR that repeats the
    /// proof.
    fn refuse(&mut self, connection: u64, message: &Message, error: PeerError) -> Result<(), PeerError> {
        let rejection = match error {
            PeerError::Version(_) => Rejection::Version,
            PeerError::Duplicate => Rejection::Duplicate,
            PeerError::NotLoggedIn => Rejection::NotLoggedIn,
            _ => Rejection::Full,
        };
        let body = Body::Error { rejection: Some(rejection), about: message.body.id() };
        self.strangers.push(connection, Message { body, ..*message });
        Err(error)
    }

    fn login(
        &mut self,
        connection: u64,
        login: &Message,
        id: u64,
        cookie: u64,
        now: LocalTime,
    ) -> Result<(), PeerError> {
        let key = login.proof;
        let known = self.find(connection);
        if let Some((game, slot)) = known.filter(|&(game, slot)| self.games[game].knows(slot, id, key)) {
            // The answer to the first LOGIN was lost.
            let told = self.games[game].tell_role_again(slot, now, &self.config);
            self.look_after(game);
            return told;
        }
        if !self.cookies.check(cookie, connection, key, id, now) {
            let cookie = self.cookies.make(connection, key, id, now);
            self.strangers.push(connection, Message { body: Body::Challenge { cookie }, ..*login });
            return Ok(());
        }
        let taken = match known {
            Some(_) => Err(PeerError::Duplicate),
            None => self.take_slot(connection, key, id, now),
        };
        taken.or_else(|error| self.refuse(connection, login, error))
    }

    fn take_slot(&mut self, connection: u64, key: u64, id: u64, now: LocalTime) -> Result<(), PeerError> {
        let known = self.ids.get(&id).copied();
        let game = known.or_else(|| self.used.first_free(self.games.len())).ok_or(PeerError::Full)?;
        let mut hasher = self.random;
        hasher.write_u64(self.logins + 1);
        let occupant = Occupant::new(connection, key, hasher.finish(), self.logins + 1, now);
        let slot = self.games[game].login(id, occupant, now)?;
        self.logins += 1;
        if known.is_none() {
            self.ids.insert(id, game);
            self.used.set(game, true);
        }
        self.connections.insert(connection, game * self.config.slots as usize + slot);
        self.look_after(game);
        Ok(())
    }

    /// Removes the peer of a connection that was closed.
    ///
    /// # Errors
    /// Returns [`PeerError::NotLoggedIn`] if the connection has no slot, or [`PeerError::Time`] if `now` is
    /// out of range.
    pub fn disconnect(&mut self, connection: u64, now: LocalTime) -> Result<(), PeerError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        let (game, slot) = self.find(connection).ok_or(PeerError::NotLoggedIn)?;
        self.leave(game, slot, now);
        self.look_after(game);
        Ok(())
    }

    fn leave(&mut self, game: usize, slot: usize, now: LocalTime) {
        let left = &mut self.games[game];
        let id = left.id;
        if let Some(connection) = left.leave(slot, now) {
            self.connections.remove(&connection);
        }
        if let Some(id) = id.filter(|_| left.id.is_none()) {
            self.ids.remove(&id);
            self.used.set(game, false);
        }
    }

    /// After a game has changed, updates whether it has queued messages and when it is due.
    fn look_after(&mut self, game: usize) {
        let changed = &self.games[game];
        self.waiting.set(game, !changed.waiting.is_empty());
        self.dues[game] = changed.due;
        self.due = self.due.min(changed.due);
        debug_assert_eq!(self.used.count() as usize, self.ids.len(), "each game that is played has an id");
    }

    /// Performs the work due at `now`, and returns the connection and length of the next message, which must
    /// be sent immediately. Call this until it returns `None`, whenever messages have arrived and at least
    /// about every 50 ms.
    ///
    /// # Errors
    /// Returns [`PeerError::Time`] if `now` is out of range.
    pub fn next_message(
        &mut self,
        now: LocalTime,
        message: &mut [u8; MESSAGE_MOST],
    ) -> Result<Option<(u64, usize)>, PeerError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        if self.due <= now {
            self.housekeep(now);
        }
        if let Some((connection, answer)) = self.strangers.pop() {
            let mut bytes = [0; EXCHANGE];
            let encoded = answer.encode(&mut bytes);
            message[..encoded.len()].copy_from_slice(encoded);
            return Ok(Some((connection, encoded.len())));
        }
        while let Some((game, slot)) = self.next_turn() {
            self.turn = (game, slot);
            let next = self.games[game].pop(slot, now, message);
            self.waiting.set(game, !self.games[game].waiting.is_empty());
            if next.is_some() {
                return Ok(next);
            }
        }
        Ok(None)
    }

    /// Returns the next slot with a queued message, in round-robin order.
    fn next_turn(&self) -> Option<(usize, usize)> {
        let (game, slot) = self.turn;
        let first = |game: usize| Some((game, self.games[game].waiting.next_from(0)?));
        if let Some(next) = self.games[game].waiting.next_from(slot + 1) {
            return Some((game, next));
        }
        let next = self.waiting.next_from(game + 1).or_else(|| self.waiting.next_from(0))?;
        first(next)
    }

    /// Drops silent peers and asks primaries to begin, in all games that are due.
    fn housekeep(&mut self, now: LocalTime) {
        for game in 0..self.games.len() {
            if self.dues[game] <= now {
                while let Some(slot) = self.games[game].next_lost(now, &self.config) {
                    self.leave(game, slot, now);
                }
                self.games[game].housekeep(now, &self.config);
                self.look_after(game);
            }
        }
        self.due = self.dues.iter().copied().min().unwrap_or(NEVER);
    }

    /// Returns whether this connection has a slot. A caller that receives datagrams should store only the
    /// addresses of connections that do.
    pub fn has_slot(&self, connection: u64) -> bool {
        self.find(connection).is_some()
    }

    /// Returns the status of the game with this id, or `None` if it has no peers.
    pub fn game_status(&self, game: u64) -> Option<GameStatus> {
        let game = &self.games[*self.ids.get(&game)?];
        let primary = game.primary.and_then(|slot| game.slots[slot].occupant.as_ref());
        Some(GameStatus {
            players: game.players(),
            generation: game.generation,
            primary: primary.map(|occupant| occupant.connection),
            began: game.began.is_some(),
            dropped: game.dropped,
        })
    }

    fn find(&self, connection: u64) -> Option<(usize, usize)> {
        let place = *self.connections.get(&connection)?;
        let slots = self.config.slots as usize;
        Some((place / slots, place % slots))
    }
}
