//! The server side of links, which answers requests from every holder of an admitted key.

use super::{DATAGRAM, LinkError, Outgoing};
use crate::clock::for_parts::Budget;
use crate::clock::for_parts::range::number;
use crate::clock::keyed::{Channel, KeyError, SessionKey};
use crate::clock::wire::{self, Datagram};
use crate::clock::{
    ConfigError, CreateError, KeyCounts, Responder, ServerTime, SessionKeys, SessionKeysConfig,
};

/// Settings for a [`ServerLink`], which are validated when the server is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLinkConfig {
    /// The maximum number of keys, and the limits for each key.
    pub sessions: SessionKeysConfig,
    /// Maximum number of replies to all sessions per second and per burst. (count, 1..=1000000, default
    /// 20000)
    pub answers: u32,
}

impl Default for ServerLinkConfig {
    fn default() -> Self {
        ServerLinkConfig { sessions: SessionKeysConfig::default(), answers: 20_000 }
    }
}

impl ServerLinkConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        number("answers", f64::from(self.answers), 1.0, 1e6, "answers/s")
    }
}

/// How many datagrams a server has received, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerLinkCounts {
    /// Message counts of the session keys.
    pub keys: KeyCounts,
    /// Number of answered datagrams.
    pub answered: u64,
    /// Number of datagrams from key holders that were not answered because they were not link requests.
    pub malformed: u64,
    /// Number of datagrams that were not answered because the server had reached its reply limit.
    pub busy: u64,
}

