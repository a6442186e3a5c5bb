//! The relay: seats peers in games and forwards between them. It has no clock of its own to offer.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

use super::error::{PeerError, Rejection};
use super::game::{Game, rejection};
use super::message::{self, BEGIN_GAME, Fields, GAME_END, LOGIN, MESSAGE_MOST, Message, READY, SYNCH_DONE};
use super::seat::Occupant;
use crate::range::ConfigError;
use crate::range::{number, span};
use crate::time::TimeError;
use crate::time::{LocalTime, Span};

/// Answers to connections without a seat that wait to be sent; what comes beyond them is not answered.
const MOST_STRANGERS: usize = 16;

/// Settings of a [`Relay`]. Checked once, when it is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelayConfig {
    /// Most games at a time; memory for them is taken at creation. (count, 1..=256, default 16)
    pub games: u32,
    /// Most peers of a game. (count, 2..=64, default 8)
    pub seats: u32,
    /// Peers that must be there before a game begins. (count, 1..=64, at most `seats`, default 2)
    pub players: u32,
    /// A peer that did not say READY for so long is gone, and so is a primary that answers no requests for so long.
    /// (1 s..=60 s, default 3 s)
    pub silence: Span,
    /// How long a game waits for peers whose clocks are not in sync. (0..=10 min, default 10 s)
    pub patience: Span,
    /// What a connection may send: bytes a second, and 32 for each message. Replies to forwarded requests are not counted.
    /// (1000..=10^7, default 32768)
    pub budget: u32,
    /// Bytes that may wait for one peer. (2064..=2^20, default 8192)
    pub queue: u32,
}

impl Default for RelayConfig {
    fn default() -> Self {
        RelayConfig {
            games: 16,
            seats: 8,
            players: 2,
            silence: Span::from_secs(3),
            patience: Span::from_secs(10),
            budget: 32_768,
            queue: 8192,
        }
    }
}

impl RelayConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        const SECOND: Span = Span::from_secs(1);
        number("games", f64::from(self.games), 1.0, 256.0, "games")?;
        number("seats", f64::from(self.seats), 2.0, 64.0, "peers")?;
        number("players", f64::from(self.players), 1.0, f64::from(self.seats), "peers")?;
        span("silence", self.silence, SECOND, Span::from_secs(60))?;
        span("patience", self.patience, Span::ZERO, Span::from_secs(600))?;
        number("budget", f64::from(self.budget), 1e3, 1e7, "bytes/s")?;
        number("queue", f64::from(self.queue), 2064.0, 1_048_576.0, "bytes")
    }
}

/// How a game is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Peers that are there.
    pub players: u32,
    /// How many primaries there were, the present one included.
    pub generation: u32,
    /// Connection of the primary; none while there is none.
    pub primary: Option<u64>,
    /// Whether the game began.
    pub began: bool,
    /// Messages to its peers that found no room, since the relay began to use this room for games.
    pub dropped: u64,
}

/// Forwards between the peers of games. One owner; allocates when it is created and never again.
///
/// Connections are the caller's numbers, whatever carries them: a stream, taken apart by [`Frames`](super::Frames), or an
/// address that datagrams come from. Times are of the relay's own monotonic clock.
#[derive(Debug)]
pub struct Relay {
    config: RelayConfig,
    games: Vec<Game>,
    random: SipHasher24,
    logins: u64,
    /// Answers to connections without a seat.
    strangers: [Option<(u64, Fields)>; MOST_STRANGERS],
    /// Where the search for the next message goes on.
    turn: usize,
}

