//! The server side of links, which answers requests from every holder of an admitted key.

use std::collections::HashMap;

use super::{DATAGRAM, LinkError, Outgoing};
use crate::clock::for_parts::memory::{self, Keyed};
use crate::clock::for_parts::range::number;
use crate::clock::keyed::{self, Channel, KeyError, SealedChannel, SessionKey};
use crate::clock::wire::{self, Datagram};
use crate::clock::{ConfigError, CreateError, Direction, Responder, ServerTime, Span, TICKS_PER_SECOND};

/// To limit bursts of replies, a budget accumulates over at most this time.
const AT_ONCE: Span = Span::from_secs(1);

/// Settings for a [`ServerLink`], which are validated when the server is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLinkConfig {
    /// Maximum number of keys. Memory for all of them is allocated at creation. (count, 1..=65536, default
    /// 64)
    pub capacity: u32,
    /// Maximum number of replies to each key, per second and at once. (count, 1..=10000, default 100)
    pub answers_per_key: u32,
    /// Maximum number of replies to all keys, per second and at once. (count, 1..=1000000, default 20000)
    pub answers: u32,
}

impl Default for ServerLinkConfig {
    fn default() -> Self {
        ServerLinkConfig { capacity: 64, answers_per_key: 100, answers: 20_000 }
    }
}

impl ServerLinkConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        number("capacity", f64::from(self.capacity), 1.0, 65_536.0, "keys")?;
        number("answers_per_key", f64::from(self.answers_per_key), 1.0, 1e4, "answers/s")?;
        number("answers", f64::from(self.answers), 1.0, 1e6, "answers/s")
    }
}

/// How many datagrams a server has received, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerLinkCounts {
    /// Number of opened datagrams, which a key holder must have sealed.
    pub opened: u64,
    /// Number of datagrams rejected because they were unsealed or not sealed for a server's link.
    pub unsealed: u64,
    /// Number of datagrams rejected because they were sealed with an unknown key.
    pub unknown_key: u64,
    /// Number of datagrams rejected because of a wrong tag.
    pub forged: u64,
    /// Number of datagrams rejected because they were already opened or older than the window.
    pub replayed: u64,
    /// Number of answered datagrams.
    pub answered: u64,
    /// Number of key holders' datagrams that were not answered because they were not link requests.
    pub malformed: u64,
    /// Number of datagrams that were not answered because their key had reached its reply limit.
    pub over_budget: u64,
    /// Number of datagrams that were not answered because the server had reached its reply limit.
    pub busy: u64,
}

#[derive(Clone, Copy, Debug)]
struct Budget {
    /// The time until which the budget is used up, or the earliest instant if the budget is unused. The
    /// compiler may compare an `Option`'s value before the check for `Some`. This is harmless, but valgrind
    /// reports it.
    used: ServerTime,
}

impl Budget {
    const FULL: Budget = Budget { used: ServerTime::from_ticks(i64::MIN) };

    fn spend(&mut self, per_second: u32, now: ServerTime) -> bool {
        let one = Span::from_ticks(TICKS_PER_SECOND / i64::from(per_second));
        // If `used` is further ahead, the server's clock has been set back since.
        let used = if self.used >= now && self.used - now <= AT_ONCE { self.used } else { now };
        let is_left = used + one - now <= AT_ONCE;
        if is_left {
            self.used = used + one;
        }
        is_left
    }
}

#[derive(Debug)]
struct KeyedSession {
    channel: SealedChannel,
    answers: Budget,
}

/// The server side of all players' links. Memory is allocated only on creation.
///
/// A reply is sent to the address from which its request came. If a player's address changes, the next reply
/// goes to the new address. For example, a NAT mapping may expire, or the player may switch from Wi-Fi to
/// LTE. Replies have the same length as requests, so they cannot be used to amplify traffic. For a datagram
/// without an admitted key's seal, the check takes one look-up, one tag computation and no memory.
///
/// See [`LinkedClient`](super::LinkedClient) for an example.
#[derive(Debug)]
pub struct ServerLink {
    config: ServerLinkConfig,
    sessions: Vec<KeyedSession>,
    /// Indices into `sessions` by key id. Servers choose the ids, so the hash needs no secret key.
    places: HashMap<u32, u32, Keyed>,
    responder: Responder,
    budget: Budget,
    counts: ServerLinkCounts,
}