/// The server side of all players' links. Memory is allocated only on creation.
///
/// A reply is sent to the address from which its request came. If a player's address changes, because a NAT
/// mapping expires or the player switches from Wi-Fi to LTE, the next reply therefore goes to the new
/// address. Replies have the same length as requests, so they cannot be used to amplify traffic. Checking a
/// datagram without an admitted key's seal takes one look-up, one tag computation and no memory.
///
/// See [`LinkedClient`](super::LinkedClient) for an example.
#[derive(Debug)]
pub struct ServerLink {
    keys: SessionKeys,
    responder: Responder,
    answers: u32,
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
            keys: SessionKeys::new(Channel::Link, config.sessions)?,
            responder: Responder::new(epoch),
            answers: config.answers,
            budget: Budget::FULL,
            counts: ServerLinkCounts::default(),
        })
    }

    /// Admits the holder of `key`. Draw a new key for each connection, and never admit a key twice.
    ///
    /// # Errors
    /// Returns [`KeyError::Duplicate`] if the key's id is in use, or [`KeyError::Full`] if there is no room.
    pub fn admit(&mut self, key: &SessionKey) -> Result<(), KeyError> {
        self.keys.admit(key)
    }

    /// Revokes a key. Datagrams sealed with it are no longer answered.
    ///
    /// # Errors
    /// Returns [`KeyError::UnknownKey`] if no key with this id is admitted.
    pub fn revoke(&mut self, id: u32) -> Result<(), KeyError> {
        self.keys.revoke(id)
    }

    /// Returns the server epoch.
    pub fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    /// Starts a new epoch after the server's clock was stepped.
    pub fn begin_epoch(&mut self, epoch: u64) {
        self.responder = Responder::new(epoch);
    }

    /// Answers a datagram received at `received` with a reply that you will send at `sent`. Read both times
    /// from the server's clock, as close to the socket as possible. The reply is written to `out`. Send it to
    /// the sender of the datagram.
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
        let (id, message) = self.keys.open(datagram)?;
        let is_marked = wire::is_marked(message);
        let mut answer = self.reply(message, received, sent)?;
        if self.keys.is_shared(id) && wire::decode_reply(&answer).is_ok() {
            wire::tell_of_another(&mut answer);
        }
        self.keys.allow(id, sent)?;
        self.budget.spend(self.answers, sent).map_err(|_| {
            self.counts.busy += 1;
            LinkError::Busy
        })?;
        let bytes = self.keys.seal(id, &answer, out)?;
        self.counts.answered += 1;
        Ok(Outgoing { bytes, is_marked })
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
        ServerLinkCounts { keys: self.keys.counts(), ..self.counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::keyed::SealedChannel;
    use crate::clock::{Direction, LocalTime, Request, RequestId, Span};

    const NOW: ServerTime = ServerTime::from_ticks(1_000);

    fn key(id: u32) -> SessionKey {
        SessionKey::new(id, [9; 16]).expect("a secret")
    }

    fn server(config: ServerLinkConfig) -> (ServerLink, SealedChannel) {
        let mut server = ServerLink::new(config, 77).expect("the settings are fine");
        server.admit(&key(1)).expect("there is room");
        (server, SealedChannel::new(&key(1), Channel::Link, Direction::ToServer))
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

    #[test]
    fn a_request_gets_one_reply_of_equal_length() {
        let (mut server, mut client) = server(ServerLinkConfig::default());
        let (mut out, request) = ([0; DATAGRAM], request(&mut client, 5));
        let answer = server.answer(&request, NOW, NOW + Span::from_micros(3), &mut out).expect("a request");
        let message = client.open(&answer).expect("sealed for the client");
        let reply = wire::decode_reply(message).expect("a reply");
        assert_eq!((reply.id, reply.epoch, reply.received), (RequestId(5), 77, NOW));
        assert_eq!(reply.sent, NOW + Span::from_micros(3));
        assert_eq!((answer.len(), server.counts().answered), (DATAGRAM, 1));
        assert_eq!(server.answer(&request, NOW, NOW, &mut [0; DATAGRAM]), Err(KeyError::Replayed.into()));
        assert_eq!((server.counts().answered, server.counts().keys.replayed), (1, 1));
    }

    #[test]
    fn only_the_second_client_with_a_key_is_informed() {
        let (mut server, mut first) = server(ServerLinkConfig::default());
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
    fn the_server_limits_its_replies() {
        let (mut server, mut client) = server(ServerLinkConfig { answers: 3, ..ServerLinkConfig::default() });
        let mut out = [0; DATAGRAM];
        let mut ask =
            |number, now| server.answer(&request(&mut client, number), now, now, &mut out).map(|_| ());
        let refused = (1..=10).filter(|&number| ask(number, NOW) == Err(LinkError::Busy)).count();
        assert_eq!(refused, 7);
        assert_eq!(ask(20, NOW + Span::from_secs(1)), Ok(()));
        assert_eq!(server.counts().busy, 7);
        let none = ServerLinkConfig { answers: 0, ..ServerLinkConfig::default() };
        assert!(ServerLink::new(none, 1).is_err());
    }

    #[test]
    fn only_requests_are_answered() {
        let (mut server, mut client) = server(ServerLinkConfig::default());
        let mut out = [0; DATAGRAM];
        for length in 0..200 {
            assert!(server.answer(&vec![0x4E; length], NOW, NOW, &mut out).is_err());
            let cut = &request(&mut client, 9)[..length.min(DATAGRAM - 1)];
            assert!(server.answer(cut, NOW, NOW, &mut out).is_err());
        }
        let other = seal(&mut client, &[1; 32]);
        assert!(matches!(server.answer(&other, NOW, NOW, &mut out), Err(LinkError::Wire(_))));
        let mut reflected = [0; DATAGRAM];
        server.answer(&request(&mut client, 9), NOW, NOW, &mut reflected).expect("a request");
        assert!(server.answer(&reflected, NOW, NOW, &mut out).is_err(), "its own reply was reflected");
        let (counts, early) = (server.counts(), ServerTime::from_ticks(0));
        assert_eq!((counts.answered, counts.malformed), (1, 1));
        let answered = server.answer(&request(&mut client, 10), NOW, early, &mut out);
        assert!(matches!(answered, Err(LinkError::Respond(_))), "{answered:?}");
        assert_eq!(server.counts().answered, counts.answered, "sent before it was received");
    }
}