impl Relay {
    /// A relay without games. `seed` makes its tokens unguessable: draw 128 bits from the operating system.
    ///
    /// # Errors
    /// A field of `config` is out of range.
    pub fn new(config: RelayConfig, seed: u128) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(Relay {
            config,
            games: (0..config.games).map(|_| Game::new(&config)).collect(),
            random: SipHasher24::new_with_key(&seed.to_le_bytes()),
            logins: 0,
            strangers: [None; MOST_STRANGERS],
            turn: 0,
        })
    }

    /// Handles one message that came on `connection`, stamped at `received` as close to the socket as possible: what it
    /// waits from then on is told to the peers.
    ///
    /// # Errors
    /// Says why it was refused; nothing is forwarded. [`PeerError::NoSpace`]: not to everybody.
    pub fn receive(&mut self, connection: u64, message: &[u8], received: LocalTime) -> Result<(), PeerError> {
        if !received.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        match self.place(connection) {
            Some((game, seat)) => self.games[game].receive(seat, message, received, &self.config),
            None => self.receive_from_stranger(connection, message, received),
        }
    }

    fn receive_from_stranger(
        &mut self,
        connection: u64,
        message: &[u8],
        received: LocalTime,
    ) -> Result<(), PeerError> {
        let Message::Plain(fields) = Message::decode(message)? else { return Err(PeerError::NotLoggedIn) };
        let (error, answer) = match fields.id {
            LOGIN if fields.first != message::VERSION => {
                (PeerError::Version(fields.first), Rejection::Version)
            }
            LOGIN => match self.login(connection, &fields, received) {
                Ok(()) => return Ok(()),
                Err(PeerError::Duplicate) => (PeerError::Duplicate, Rejection::Duplicate),
                Err(error) => (error, Rejection::Full),
            },
            READY | SYNCH_DONE | BEGIN_GAME | GAME_END => (PeerError::NotLoggedIn, Rejection::NotLoggedIn),
            _ => return Err(PeerError::NotLoggedIn),
        };
        if let Some(free) = self.strangers.iter_mut().find(|place| place.is_none()) {
            *free = Some((connection, rejection(answer, &fields)));
        }
        Err(error)
    }

    fn login(&mut self, connection: u64, login: &Fields, now: LocalTime) -> Result<(), PeerError> {
        let wanted = Some(login.number);
        let found = self.games.iter().position(|game| game.id == wanted);
        let place = found.or_else(|| self.games.iter().position(|game| game.id.is_none()));
        let place = place.ok_or(PeerError::Full)?;
        self.logins += 1;
        let mut hasher = self.random;
        hasher.write_u64(self.logins);
        let occupant = Occupant::new(connection, login.proof, hasher.finish(), self.logins, now);
        self.games[place].login(login, occupant, now)
    }

    /// The connection is closed: its peer has left.
    ///
    /// # Errors
    /// [`PeerError::NotLoggedIn`], [`PeerError::Time`].
    pub fn disconnect(&mut self, connection: u64, now: LocalTime) -> Result<(), PeerError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        let (game, seat) = self.place(connection).ok_or(PeerError::NotLoggedIn)?;
        self.games[game].leave(seat, now);
        Ok(())
    }

    /// Does what is due at `now` and gives the next message to be sent at once: its connection and its length. Call it
    /// until there is none, after messages came and at least every 50 ms or so.
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
        if let Some((connection, fields)) = self.strangers.iter_mut().find_map(Option::take) {
            message[..message::PLAIN].copy_from_slice(&fields.write());
            return Ok(Some((connection, message::PLAIN)));
        }
        let seats = self.config.seats as usize;
        for _ in 0..self.games.len() * seats {
            self.turn = (self.turn + 1) % (self.games.len() * seats);
            let seat = &mut self.games[self.turn / seats].seats[self.turn % seats];
            let Some(occupant) = &seat.occupant else { continue };
            if let Some(size) = seat.outbox.pop(now, message) {
                return Ok(Some((occupant.connection, size)));
            }
        }
        Ok(None)
    }

    /// How the game of this id is doing; none if nobody plays it.
    pub fn session(&self, game: u64) -> Option<Session> {
        let game = self.games.iter().find(|place| place.id == Some(game))?;
        let primary = game.primary.and_then(|seat| game.seats[seat].occupant.as_ref());
        Some(Session {
            players: game.players(),
            generation: game.generation,
            primary: primary.map(|occupant| occupant.connection),
            began: game.began.is_some(),
            dropped: game.dropped,
        })
    }

    fn place(&self, connection: u64) -> Option<(usize, usize)> {
        let sits =
            |seat: &super::seat::Seat| seat.occupant.as_ref().is_some_and(|it| it.connection == connection);
        let games = self.games.iter().enumerate().filter(|(_, game)| game.id.is_some());
        games.filter_map(|(place, game)| Some((place, game.seats.iter().position(sits)?))).next()
    }
}
