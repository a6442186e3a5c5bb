//! Assigns peers to slots in games and forwards messages between them. A relay needs no shared clock.
//!
//! The cost of forwarding a message does not depend on the number of games and slots. Ten times a second, the
//! relay checks all slots for silent peers.

use core::hash::Hasher;
use std::collections::{HashMap, VecDeque};

use siphasher::sip::SipHasher24;

use super::error::{PeerError, Rejection};
use super::game::{Game, Occupant, Outbox, QUEUED};
use super::message::{Body, Message, PEER_DATAGRAM_SIZE};
use super::strangers::Strangers;
use crate::clock::for_parts::Unguessable;
use crate::clock::for_parts::memory::{self, Keyed, check_seed};
use crate::clock::for_parts::range::number;
use crate::clock::{ConfigError, CreateError, LocalTime, Span, TimeError};

const CHECK_EVERY: Span = Span::from_millis(100);
/// A cookie remains valid for at least this long, and at most twice as long.
const GOOD_FOR: Span = Span::from_secs(4);
type Handled = Result<(), PeerError>;

/// The settings for a [`Relay`], validated when the relay is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelayConfig {
    /// Maximum number of games. The relay allocates memory for all of them when it is created. (count,
    /// 1..=256, default 16)
    pub games: u32,
    /// Maximum number of peers per game. (count, 2..=64, default 8)
    pub slots: u32,
    /// Number of peers required to begin a game. (count, 1..=64, at most `slots`, default 2)
    pub players: u32,
}

impl Default for RelayConfig {
    fn default() -> Self {
        RelayConfig { games: 16, slots: 8, players: 2 }
    }
}

impl RelayConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        number("games", f64::from(self.games), 1.0, 256.0, "games")?;
        number("slots", f64::from(self.slots), 2.0, 64.0, "peers")?;
        number("players", f64::from(self.players), 1.0, f64::from(self.slots), "peers")
    }
}

/// A game's status at a relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStatus {
    /// Number of peers in the game.
    pub players: u32,
    /// Number of primaries so far, including the current primary, modulo 2^16.
    pub generation: u32,
    /// The connection of the game's primary.
    pub primary: u64,
    /// Whether the game has begun.
    pub began: bool,
}

/// Forwards messages between the peers in each game. Use a relay from one thread at a time. Memory is
/// allocated only on creation.
///
/// The caller numbers the connections, and must always use the same number for the same address. Times are
/// readings of the relay's own monotonic clock.
///
/// ```
/// use netclock::peer::{Peer, PeerStage, Relay, RelayConfig};
/// use netclock::{Config, LocalTime, Span};
///
/// let mut relay = Relay::new(RelayConfig::default(), 9)?; // use a random seed
/// let mut peers = [Peer::new(Config::default(), 1, 7)?, Peer::new(Config::default(), 1, 8)?];
/// let mut now = LocalTime::from_ticks(0);
/// for _frame in 0..200 {
///     for (connection, peer) in (0..).zip(&mut peers) {
///         while let Some(message) = peer.next_message(now)? {
///             relay.receive(connection, &message, now)?;
///         }
///     }
///     while let Some((connection, message)) = relay.next_message(now)? {
///         peers[connection as usize].receive(&message, now)?;
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
    out: Outbox,
    ids: HashMap<u64, usize, Keyed>,
    connections: HashMap<u64, (usize, usize), Keyed>,
    secret: SipHasher24,
    tokens: Unguessable,
    logins: u64,
    strangers: Strangers,
    checked: LocalTime,
}

