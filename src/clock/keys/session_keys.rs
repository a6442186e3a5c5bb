//! A server's session keys, which identify the session of each message and limit the replies to each session.
//!
//! For each message, the server looks up its key id, checks its tag and its number, and only then uses its
//! content. Invalid messages are dropped and counted. A sender without a key costs the server one lookup and
//! one tag per datagram, and no memory.

use std::collections::HashMap;

use crate::clock::ground::direction::Direction;
use crate::clock::ground::memory::{self, CreateError, Keyed};
use crate::clock::ground::range::{ConfigError, number};
use crate::clock::ground::time::{ServerTime, Span, TICKS_PER_SECOND};
use crate::clock::keys::keyed::{self, Channel, KeyError, SealedChannel, SessionKey};

/// The budget accumulates over at most this time, which limits bursts of replies.
const AT_ONCE: Span = Span::from_secs(1);

/// The settings for [`SessionKeys`], checked when the keys are created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionKeysConfig {
    /// Maximum number of sessions, for which memory is allocated at creation. (count, 1..=65536, default 64)
    pub capacity: u32,
    /// Maximum number of replies to each session, per second and at once. (count, 1..=10000, default 100)
    pub answers: u32,
}

impl Default for SessionKeysConfig {
    fn default() -> Self {
        SessionKeysConfig { capacity: 64, answers: 100 }
    }
}

impl SessionKeysConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        number("capacity", f64::from(self.capacity), 1.0, 65_536.0, "sessions")?;
        number("answers", f64::from(self.answers), 1.0, 1e4, "answers/s")
    }
}

/// Counts of the messages that a server received, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyCounts {
    /// Messages that were opened, and therefore sealed by a holder of the key.
    pub opened: u64,
    /// Messages rejected because they were unsealed or not sealed for a server.
    pub malformed: u64,
    /// Messages rejected because they were sealed with an unknown key.
    pub unknown_key: u64,
    /// Messages rejected because of a wrong tag.
    pub forged: u64,
    /// Messages rejected because they were already opened or older than the window.
    pub replayed: u64,
    /// Requests that were not answered, because the session had reached its limit.
    pub over_budget: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// The time until which the budget is used up, or the earliest instant if the budget is unused. An
    /// `Option` would be compared before the check for `Some`, which is harmless but reported by valgrind.
    used: ServerTime,
}

impl Budget {
    pub(crate) const FULL: Budget = Budget { used: ServerTime::from_ticks(i64::MIN) };

    pub(crate) fn spend(&mut self, per_second: u32, now: ServerTime) -> Result<(), KeyError> {
        let one = Span::from_ticks(TICKS_PER_SECOND / i64::from(per_second));
        // If `used` is further ahead, the server's clock has been set back since.
        let used = if self.used >= now && self.used - now <= AT_ONCE { self.used } else { now };
        if used + one - now > AT_ONCE {
            return Err(KeyError::OverBudget);
        }
        self.used = used + one;
        Ok(())
    }
}

#[derive(Debug)]
struct KeyedSession {
    channel: SealedChannel,
    answers: Budget,
}

/// The server's end of one channel for all sessions. The table has a single owner and allocates only at
/// creation.
///
/// Call [`open`](Self::open) for every datagram. If the message is a request, check with
/// [`allow`](Self::allow) whether it may be answered, and [`seal`](Self::seal) the reply. Send the reply only
/// to the address of the request.
///
/// ```
/// use netclock::keyed::{Channel, SEALED_MOST, SealedChannel, SessionKey};
/// use netclock::{Direction, ServerTime, SessionKeys, SessionKeysConfig};
///
/// let key = SessionKey::new(1, [7; 16])?; // use a random secret
/// let mut keys = SessionKeys::new(Channel::Messages, SessionKeysConfig::default())?;
/// keys.admit(&key)?;
/// # let mut client = SealedChannel::new(&key, Channel::Messages, Direction::ToServer);
/// # let mut buffer = [0; SEALED_MOST];
/// # let datagram = client.seal(b"a request", &mut buffer)?;
/// let (id, request) = keys.open(datagram)?;
/// assert_eq!((id, request), (1, &b"a request"[..]));
/// if keys.allow(id, ServerTime::from_ticks(0)).is_ok() {
///     let mut room = [0; SEALED_MOST];
/// let answer = keys.seal(id, b"an answer", &mut room)?; // to the address of the request
///     # assert_eq!(client.open(answer)?, b"an answer");
/// }
/// keys.revoke(id)?; // the player has left
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SessionKeys {
    channel: Channel,
    config: SessionKeysConfig,
    sessions: Vec<KeyedSession>,
    /// Indices into `sessions` by key id. Servers choose the ids, so the hash needs no secret key.
    places: HashMap<u32, u32, Keyed>,
    counts: KeyCounts,
}

