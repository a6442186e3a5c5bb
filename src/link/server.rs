//! The server's end: answers every holder of an admitted key, and costs the same for every client.

use super::{DATAGRAM, LinkError};
use crate::clock::authority::{Authority, AuthorityReply, AuthorityRequest};
use crate::clock::for_parts::Budget;
use crate::clock::for_parts::range::number;
use crate::clock::keyed::{KeyError, SessionKey};
use crate::clock::wire::{self, Datagram};
use crate::clock::{
    ConfigError, CreateError, KeyCounts, Responder, ServerTime, SessionKeys, SessionKeysConfig,
};

/// Settings of a [`ServerLink`]. Checked once, when it is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLinkConfig {
    /// Room for keys, and the budget of each.
    pub sessions: SessionKeysConfig,
    /// Answers a second to all sessions together. As many may be given at once. (count, 1..=1000000, default
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

/// What became of the datagrams that a server was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerLinkCounts {
    /// What session keys say of them.
    pub keys: KeyCounts,
    /// Answered.
    pub answered: u64,
    /// Not answered: from a holder of a key, but no request of the link.
    pub malformed: u64,
    /// Not answered: the server had given as many answers as it may.
    pub busy: u64,
}

/// The server's end of the links of all its players. One owner; allocates when it is created and never again.
///
/// An answer goes to the address that its request came from, and to no other. So a player whose address
/// changes (a NAT that forgets, Wi-Fi to LTE) is answered at the new one by its next request. An answer is as
/// long as its request, so nobody gains by asking in another's name. What is not sealed with an admitted key
/// costs one look-up and one tag, and no memory.
#[derive(Debug)]
pub struct ServerLink {
    keys: SessionKeys,
    responder: Responder,
    authority: Option<Authority>,
    answers: u32,
    budget: Budget,
    counts: ServerLinkCounts,
}

impl ServerLink {
    /// Nobody is admitted yet. `epoch` names this run of the server's clock: the one that the game's messages
    /// name, too.
    ///
    /// # Errors
    /// A field of `config` is out of range, or there is not enough memory.
    pub fn new(config: ServerLinkConfig, epoch: u64) -> Result<Self, CreateError> {
        config.validate()?;
        Ok(ServerLink {
            keys: SessionKeys::new(config.sessions)?,
            responder: Responder::new(epoch),
            authority: None,
            answers: config.answers,
            budget: Budget::FULL,
            counts: ServerLinkCounts::default(),
        })
    }

    /// Answers the holder of `key` from now on. Draw a new key for each connection.
    ///
    /// # Errors
    /// [`KeyError::Duplicate`] if its id is in use, [`KeyError::Full`].
    pub fn admit(&mut self, key: SessionKey) -> Result<(), KeyError> {
        self.keys.admit(key)
    }

    /// Forgets a key: nothing that is sealed with it is answered from now on.
    ///
    /// # Errors
    /// [`KeyError::UnknownKey`].
    pub fn revoke(&mut self, id: u32) -> Result<(), KeyError> {
        self.keys.revoke(id)
    }

    /// The run of the server's clock.
    pub fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    /// The server's clock was set: it has this epoch from now on.
    pub fn begin_epoch(&mut self, epoch: u64) {
        self.responder = Responder::new(epoch);
        self.authority = None;
    }

    /// States this authority to clients that ask for it. Without one, they are told that the clock is its own
    /// timescale.
    pub fn set_authority(&mut self, authority: Authority) {
        self.authority = Some(authority);
    }

