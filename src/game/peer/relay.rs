//! The relay: gives peers slots in games and forwards between them. It offers no clock of its own.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

use super::config::RelayConfig;
use super::error::{PeerError, Rejection};
use super::fields::REPLY;
use super::game::Game;
use super::message::{Body, Decoded, MESSAGE_MOST, Message, VERSION, decode};
use super::slot::{Occupant, Slot};
use crate::memory::{self, CreateError, check_seed};
use crate::time::{LocalTime, TimeError};

/// Answers to strangers that may wait to be sent. A stranger whose answer finds no room gets none.
const MOST_STRANGERS: usize = 16;

/// How a game at a relay is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStatus {
    /// Peers that are there.
    pub players: u32,
    /// How many primaries the game has had, the present one included.
    pub generation: u32,
    /// Connection of the primary; none while there is none.
    pub primary: Option<u64>,
    /// Whether the game began.
    pub began: bool,
    /// Messages to peers that found no room, since the relay began to use this memory for games.
    pub dropped: u64,
}

/// Forwards between the peers of games. One owner; allocates when it is created and never again.
///
/// The caller names connections by numbers. A connection may be a stream, which a [`StreamReader`](super::StreamReader)
/// cuts into messages, or an address that datagrams come from. Times are those of
/// the relay's own monotonic clock.
#[derive(Debug)]
pub struct Relay {
    config: RelayConfig,
    games: Vec<Game>,
    random: SipHasher24,
    logins: u64,
    /// Answers to connections without a slot.
    strangers: [Option<(u64, Message)>; MOST_STRANGERS],
    /// Where the search for the next message continues.
    turn: usize,
}

impl Relay {
    /// A relay without games. `seed` makes its tokens unguessable: draw 128 bits from the operating system.
    ///
    /// # Errors
    /// A field of `config` is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: RelayConfig, seed: u128) -> Result<Self, CreateError> {
        config.validate()?;
        check_seed(seed)?;
        let mut games = memory::list(config.games as usize)?;
        for _ in 0..config.games {
            games.push(Game::new(&config)?);
        }
        Ok(Relay {
            config,
            games,
            random: SipHasher24::new_with_key(&seed.to_le_bytes()),
            logins: 0,
            strangers: [None; MOST_STRANGERS],
            turn: 0,
        })
    }

    /// Handles one message that came on `connection`. Stamp `received` as close to the socket as possible: the relay tells
    /// peers how long the message waited from then on.
    ///
    /// # Errors
    /// Says why the relay refused it; nothing is forwarded. [`PeerError::NoSpace`]: not everybody gets it.
    pub fn receive(&mut self, connection: u64, message: &[u8], received: LocalTime) -> Result<(), PeerError> {
        if !received.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        match self.find(connection) {
            Some((game, slot)) => self.games[game].receive(slot, message, received, &self.config),
            None => self.receive_from_stranger(connection, message, received),
        }
    }

    fn receive_from_stranger(
        &mut self,
        connection: u64,
        message: &[u8],
        received: LocalTime,
    ) -> Result<(), PeerError> {
        let Decoded::Protocol(message) = decode(message)? else { return Err(PeerError::NotLoggedIn) };
        let (error, answer) = match message.body {
            Body::Login { version, .. } if version != VERSION => {
                (PeerError::Version(version), Rejection::Version)
            }
            Body::Login { game, .. } => match self.login(connection, game, message.proof, received) {
                Ok(()) => return Ok(()),
                Err(PeerError::Duplicate) => (PeerError::Duplicate, Rejection::Duplicate),
                Err(error) => (error, Rejection::Full),
            },
            Body::Ready { .. } | Body::SynchDone { .. } | Body::BeginGame { .. } | Body::GameEnd => {
                (PeerError::NotLoggedIn, Rejection::NotLoggedIn)
            }
            _ => return Err(PeerError::NotLoggedIn),
        };
        if let Some(free) = self.strangers.iter_mut().find(|place| place.is_none()) {
            *free = Some((connection, message.rejected(answer)));
        }
        Err(error)
    }

    fn login(&mut self, connection: u64, id: u64, key: u64, now: LocalTime) -> Result<(), PeerError> {
        let found = self.games.iter().position(|game| game.id == Some(id));
        let place = found.or_else(|| self.games.iter().position(|game| game.id.is_none()));
        let place = place.ok_or(PeerError::Full)?;
        self.logins += 1;
        let mut hasher = self.random;
        hasher.write_u64(self.logins);
        let occupant = Occupant::new(connection, key, hasher.finish(), self.logins, now);
        self.games[place].login(id, occupant, now)
    }

    /// The connection is closed: its peer has left.
    ///
    /// # Errors
    /// [`PeerError::NotLoggedIn`], [`PeerError::Time`].
    pub fn disconnect(&mut self, connection: u64, now: LocalTime) -> Result<(), PeerError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        let (game, slot) = self.find(connection).ok_or(PeerError::NotLoggedIn)?;
        self.games[game].leave(slot, now);
        Ok(())
    }

    /// Does what is due at `now`, and gives the next message to send at once: its connection and its length. Call it until
    /// it gives none: after messages came, and at least every 50 ms or so.
    ///
    /// # Errors
    /// [`PeerError::Time`].
    pub fn next_message(
        &mut self,
        now: LocalTime,
        message: &mut [u8; MESSAGE_MOST],
    ) -> Result<Option<(u64, usize)>, PeerError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        for game in &mut self.games {
            game.housekeep(now, &self.config);
        }
        if let Some((connection, answer)) = self.strangers.iter_mut().find_map(Option::take) {
            let mut bytes = [0; REPLY];
            let encoded = answer.encode(&mut bytes);
            message[..encoded.len()].copy_from_slice(encoded);
            return Ok(Some((connection, encoded.len())));
        }
        let slots = self.config.slots as usize;
        for _ in 0..self.games.len() * slots {
            self.turn = (self.turn + 1) % (self.games.len() * slots);
            let slot = &mut self.games[self.turn / slots].slots[self.turn % slots];
            let Some(occupant) = &slot.occupant else { continue };
            if let Some(size) = slot.outbox.pop(now, message) {
                return Ok(Some((occupant.connection, size)));
            }
        }
        Ok(None)
    }

    /// How the game of this id is doing; none if nobody plays it.
    pub fn game_status(&self, game: u64) -> Option<GameStatus> {
        let game = self.games.iter().find(|place| place.id == Some(game))?;
        let primary = game.primary.and_then(|slot| game.slots[slot].occupant.as_ref());
        Some(GameStatus {
            players: game.players(),
            generation: game.generation,
            primary: primary.map(|occupant| occupant.connection),
            began: game.began.is_some(),
            dropped: game.dropped,
        })
    }

    /// The game and the slot of a connection.
    fn find(&self, connection: u64) -> Option<(usize, usize)> {
        let holds = |slot: &Slot| slot.occupant.as_ref().is_some_and(|it| it.connection == connection);
        let games = self.games.iter().enumerate().filter(|(_, game)| game.id.is_some());
        games.filter_map(|(place, game)| Some((place, game.slots.iter().position(holds)?))).next()
    }
}
