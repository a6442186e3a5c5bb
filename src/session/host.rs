//! The server's end of a session.

use siphasher::sip::SipHasher24;

mod subjects;
mod writing;

use super::WORLDS;
use super::error::SessionError;
use super::member::Member;
use super::message::{
    DATAGRAM_MOST, EXCHANGE, Known, LINK, LinkOffer, Read, START, STATE, TO_HOST, TOKEN, finish,
};
use crate::clock::authority::Authority;
use crate::clock::for_parts::{memory, range::number, u32_at, u64_at};
use crate::clock::keyed::{Channel, SealedChannel, SessionKey};
use crate::clock::wire;
use crate::clock::{CreateError, Direction, Request, Responder, ServerTime, Span, TimeError, WireError};
use crate::game::start::{Organiser, OrganiserConfig};
use crate::game::timeline::{Publisher, PublisherConfig};
use crate::game::utc::{UtcPublisher, UtcPublisherConfig};
use crate::game::watch::{RateVerdict, RateWatch, RateWatchConfig};
use writing::token;

/// Settings of a [`Host`]. Checked once, when it is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostConfig {
    /// The maximum number of players; memory for them is allocated at creation. (count, 1..=16384, default
    /// 64)
    pub capacity: u32,
    /// Settings of all worlds.
    pub world: PublisherConfig,
    /// Settings of the server's UTC.
    pub utc: UtcPublisherConfig,
    /// Settings of starts.
    pub start: OrganiserConfig,
    /// Settings of the rate watch over the players' clocks.
    pub watch: RateWatchConfig,
}

impl Default for HostConfig {
    fn default() -> Self {
        HostConfig {
            capacity: 64,
            world: PublisherConfig::default(),
            utc: UtcPublisherConfig::default(),
            start: OrganiserConfig::default(),
            watch: RateWatchConfig::default(),
        }
    }
}

/// A subject, with the revision of its newest change; zero if it never changed.
#[derive(Debug)]
struct Subject<T> {
    is: T,
    changed: u32,
}

/// The server's end: answers requests and publishes worlds, UTC, authority and starts to all players. It has
/// one owner and allocates memory only when it is created. See [the module](super) for an example.
#[derive(Debug)]
pub struct Host {
    responder: Responder,
    worlds: Vec<Subject<Publisher>>,
    utc: Subject<UtcPublisher>,
    authority: Subject<Option<Authority>>,
    /// The round of starts; zero if no start is wanted.
    round: Subject<u32>,
    /// How many rounds there were.
    rounds: u32,
    /// The start of this round is scheduled, so the next proposal begins a new round.
    is_scheduled: bool,
    organiser: Organiser,
    members: Vec<Member>,
    /// The position of each player's member, sorted by player.
    places: Vec<(u64, u32)>,
    capacity: usize,
    /// The initial rate watch of an admitted player.
    watch: RateWatch,
    /// The revision of the newest change of any subject.
    revision: u32,
    /// When the caller last polled for datagrams, if it reported that.
    polled: Option<ServerTime>,
    /// Makes unguessable tokens.
    secret: SipHasher24,
    /// Where the search for the next datagram continues.
    turn: usize,
    out: [u8; DATAGRAM_MOST],
}