impl SessionKeys {
    /// Creates an empty table, which rejects every datagram.
    ///
    /// # Errors
    /// Returns [`CreateError::Config`] if a field of `config` is out of range, or
    /// [`CreateError::OutOfMemory`] if an allocation fails.
    pub fn new(channel: Channel, config: SessionKeysConfig) -> Result<Self, CreateError> {
        config.validate()?;
        let sessions = memory::list(config.capacity as usize)?;
        let places = memory::map(config.capacity as usize, Keyed::default())?;
        Ok(SessionKeys { channel, config, sessions, places, counts: KeyCounts::default() })
    }

    /// Admits messages sealed with `key`. Never admit a key twice, because earlier messages sealed with it
    /// could be opened again.
    ///
    /// # Errors
    /// Returns [`KeyError::Duplicate`] if the id of the key is in use, or [`KeyError::Full`] if the table is
    /// full.
    pub fn admit(&mut self, key: &SessionKey) -> Result<(), KeyError> {
        if self.find(key.id()).is_ok() {
            return Err(KeyError::Duplicate);
        }
        if self.sessions.len() >= self.config.capacity as usize {
            return Err(KeyError::Full);
        }
        self.places.insert(key.id(), self.sessions.len() as u32);
        let channel = SealedChannel::new(key, self.channel, Direction::ToClient);
        debug_assert!(self.sessions.len() < self.sessions.capacity(), "the memory was allocated at creation");
        self.sessions.push(KeyedSession { channel, answers: Budget::FULL });
        debug_assert_eq!(self.places.len(), self.sessions.len(), "each session has one place");
        Ok(())
    }

    /// Revokes a key, so that its messages are rejected.
    ///
    /// # Errors
    /// Returns [`KeyError::UnknownKey`] if no key with this id is admitted.
    pub fn revoke(&mut self, id: u32) -> Result<(), KeyError> {
        let place = self.find(id)?;
        self.places.remove(&id);
        // The session is dropped in place, so that its keys are overwritten there.
        let last = self.sessions.len() - 1;
        self.sessions.swap(place, last);
        self.sessions.truncate(last);
        if let Some(moved) = self.sessions.get(place) {
            self.places.insert(moved.channel.id(), place as u32);
        }
        debug_assert_eq!(self.places.len(), self.sessions.len(), "each session has one place");
        Ok(())
    }

    /// Opens a client's datagram and returns its key id and its message. Each datagram can be opened once.
    ///
    /// # Errors
    /// Returns the reason why the message must be discarded without an answer.
    pub fn open<'a>(&mut self, sealed: &'a [u8]) -> Result<(u32, &'a [u8]), KeyError> {
        let id = keyed::key_id(self.channel, Direction::ToServer, sealed);
        let opened = id.and_then(|id| Ok((id, self.session(id)?.channel.open(sealed)?)));
        let count = match opened {
            Ok(_) => &mut self.counts.opened,
            Err(KeyError::UnknownKey(_)) => &mut self.counts.unknown_key,
            Err(KeyError::Forged) => &mut self.counts.forged,
            Err(KeyError::Replayed) => &mut self.counts.replayed,
            Err(_) => &mut self.counts.malformed,
        };
        *count += 1;
        opened
    }

    /// Deducts one reply at `now` from the budget of the session with the key `id`.
    ///
    /// # Errors
    /// Returns [`KeyError::OverBudget`] if the session has reached its limit, or [`KeyError::UnknownKey`] if
    /// the key is not admitted. Do not answer a request that caused an error.
    pub fn allow(&mut self, id: u32, now: ServerTime) -> Result<(), KeyError> {
        let answers = self.config.answers;
        let spent = self.session(id)?.answers.spend(answers, now);
        self.counts.over_budget += u64::from(spent.is_err());
        spent
    }

    /// Seals a message to the client with the key `id`. See [`SealedChannel::seal`].
    ///
    /// # Errors
    /// Returns [`KeyError::UnknownKey`] if the key is not admitted, and the errors of
    /// [`SealedChannel::seal`].
    pub fn seal<'a>(&mut self, id: u32, message: &[u8], out: &'a mut [u8]) -> Result<&'a [u8], KeyError> {
        self.session(id)?.channel.seal(message, out)
    }

    #[cfg(feature = "link")]
    pub(crate) fn is_shared(&self, id: u32) -> bool {
        self.find(id).is_ok_and(|place| self.sessions[place].channel.is_shared())
    }

    /// Returns the counts of messages received so far, by outcome.
    pub fn counts(&self) -> KeyCounts {
        self.counts
    }

    fn find(&self, id: u32) -> Result<usize, KeyError> {
        self.places.get(&id).map(|&place| place as usize).ok_or(KeyError::UnknownKey(id))
    }

    fn session(&mut self, id: u32) -> Result<&mut KeyedSession, KeyError> {
        self.find(id).map(|place| &mut self.sessions[place])
    }
}

#[cfg(test)]
mod tests;