impl ServerLink {
    /// Creates a server. `epoch` is the server epoch, and must be the same as in the game's messages.
    ///
    /// # Errors
    /// Fails if a field of `config` is out of range, or there is not enough memory.
    pub fn new(config: ServerLinkConfig, epoch: u64) -> Result<Self, CreateError> {
        config.validate()?;
        Ok(ServerLink {
            config,
            sessions: memory::list(config.capacity as usize)?,
            places: memory::map(config.capacity as usize, Keyed::default())?,
            responder: Responder::new(epoch),
            budget: Budget::FULL,
            counts: ServerLinkCounts::default(),
        })
    }

    /// Admits the holder of `key`. Draw a new key for each connection. Never admit a key twice, because
    /// earlier datagrams sealed with it could be opened again.
    ///
    /// # Errors
    /// Returns [`KeyError::Duplicate`] if the key's id is in use, or [`KeyError::Full`] if there is no room.
    pub fn admit(&mut self, key: &SessionKey) -> Result<(), KeyError> {
        if self.find(key.id()).is_ok() {
            return Err(KeyError::Duplicate);
        }
        if self.sessions.len() >= self.config.capacity as usize {
            return Err(KeyError::Full);
        }
        self.places.insert(key.id(), self.sessions.len() as u32);
        let channel = SealedChannel::new(key, Channel::Link, Direction::ToClient);
        debug_assert!(self.sessions.len() < self.sessions.capacity(), "the memory was allocated at creation");
        self.sessions.push(KeyedSession { channel, answers: Budget::FULL });
        debug_assert_eq!(self.places.len(), self.sessions.len(), "each session has one place");
        Ok(())
    }

    /// Revokes a key. Datagrams sealed with this key are no longer answered.
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

    /// Returns the server epoch.
    pub fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    /// Starts a new epoch after the server's clock was stepped.
    pub fn begin_epoch(&mut self, epoch: u64) {
        self.responder = Responder::new(epoch);
    }