impl Relay {
    /// Creates a relay. `seed` makes its tokens and cookies unguessable. Draw all 128 bits from the operating
    /// system's random number generator.
    ///
    /// # Errors
    /// Fails if a field of `config` is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: RelayConfig, seed: u128) -> Result<Self, CreateError> {
        config.validate()?;
        check_seed(seed)?;
        let most = config.games as usize;
        let mut games = memory::list(most)?;
        for number in 0..most {
            games.push(Game::new(number, config.slots)?);
        }
        let mut seeds = Unguessable::new(seed);
        let mut key = || SipHasher24::new_with_key(&seeds.draw().to_le_bytes());
        let slots = most * config.slots as usize;
        Ok(Relay {
            config,
            games,
            out: VecDeque::from(memory::list(slots * QUEUED)?),
            ids: memory::map(most, Keyed(key()))?,
            connections: memory::map(slots, Keyed(key()))?,
            secret: key(),
            tokens: Unguessable::new(seeds.draw()),
            logins: 0,
            strangers: Strangers::new(seeds.draw())?,
            checked: LocalTime::from_ticks(0),
        })
    }

    /// Handles a message that arrived on `connection`. The reported hold starts at `received`, so take this
    /// timestamp as close to the socket as possible. Then send the messages from
    /// [`next_message`](Self::next_message), preferably before you read the next message. The relay queues at
    /// most 16 answers to connections without a slot. If there are more, it sends a random sample.
    ///
    /// A peer needs two LOGINs to get a slot. The relay answers the first with a cookie and stores no state.
    ///
    /// # Errors
    /// Returns the reason if the message was rejected and not forwarded.
    pub fn receive(&mut self, connection: u64, message: &[u8], received: LocalTime) -> Handled {
        received.check()?;
        let message = Message::decode(message)?;
        if let Body::Login { game, cookie } = message.body {
            return self.login(connection, &message, (game, cookie), received);
        }
        let Some(&(game, slot)) = self.connections.get(&connection) else {
            let is_ready = matches!(message.body, Body::Ready(_));
            let error = PeerError::NotLoggedIn;
            return if is_ready { self.reject(connection, &message, error) } else { Err(error) };
        };
        self.games[game].receive(slot, &message, received, &mut self.out)?;
        if let Body::Ready(ready) = message.body {
            if ready.leaves {
                self.leave(game, slot, received);
            }
            self.games[game].begin(self.config.players, received, &mut self.out);
        }
        Ok(())
    }

    fn reject(&mut self, connection: u64, message: &Message, error: PeerError) -> Handled {
        let why = match error {
            PeerError::Duplicate => Rejection::Duplicate,
            PeerError::NotLoggedIn => Rejection::NotLoggedIn,
            _ => Rejection::Full,
        };
        self.strangers.push(connection, Message { body: Body::Reject(why), ..*message });
        Err(error)
    }

    fn login(
        &mut self,
        connection: u64,
        login: &Message,
        (id, cookie): (u64, u64),
        now: LocalTime,
    ) -> Handled {
        let key = login.proof;
        let known = self.connections.get(&connection).copied();
        if let Some((game, slot)) = known {
            // The peer repeats its LOGIN, because the answer was lost.
            if self.games[game].tell_again(slot, (id, key), now, &mut self.out)? {
                return Ok(());
            }
        }
        let period = now.ticks().div_euclid(GOOD_FOR.ticks());
        let cookies = [period, period - 1].map(|period| self.cookie(period, connection, key, id));
        // Comparing integers takes constant time, so the timing reveals nothing about the cookie.
        if !cookies.contains(&cookie) {
            let cookie = cookies[0];
            self.strangers.push(connection, Message { body: Body::Challenge { cookie }, ..*login });
            return Ok(());
        }
        let taken = match known {
            Some(_) => Err(PeerError::Duplicate),
            None => self.take_slot(connection, key, id, now),
        };
        taken.or_else(|error| self.reject(connection, login, error))
    }

    /// A peer returns its cookie to prove that it receives the relay's messages. Cookies are computed on
    /// demand, so the relay stores nothing about peers without a valid cookie.
    fn cookie(&self, period: i64, connection: u64, key: u64, game: u64) -> u64 {
        let mut hasher = self.secret;
        for number in [period as u64, connection, key, game] {
            hasher.write_u64(number);
        }
        // Zero means that a LOGIN has no cookie.
        hasher.finish().max(1)
    }

    fn take_slot(&mut self, connection: u64, key: u64, id: u64, now: LocalTime) -> Handled {
        let unused = || self.games.iter().position(|game| game.id.is_none());
        let game = self.ids.get(&id).copied().or_else(unused).ok_or(PeerError::Full)?;
        let occupant = Occupant::new(connection, key, self.tokens.next(), self.logins + 1, now);
        let slot = self.games[game].login(id, occupant, &mut self.out)?;
        self.logins += 1;
        self.ids.insert(id, game);
        self.connections.insert(connection, (game, slot));
        Ok(())
    }

    /// Removes the peer of a closed connection.
    ///
    /// # Errors
    /// Returns [`PeerError::NotLoggedIn`] if the connection has no slot, or [`PeerError::Time`] if `now` is
    /// out of range.
    pub fn disconnect(&mut self, connection: u64, now: LocalTime) -> Handled {
        now.check()?;
        let (game, slot) = *self.connections.get(&connection).ok_or(PeerError::NotLoggedIn)?;
        self.leave(game, slot, now);
        Ok(())
    }

    fn leave(&mut self, game: usize, slot: usize, now: LocalTime) {
        let left = &mut self.games[game];
        let id = left.id;
        if let Some(connection) = left.leave(slot, now, &mut self.out) {
            self.connections.remove(&connection);
        }
        if let Some(id) = id.filter(|_| left.id.is_none()) {
            self.ids.remove(&id);
        }
    }

    /// Does the work that is due at `now`. Returns the next message and its connection. Send the message
    /// immediately. Whenever messages have arrived, and at least every 50 ms or so, call this until it
    /// returns `None`.
    ///
    /// # Errors
    /// Returns [`TimeError::OutOfRange`] if `now` is out of range.
    pub fn next_message(
        &mut self,
        now: LocalTime,
    ) -> Result<Option<(u64, [u8; PEER_DATAGRAM_SIZE])>, TimeError> {
        now.check()?;
        if (now - self.checked).abs() >= CHECK_EVERY {
            self.check(now);
        }
        if let Some((connection, answer)) = self.strangers.pop() {
            return Ok(Some((connection, answer.encode())));
        }
        while let Some(parcel) = self.out.pop_front() {
            if let Some((connection, message)) = self.games[parcel.game].unpack(&parcel, now) {
                return Ok(Some((connection, message.encode())));
            }
        }
        Ok(None)
    }

    fn check(&mut self, now: LocalTime) {
        self.checked = now;
        for game in 0..self.games.len() {
            while let Some(slot) = self.games[game].next_lost(now) {
                self.leave(game, slot, now);
            }
            self.games[game].begin(self.config.players, now, &mut self.out);
        }
    }

    /// Returns whether this connection has a slot. If messages arrive as datagrams, store only the addresses
    /// of connections with a slot.
    pub fn has_slot(&self, connection: u64) -> bool {
        self.connections.contains_key(&connection)
    }

    /// Returns the status of the game with this id, or `None` if it has no peers.
    pub fn game_status(&self, game: u64) -> Option<GameStatus> {
        let game = &self.games[*self.ids.get(&game)?];
        Some(GameStatus {
            players: game.players.into(),
            generation: game.generation.into(),
            primary: game.primary()?,
            began: game.began.is_some(),
        })
    }
}