impl Host {
    /// Creates a host without players. `epoch` identifies the server epoch, as for a [`Responder`]. `seed`
    /// makes tokens unguessable. Draw both from the operating system.
    ///
    /// # Errors
    /// A setting is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: HostConfig, epoch: u64, seed: u128) -> Result<Self, CreateError> {
        number("capacity", f64::from(config.capacity), 1.0, 16_384.0, "players")?;
        memory::check_seed(seed)?;
        let mut worlds = memory::list(WORLDS)?;
        for _ in 0..WORLDS {
            worlds.push(Subject { is: Publisher::new(config.world, epoch, 1)?, changed: 0 });
        }
        Ok(Host {
            responder: Responder::new(epoch),
            worlds,
            utc: Subject { is: UtcPublisher::new(config.utc, epoch)?, changed: 0 },
            authority: Subject { is: None, changed: 0 },
            round: Subject { is: 0, changed: 0 },
            rounds: 0,
            is_scheduled: false,
            organiser: Organiser::new(config.start, epoch)?,
            members: memory::list(config.capacity as usize)?,
            places: memory::list(config.capacity as usize)?,
            watch: RateWatch::new(&config.watch)?,
            capacity: config.capacity as usize,
            revision: 0,
            polled: None,
            secret: SipHasher24::new_with_key(&seed.to_le_bytes()),
            turn: 0,
            out: [0; DATAGRAM_MOST],
        })
    }

    /// The server epoch.
    pub fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    // Players.

    /// Admits a player whose datagrams arrive over the game's own connection, which vouches for the sender.
    /// `player` is any number that identifies the connection. With a `key`, all datagrams are sealed.
    ///
    /// # Errors
    /// [`SessionError::Duplicate`], [`SessionError::Full`].
    pub fn admit(&mut self, player: u64, key: Option<&SessionKey>) -> Result<(), SessionError> {
        let seal = key.map(|key| SealedChannel::new(key, Channel::Messages, Direction::ToClient));
        self.add(Member::new(player, seal, None, self.watch.clone()))
    }

    /// Admits a player whose address may be forged. Until the player returns a token, the host sends it no
    /// more bytes than it received.
    ///
    /// # Errors
    /// Like [`admit`](Self::admit).
    pub fn admit_unproven(&mut self, player: u64) -> Result<(), SessionError> {
        self.add(Member::new(player, None, Some(0), self.watch.clone()))
    }

    fn add(&mut self, member: Member) -> Result<(), SessionError> {
        let player = member.player;
        let Err(at) = self.search(player) else { return Err(SessionError::Duplicate) };
        if self.members.len() >= self.capacity {
            return Err(SessionError::Full);
        }
        // Players beyond the organiser's capacity do not take part in starts.
        let _ = self.organiser.admit(player);
        self.places.insert(at, (player, self.members.len() as u32));
        self.members.push(member);
        Ok(())
    }

    /// Removes a player who has left. Starts no longer wait for it.
    ///
    /// # Errors
    /// [`SessionError::UnknownPlayer`].
    pub fn dismiss(&mut self, player: u64) -> Result<(), SessionError> {
        let at = self.search(player).map_err(|_| SessionError::UnknownPlayer)?;
        let _ = self.organiser.remove(player);
        let (_, place) = self.places.remove(at);
        self.members.swap_remove(place as usize);
        if let Some(moved) = self.members.get(place as usize) {
            if let Ok(at) = self.search(moved.player) {
                self.places[at].1 = place;
            }
        }
        Ok(())
    }

    /// Returns a player from whom nothing has arrived for `longest` at `now`. Dismiss it if the transport
    /// does not report lost connections. A guest at rest sends a datagram every
    /// [`steady_interval`](crate::Config::steady_interval). If two players are silent, the next call returns
    /// the second after the first was dismissed.
    pub fn silent(&mut self, now: ServerTime, longest: Span) -> Option<u64> {
        let members = &mut self.members;
        members.iter_mut().find_map(|member| (member.silence(now) >= longest).then_some(member.player))
    }

    /// Whether the player has confirmed the newest state of every subject.
    ///
    /// # Errors
    /// [`SessionError::UnknownPlayer`].
    pub fn is_up_to_date(&self, player: u64) -> Result<bool, SessionError> {
        let member = &self.members[self.find(player)?];
        Ok(member.session.is_some() && member.known == self.revision)
    }

    /// The shortest round trip to the player in the last seconds at `now`, the frames of both ends included.
    /// The host measures it for ten seconds after each call, so call it about once a second as long as you
    /// need it. None: not yet known. A player can make it longer, but not shorter.
    ///
    /// # Errors
    /// [`SessionError::UnknownPlayer`].
    pub fn round_trip(&mut self, player: u64, now: ServerTime) -> Result<Option<Span>, SessionError> {
        let place = self.find(player)?;
        Ok(self.members[place].trip.ask(now))
    }

    /// Offers the player a link: the port of the link's server, and the key that the server admitted for this
    /// player. The offer is repeated until the guest confirms it.
    /// [`Guest::link_offer`](super::Guest::link_offer) returns it. Sealed datagrams can be read by anyone on
    /// the path, so offer a link only if the game's own connection is private.
    ///
    /// # Errors
    /// [`SessionError::UnknownPlayer`].
    pub fn offer_link(&mut self, player: u64, offer: LinkOffer) -> Result<(), SessionError> {
        let place = self.find(player)?;
        self.members[place].offer = Some((offer, false));
        Ok(())
    }

    /// The findings of the rate watch for the player's clock, as in [`RateWatch::verdict`]. It learns from
    /// the player's requests and confirmations.
    ///
    /// # Errors
    /// [`SessionError::UnknownPlayer`].
    pub fn verdict(&self, player: u64) -> Result<RateVerdict, SessionError> {
        Ok(self.members[self.find(player)?].watch.verdict())
    }

    /// Ignores the player's clock between `from` and `to`, as in [`RateWatch::excuse`].
    ///
    /// # Errors
    /// [`SessionError::UnknownPlayer`], and the errors of [`RateWatch::excuse`].
    pub fn excuse(&mut self, player: u64, from: ServerTime, to: ServerTime) -> Result<(), SessionError> {
        let place = self.find(player)?;
        Ok(self.members[place].watch.excuse(from, to)?)
    }

    fn search(&self, player: u64) -> Result<usize, usize> {
        self.places.binary_search_by_key(&player, |&(player, _)| player)
    }

    fn find(&self, player: u64) -> Result<usize, SessionError> {
        let at = self.search(player).map_err(|_| SessionError::UnknownPlayer)?;
        Ok(self.places[at].1 as usize)
    }

    // Datagrams.

    /// Notes that the caller polled its transport at `at` and has handled all datagrams that were there.
    /// Datagrams passed to [`receive`](Self::receive) afterwards therefore arrived after `at`. Call it once
    /// per poll, after the last datagram. Before a datagram that was timestamped on arrival, pass its
    /// timestamp. Guests then know how long their requests may have waited.
    ///
    /// # Errors
    /// `at` is out of range; nothing changed.
    pub fn polled(&mut self, at: ServerTime) -> Result<(), TimeError> {
        if !at.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        self.polled = Some(at);
        Ok(())
    }

    /// Handles a datagram of `player` that arrived at `arrived`.
    ///
    /// # Errors
    /// The reason for refusing the datagram; nothing changed.
    pub fn receive(&mut self, player: u64, datagram: &[u8], arrived: ServerTime) -> Result<(), SessionError> {
        if !arrived.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        if datagram.len() > DATAGRAM_MOST {
            return Err(WireError::Length(datagram.len()).into());
        }
        let place = self.find(player)?;
        let (epoch, newest) = (self.epoch(), self.revision);
        let member = &mut self.members[place];
        let proved = member.seal.as_ref().map(|seal| seal.prove(datagram)).transpose()?;
        let (number, plain) = proved.map_or((None, datagram), |(number, plain)| (Some(number), plain));
        let said = Said::read(plain)?;
        if let Some((seal, number)) = member.seal.as_mut().zip(number) {
            seal.take(number)?;
        }
        member.note(datagram.len(), arrived);
        member.trip.note_echo(said.token, arrived);
        if let Some(request) = &said.request {
            member.watch_clock(request, arrived, said.known.filter(|known| known.epoch == epoch));
        }
        member.request = said.request.map(|request| (request, arrived, self.polled)).or(member.request);
        let Some(session) = said.session else { return Ok(()) };
        if member.session != Some(session) {
            // Otherwise it may be a late datagram of an earlier session, or have a forged address.
            let is_first = member.session.is_none() && member.credit.is_none();
            if !is_first && said.token != Some(token(self.secret, player, session, member.begun)) {
                member.challenged = Some(session);
                return Ok(());
            }
            member.credit = None;
            member.begin(session, arrived);
            // The guest has a new participant with a new key.
            let _ = self.organiser.remove(player);
            let _ = self.organiser.admit(player);
        }
        if let Some(known) = said.known {
            member.learn(known, epoch, newest);
        }
        if let Some((offer, is_known)) = &mut member.offer {
            *is_known |= said.link == Some(offer.key.id());
        }
        // A guest that does not know of the round yet speaks of the one before.
        let knows_round = self.members[place].known >= self.round.changed;
        for (_, message) in Read::new(plain, TO_HOST)?.filter(|(tag, _)| knows_round && *tag == START) {
            // Repeated and late messages are normal.
            let _ = self.organiser.receive(player, message, arrived);
        }
        Ok(())
    }

    /// Returns the next datagram to send at `now`: the player, the bytes, and whether to send them reliably
    /// if the transport can. Call it in every frame until it returns `None`, right before datagrams leave.
    pub fn next(&mut self, now: ServerTime) -> Option<(u64, &[u8], bool)> {
        loop {
            let started = self.organiser.next_message(now);
            let (place, message) = match started {
                Some((player, message)) => (self.find(player).ok()?, Some(message)),
                None => (self.next_due(now)?, None),
            };
            let member = &self.members[place];
            let is_due = member.challenged.is_none() && member.is_due(now, self.revision);
            let writer = self.write(place, message.as_ref(), is_due, now);
            // Empty if a request waited for too long, or an unproven address has too little credit.
            if writer.is_empty() {
                continue;
            }
            let member = &mut self.members[place];
            let size = finish(&mut member.seal, writer.bytes(), &mut self.out)?;
            member.note_size(size, is_due || message.is_some());
            return Some((self.members[place].player, &self.out[..size], false));
        }
    }

    /// The next player for whom a datagram is due.
    fn next_due(&mut self, now: ServerTime) -> Option<usize> {
        let count = self.members.len();
        let place = (1..=count).map(|step| (self.turn + step) % count).find(|&place| {
            let member = &self.members[place];
            member.request.is_some()
                || member.challenged.is_some()
                || member.is_due(now, self.revision)
                || member.goes_on(self.revision)
        })?;
        self.turn = place;
        Some(place)
    }
}

/// The content of a guest's datagram, apart from messages of starts.
struct Said {
    session: Option<u64>,
    request: Option<Request>,
    known: Option<Known>,
    token: Option<u64>,
    /// The key of a link that was offered.
    link: Option<u32>,
}

impl Said {
    fn read(plain: &[u8]) -> Result<Self, SessionError> {
        let sections = Read::new(plain, TO_HOST)?;
        let mut said =
            Said { session: sections.session, request: None, known: None, token: None, link: None };
        for (tag, body) in sections {
            match tag {
                EXCHANGE => said.request = Some(wire::decode_request(body)?),
                STATE => said.known = Some(Known::decode(body).ok_or(SessionError::Truncated)?),
                TOKEN => said.token = u64_at(body, 0),
                LINK => said.link = u32_at(body, 0),
                _ => {}
            }
        }
        Ok(said)
    }
}