    /// Answers a datagram received at `received` with a reply to be sent at `sent`. Read both times from the
    /// server's clock, as close to the socket as possible. The reply is written to `out`. Send it to the
    /// sender of the datagram.
    ///
    /// # Errors
    /// Returns the reason if the datagram must not be answered. In that case, send nothing.
    pub fn answer<'a>(
        &mut self,
        datagram: &[u8],
        received: ServerTime,
        sent: ServerTime,
        out: &'a mut [u8; DATAGRAM],
    ) -> Result<Outgoing<'a>, LinkError> {
        let (place, message) = self.open(datagram)?;
        let is_marked = wire::is_marked(message);
        let mut answer = self.reply(message, received, sent)?;
        let session = &mut self.sessions[place];
        if session.channel.is_shared() && wire::decode_reply(&answer).is_ok() {
            wire::tell_of_another(&mut answer);
        }
        if !session.answers.spend(self.config.answers_per_key, sent) {
            self.counts.over_budget += 1;
            return Err(KeyError::OverBudget.into());
        }
        if !self.budget.spend(self.config.answers, sent) {
            self.counts.busy += 1;
            return Err(LinkError::Busy);
        }
        let bytes = session.channel.seal(&answer, out)?;
        self.counts.answered += 1;
        Ok(Outgoing { bytes, is_marked })
    }

    /// Returns the place of the session, and the datagram's message. Each datagram can be opened once.
    fn open<'a>(&mut self, sealed: &'a [u8]) -> Result<(usize, &'a [u8]), KeyError> {
        let place = keyed::key_id(Channel::Link, Direction::ToServer, sealed).and_then(|id| self.find(id));
        let opened = place.and_then(|place| Ok((place, self.sessions[place].channel.open(sealed)?)));
        let count = match opened {
            Ok(_) => &mut self.counts.opened,
            Err(KeyError::UnknownKey(_)) => &mut self.counts.unknown_key,
            Err(KeyError::Forged) => &mut self.counts.forged,
            Err(KeyError::Replayed) => &mut self.counts.replayed,
            Err(_) => &mut self.counts.unsealed,
        };
        *count += 1;
        opened
    }

    fn find(&self, id: u32) -> Result<usize, KeyError> {
        self.places.get(&id).map(|&place| place as usize).ok_or(KeyError::UnknownKey(id))
    }

    fn reply(
        &mut self,
        message: &[u8],
        received: ServerTime,
        sent: ServerTime,
    ) -> Result<Datagram, LinkError> {
        let request = wire::decode_request(message).inspect_err(|_| self.counts.malformed += 1)?;
        let reply = self.responder.respond(&request, received, sent)?.found_after(received);
        Ok(wire::encode_reply(&reply)?)
    }

    /// Returns how many datagrams were received so far, by outcome.
    pub fn counts(&self) -> ServerLinkCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{LocalTime, Request, RequestId};

    const NOW: ServerTime = ServerTime::from_ticks(1_000);

    fn key(id: u32) -> SessionKey {
        SessionKey::new(id, [9; 16]).expect("a secret")
    }

    fn server(config: ServerLinkConfig, ids: &[u32]) -> ServerLink {
        let mut server = ServerLink::new(config, 77).expect("the settings are fine");
        ids.iter().for_each(|&id| server.admit(&key(id)).expect("there is room"));
        server
    }

    fn end(id: u32) -> SealedChannel {
        SealedChannel::new(&key(id), Channel::Link, Direction::ToServer)
    }

    fn request(client: &mut SealedChannel, number: i64) -> [u8; DATAGRAM] {
        let client_time = LocalTime::from_ticks(number);
        let request = Request { id: RequestId(number as u64), client_time, reliable: false };
        seal(client, &wire::encode_request(&request).expect("a valid stamp"))
    }

    fn seal(client: &mut SealedChannel, message: &[u8]) -> [u8; DATAGRAM] {
        let mut out = [0; DATAGRAM];
        client.seal(message, &mut out).expect("a message");
        out
    }

    fn ask(server: &mut ServerLink, datagram: &[u8], now: ServerTime) -> Result<(), LinkError> {
        server.answer(datagram, now, now, &mut [0; DATAGRAM]).map(|_| ())
    }

    #[test]
    fn only_clients_with_an_admitted_key_are_answered() {
        let mut server = server(ServerLinkConfig::default(), &[9, 1, 5]);
        let mut ask = |datagram: &[u8]| ask(&mut server, datagram, NOW);
        for id in [1, 5, 9] {
            let datagram = request(&mut end(id), 5);
            assert_eq!(ask(&datagram), Ok(()));
            assert_eq!(ask(&datagram), Err(KeyError::Replayed.into()));
        }
        assert_eq!(ask(&request(&mut end(2), 5)), Err(KeyError::UnknownKey(2).into()));
        let mut reflected = SealedChannel::new(&key(5), Channel::Link, Direction::ToClient);
        assert_eq!(ask(&request(&mut reflected, 5)), Err(KeyError::OtherDirection.into()));
        let mut messages = SealedChannel::new(&key(5), Channel::Messages, Direction::ToServer);
        assert_eq!(ask(&request(&mut messages, 5)), Err(KeyError::OtherChannel.into()));
        let mut forged = request(&mut end(5), 6);
        forged[20] ^= 1;
        assert_eq!(ask(&forged), Err(KeyError::Forged.into()));
        let mut client = end(5);
        for length in 0..200 {
            assert!(ask(&vec![0x4E; length]).is_err());
            assert!(ask(&request(&mut client, 9)[..length.min(DATAGRAM - 1)]).is_err());
        }
        assert!(matches!(ask(&seal(&mut client, &[1; 32])), Err(LinkError::Wire(_))));
        let counts = server.counts();
        assert_eq!((counts.unsealed + counts.forged, counts.unknown_key, counts.replayed), (403, 1, 3));
        assert_eq!((counts.opened, counts.answered, counts.malformed), (4, 3, 1));
        let (early, mut out) = (NOW - Span::from_ticks(1), [0; DATAGRAM]);
        let answered = server.answer(&request(&mut client, 10), NOW, early, &mut out);
        assert!(matches!(answered, Err(LinkError::Respond(_))), "sent before it was received: {answered:?}");
    }

    #[test]
    fn a_request_gets_one_reply_of_equal_length() {
        let (mut server, mut client) = (server(ServerLinkConfig::default(), &[1]), end(1));
        let (mut out, request) = ([0; DATAGRAM], request(&mut client, 5));
        let answer = server.answer(&request, NOW, NOW + Span::from_micros(3), &mut out).expect("a request");
        assert_eq!(answer.len(), DATAGRAM);
        let reply =
            wire::decode_reply(client.open(&answer).expect("sealed for the client")).expect("a reply");
        assert_eq!((reply.id, reply.epoch, reply.received), (RequestId(5), 77, NOW));
        assert_eq!(reply.sent, NOW + Span::from_micros(3));
    }

    #[test]
    fn only_the_second_client_with_a_key_is_informed() {
        let (mut server, mut first) = (server(ServerLinkConfig::default(), &[1]), end(1));
        let second = key(1).after_restarts(7);
        let mut second = SealedChannel::new(&second, Channel::Link, Direction::ToServer);
        let mut is_told = |client: &mut SealedChannel, number| {
            let mut out = [0; DATAGRAM];
            let answer = server.answer(&request(client, number), NOW, NOW, &mut out).expect("it is served");
            let message = client.open(&answer).expect("sealed for both");
            wire::decode_link_reply(message).expect("a reply").1
        };
        let told: Vec<[bool; 2]> =
            (1..9).map(|number| [is_told(&mut first, number), is_told(&mut second, number)]).collect();
        assert!(told.iter().all(|told| !told[0]) && !told[0][1] && told[7][1], "{told:?}");
    }

    #[test]
    fn a_key_is_admitted_once_and_revoked_once() {
        let mut server =
            server(ServerLinkConfig { capacity: 4, ..ServerLinkConfig::default() }, &[3, 1, 4, 2]);
        assert_eq!(server.admit(&key(4)), Err(KeyError::Duplicate));
        assert_eq!(server.admit(&key(5)), Err(KeyError::Full));
        assert_eq!(server.revoke(4), Ok(()));
        assert_eq!(server.revoke(4), Err(KeyError::UnknownKey(4)));
        for id in [3, 1, 2] {
            assert_eq!(ask(&mut server, &request(&mut end(id), 1), NOW), Ok(()), "other keys stay");
        }
        assert_eq!(ask(&mut server, &request(&mut end(4), 1), NOW), Err(KeyError::UnknownKey(4).into()));
        assert_eq!(server.admit(&key(5)), Ok(()));
        assert_eq!(ask(&mut server, &request(&mut end(5), 1), NOW), Ok(()));
    }

    #[test]
    fn the_budgets_refill() {
        let limits = |answers_per_key, answers| ServerLinkConfig {
            answers_per_key,
            answers,
            ..ServerLinkConfig::default()
        };
        let at = |seconds: f64| ServerTime::from_ticks(Span::from_secs_f64(seconds).ticks());
        let (mut keyed, mut client) = (server(limits(10, 20_000), &[1, 2]), end(1));
        let mut number = 0;
        let mut allowed = |server: &mut ServerLink, now: f64| {
            number += 1;
            ask(server, &request(&mut client, number), at(now))
        };
        for _ in 0..10 {
            assert_eq!(allowed(&mut keyed, 5.0), Ok(()));
        }
        assert_eq!(allowed(&mut keyed, 5.0), Err(KeyError::OverBudget.into()));
        assert_eq!(ask(&mut keyed, &request(&mut end(2), 1), at(5.0)), Ok(()), "each has its own budget");
        assert_eq!(allowed(&mut keyed, 5.11), Ok(()), "one is refilled in 100 ms");
        assert_eq!(allowed(&mut keyed, 5.11), Err(KeyError::OverBudget.into()));
        let later = (0..100).filter(|_| allowed(&mut keyed, 1000.0).is_ok()).count();
        assert_eq!(later, 10, "the budget does not accumulate");
        assert_eq!(keyed.counts().over_budget, 2 + 90);
        assert_eq!(allowed(&mut keyed, 0.0), Ok(()), "the clock was set back");
        let mut all = server(limits(100, 3), &[1]);
        let refused = (0..10).filter(|_| allowed(&mut all, 5.0) == Err(LinkError::Busy)).count();
        assert_eq!((refused, all.counts().busy), (7, 7));
        assert_eq!(allowed(&mut all, 6.0), Ok(()));
    }

    #[test]
    fn errors_name_the_setting_that_is_out_of_range() {
        let refused = |capacity, answers_per_key, answers| match ServerLink::new(
            ServerLinkConfig { capacity, answers_per_key, answers },
            1,
        ) {
            Ok(_) => "accepted",
            Err(CreateError::Config(error)) => error.field,
            Err(_) => "memory",
        };
        assert_eq!(refused(1, 1, 1), "accepted");
        assert_eq!([refused(0, 1, 1), refused(65_537, 1, 1)], ["capacity"; 2]);
        assert_eq!([refused(1, 0, 1), refused(1, 10_001, 1)], ["answers_per_key"; 2]);
        assert_eq!([refused(1, 1, 0), refused(1, 1, 1_000_001)], ["answers"; 2]);
    }
}