    /// Answers a datagram that arrived at `received`, with an answer that leaves at `sent`. Read both from
    /// the server's clock, as close to the network as possible. The answer is in `out`; send it to where the
    /// datagram came from.
    ///
    /// # Errors
    /// Says why it is not answered. Send nothing then.
    pub fn answer<'a>(
        &mut self,
        datagram: &[u8],
        received: ServerTime,
        sent: ServerTime,
        out: &'a mut [u8; DATAGRAM],
    ) -> Result<&'a [u8], LinkError> {
        let (id, message) = self.keys.open(datagram)?;
        let answer = self.reply(id, message, received, sent)?;
        self.budget.spend(self.answers, sent).map_err(|_| {
            self.counts.busy += 1;
            LinkError::Busy
        })?;
        let sealed = self.keys.seal(id, &answer, out)?;
        self.counts.answered += 1;
        Ok(sealed)
    }

    /// Opens a datagram that [`answer`](Self::answer) refused with [`LinkError::Wire`]: a message of your own
    /// that a client sealed with its session key and sent to the link's port. Returns the key's id and the
    /// message. It counts against the session's budget of replays.
    ///
    /// # Errors
    /// It is not from a holder of a key, or the session has had as many answers as it may.
    pub fn open_beside<'a>(
        &mut self,
        datagram: &'a [u8],
        now: ServerTime,
    ) -> Result<(u32, &'a [u8]), LinkError> {
        let (id, message) = self.keys.open(datagram)?;
        self.keys.allow_undated(id, now)?;
        Ok((id, message))
    }

    /// Seals a message of your own to the client with the key `id`: see [`SessionKey::seal`].
    ///
    /// # Errors
    /// The key is unknown, the message empty or too long, or `out` too short.
    pub fn seal_beside<'a>(&self, id: u32, message: &[u8], out: &'a mut [u8]) -> Result<&'a [u8], LinkError> {
        Ok(self.keys.seal(id, message, out)?)
    }

    fn reply(
        &mut self,
        id: u32,
        message: &[u8],
        received: ServerTime,
        sent: ServerTime,
    ) -> Result<Datagram, LinkError> {
        if let Ok(AuthorityRequest { id: asked }) = AuthorityRequest::decode(message) {
            self.keys.allow_undated(id, sent)?;
            let authority = self.authority.unwrap_or(Authority::alone(self.epoch()));
            return Ok(AuthorityReply { id: asked, authority }.encode()?);
        }
        let request = wire::decode_request(message).inspect_err(|_| self.counts.malformed += 1)?;
        self.keys.allow(id, &request, sent)?;
        Ok(wire::encode_reply(&self.responder.respond(&request, received, sent)?)?)
    }

    /// What became of the datagrams so far.
    pub fn counts(&self) -> ServerLinkCounts {
        ServerLinkCounts { keys: self.keys.counts(), ..self.counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Direction, LocalTime, Request, RequestId, Span};

    const NOW: ServerTime = ServerTime::from_ticks(1_000);

    fn key(id: u32) -> SessionKey {
        SessionKey::new(id, [9; 16]).expect("a secret")
    }

    fn server(config: ServerLinkConfig) -> ServerLink {
        let mut server = ServerLink::new(config, 77).expect("the settings are fine");
        server.admit(key(1)).expect("there is room");
        server
    }

    fn request(number: i64) -> [u8; DATAGRAM] {
        let client_time = LocalTime::from_ticks(number);
        let request = Request { id: RequestId(number as u64), client_time, reliable: false };
        seal(&wire::encode_request(&request).expect("a valid stamp"))
    }

    fn seal(message: &[u8]) -> [u8; DATAGRAM] {
        let mut out = [0; DATAGRAM];
        key(1).seal(Direction::ToServer, message, &mut out).expect("a message");
        out
    }

    #[test]
    fn a_request_is_answered_in_as_many_bytes() {
        let mut server = server(ServerLinkConfig::default());
        let mut out = [0; DATAGRAM];
        let answer =
            server.answer(&request(5), NOW, NOW + Span::from_micros(3), &mut out).expect("a request");
        let message = key(1).open(Direction::ToClient, answer).expect("sealed for the client");
        let reply = wire::decode_reply(message).expect("a reply");
        assert_eq!((reply.id, reply.epoch, reply.received), (RequestId(5), 77, NOW));
        assert_eq!((answer.len(), server.counts().answered), (DATAGRAM, 1));
    }

    #[test]
    fn an_authority_is_stated_and_a_new_epoch_forgets_it() {
        let mut server = server(ServerLinkConfig::default());
        let stated = Authority { epoch: 77, timescale: 5, dispersion: Span::from_micros(40) };
        let asked = |server: &mut ServerLink| {
            let mut out = [0; DATAGRAM];
            let answer = server.answer(&seal(&AuthorityRequest { id: 3 }.encode()), NOW, NOW, &mut out);
            let message = key(1).open(Direction::ToClient, answer.expect("a request")).expect("sealed");
            AuthorityReply::decode(message).expect("a reply").authority
        };
        assert_eq!(asked(&mut server), Authority::alone(77));
        server.set_authority(stated);
        assert_eq!(asked(&mut server), stated);
        server.begin_epoch(78);
        assert_eq!(asked(&mut server), Authority::alone(78));
    }

    #[test]
    fn messages_of_ones_own_pass_beside_the_links() {
        let mut server = server(ServerLinkConfig::default());
        let (mut out, mut answer) = ([0; DATAGRAM], [0; 64]);
        let own =
            key(1).seal(Direction::ToServer, b"where is the ball?", &mut answer).expect("short").to_vec();
        assert!(matches!(server.answer(&own, NOW, NOW, &mut out), Err(LinkError::Wire(_))));
        assert_eq!(server.open_beside(&own, NOW), Ok((1, &b"where is the ball?"[..])));
        let sealed = server.seal_beside(1, b"here", &mut answer).expect("the key is known");
        assert_eq!(key(1).open(Direction::ToClient, sealed), Ok(&b"here"[..]));
        assert!(server.seal_beside(2, b"here", &mut [0; 64]).is_err());
        assert!(server.open_beside(&own[1..], NOW).is_err());
        let replays = SessionKeysConfig::default().replays;
        let answered = (0..100).filter(|_| server.open_beside(&own, NOW).is_ok()).count();
        assert_eq!(answered as u32, replays - 1, "one was spent before");
    }

    #[test]
    fn the_whole_server_has_a_budget() {
        let mut server = server(ServerLinkConfig { answers: 3, ..ServerLinkConfig::default() });
        let mut out = [0; DATAGRAM];
        let mut ask = |number, now| server.answer(&request(number), now, now, &mut out).map(|_| ());
        let refused = (1..=10).filter(|&number| ask(number, NOW) == Err(LinkError::Busy)).count();
        assert_eq!(refused, 7);
        assert_eq!(ask(20, NOW + Span::from_secs(1)), Ok(()));
        assert_eq!(server.counts().busy, 7);
        let none = ServerLinkConfig { answers: 0, ..ServerLinkConfig::default() };
        assert!(ServerLink::new(none, 1).is_err());
    }

    #[test]
    fn what_is_no_request_is_not_answered_at_any_length() {
        let mut server = server(ServerLinkConfig::default());
        let mut out = [0; DATAGRAM];
        for length in 0..200 {
            assert!(server.answer(&vec![0x4E; length], NOW, NOW, &mut out).is_err());
            assert!(server.answer(&request(9)[..length.min(DATAGRAM - 1)], NOW, NOW, &mut out).is_err());
        }
        assert!(matches!(server.answer(&seal(&[1; 32]), NOW, NOW, &mut out), Err(LinkError::Wire(_))));
        let mut reflected = [0; DATAGRAM];
        server.answer(&request(9), NOW, NOW, &mut reflected).expect("a request");
        assert!(server.answer(&reflected, NOW, NOW, &mut out).is_err(), "its own answer came back");
        let (counts, early) = (server.counts(), ServerTime::from_ticks(0));
        assert_eq!((counts.answered, counts.malformed), (1, 1));
        assert!(matches!(server.answer(&request(10), NOW, early, &mut out), Err(LinkError::Respond(_))));
    }
}
