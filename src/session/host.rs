//! The server side of a session.

use siphasher::sip::SipHasher24;

mod subjects;
mod writing;

use super::WORLDS;
use super::error::SessionError;
use super::member::{Member, PendingRequest, Unaccepted};
use super::message::{
    Contents, DATAGRAM_MOST, EXCHANGE, Known, LINK, LinkOffer, Read, START, STATE, TO_HOST, TOKEN, finish,
};
use crate::clock::authority::Authority;
use crate::clock::for_parts::{memory, range::number, u32_at, u64_at};
use crate::clock::keyed::{Channel, SealedChannel, SessionKey};
use crate::clock::wire;
use crate::clock::{CreateError, Direction, Request, Responder, ServerTime, Span, TimeError, WireError};
use crate::game::start::{Announcement, Organiser, Report, StartConfig};
use crate::game::timeline::{Publisher, PublisherConfig};
use crate::game::utc::UtcPublisher;
use crate::game::watch::{RateVerdict, RateWatch};
use writing::token;

/// The settings for a [`Host`], which are validated when the host is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostConfig {
    /// Maximum number of players. The host allocates memory for all of them when it is created. (count,
    /// 1..=16384, default 64)
    pub capacity: u32,
    /// Settings that apply to all worlds.
    pub world: PublisherConfig,
    /// Maximum drift of the server's clock relative to UTC. [`monotonic_now`](crate::monotonic_now) counts
    /// the oscillations of a crystal, which is off by less than 50 ppm. (ppm, 1..=100000, default 50)
    pub utc_drift_ppm: u32,
    /// Settings for starts.
    pub start: StartConfig,
}

impl Default for HostConfig {
    fn default() -> Self {
        HostConfig {
            capacity: 64,
            world: PublisherConfig::default(),
            utc_drift_ppm: 50,
            start: StartConfig::default(),
        }
    }
}

/// `changed` is the revision in which the value last changed, or zero if it never did.
#[derive(Debug)]
struct Subject<T> {
    value: T,
    changed: u32,
}

/// The server side of a session. It answers requests and publishes worlds, UTC, the authority and starts to
/// all players. Use a host from one thread at a time. Memory is allocated only on creation. See [the
/// module](super) for an example.
#[derive(Debug)]
pub struct Host {
    responder: Responder,
    worlds: Vec<Subject<Publisher>>,
    utc: Subject<UtcPublisher>,
    authority: Subject<Option<Authority>>,
    round: Subject<u32>,
    rounds: u32,
    is_scheduled: bool,
    organiser: Organiser,
    start: Subject<Option<Announcement>>,
    members: Vec<Member>,
    /// The players' indices in `members`, sorted by player.
    places: Vec<(u64, u32)>,
    capacity: usize,
    watch: RateWatch,
    revision: u32,
    /// The digest of all subjects, and the revision that it describes.
    digest: (u64, u32),
    polled: Option<ServerTime>,
    secret: SipHasher24,
    turn: usize,
    out: [u8; DATAGRAM_MOST],
}

impl Host {
    /// Creates a host. `epoch` identifies the server epoch, as in [`Responder::new`]. `seed` makes tokens
    /// unguessable. Draw `epoch` and `seed` from the operating system's random number generator.
    ///
    /// # Errors
    /// Fails if a setting is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: HostConfig, epoch: u64, seed: u128) -> Result<Self, CreateError> {
        number("capacity", f64::from(config.capacity), 1.0, 16_384.0, "players")?;
        memory::check_seed(seed)?;
        let mut worlds = memory::list(WORLDS)?;
        for _ in 0..WORLDS {
            worlds.push(Subject { value: Publisher::new(config.world, epoch, 1)?, changed: 0 });
        }
        Ok(Host {
            responder: Responder::new(epoch),
            worlds,
            utc: Subject { value: UtcPublisher::new(config.utc_drift_ppm, epoch)?, changed: 0 },
            authority: Subject { value: None, changed: 0 },
            round: Subject { value: 0, changed: 0 },
            rounds: 0,
            is_scheduled: false,
            organiser: Organiser::new(config.start, epoch)?,
            start: Subject { value: None, changed: 0 },
            members: memory::list(config.capacity as usize)?,
            places: memory::list(config.capacity as usize)?,
            watch: RateWatch::default(),
            capacity: config.capacity as usize,
            revision: 0,
            digest: (Contents::default().digest(0), 0),
            polled: None,
            secret: SipHasher24::new_with_key(&seed.to_le_bytes()),
            turn: 0,
            out: [0; DATAGRAM_MOST],
        })
    }

    /// Returns the server epoch.
    pub fn epoch(&self) -> u64 {
        self.responder.epoch()
    }

    /// Admits a player whose datagrams arrive over the game's own connection. The connection must
    /// authenticate the sender. `player` can be any number that identifies the connection. With a `key`, all
    /// datagrams are sealed.
    ///
    /// # Errors
    /// Returns [`SessionError::Duplicate`] if the player is already admitted, or [`SessionError::Full`] if
    /// there is no room.
    pub fn admit(&mut self, player: u64, key: Option<&SessionKey>) -> Result<(), SessionError> {
        let seal = key.map(|key| SealedChannel::new(key, Channel::Messages, Direction::ToClient));
        self.add(Member::new(player, seal, None, self.watch.clone()))
    }

    /// Admits a player whose address may be forged. Until the player returns a token, the host never sends
    /// more bytes to the address than it has received from there.
    ///
    /// # Errors
    /// Returns the same errors as [`admit`](Self::admit).
    pub fn admit_unproven(&mut self, player: u64) -> Result<(), SessionError> {
        self.add(Member::new(player, None, Some(0), self.watch.clone()))
    }

    fn add(&mut self, member: Member) -> Result<(), SessionError> {
        let player = member.player;
        let Err(at) = self.search(player) else { return Err(SessionError::Duplicate) };
        if self.members.len() >= self.capacity {
            return Err(SessionError::Full);
        }
        self.organiser.admit(player);
        self.places.insert(at, (player, self.members.len() as u32));
        self.members.push(member);
        Ok(())
    }

    /// Removes a player who has left, so that starts do not wait for this player.
    ///
    /// # Errors
    /// Returns [`SessionError::UnknownPlayer`] if the player is not admitted.
    pub fn dismiss(&mut self, player: u64) -> Result<(), SessionError> {
        let at = self.search(player).map_err(|_| SessionError::UnknownPlayer)?;
        self.organiser.remove(player);
        let (_, place) = self.places.remove(at);
        self.members.swap_remove(place as usize);
        if let Some(moved) = self.members.get(place as usize) {
            if let Ok(at) = self.search(moved.player) {
                self.places[at].1 = place;
            }
        }
        Ok(())
    }

    /// Returns a player who has been silent for at least `longest` at `now`. Dismiss such players if the
    /// transport does not report lost connections. An idle guest sends about one datagram per
    /// [`steady_interval`](crate::Config::steady_interval). To find all silent players, dismiss each returned
    /// player and call this again.
    pub fn silent(&mut self, now: ServerTime, longest: Span) -> Option<u64> {
        let members = &mut self.members;
        members.iter_mut().find_map(|member| (member.silence(now) >= longest).then_some(member.player))
    }

    /// Returns whether the player has confirmed the latest state of every subject and the offered link, if
    /// any.
    ///
    /// # Errors
    /// Returns [`SessionError::UnknownPlayer`] if the player is not admitted.
    pub fn is_up_to_date(&self, player: u64) -> Result<bool, SessionError> {
        let member = &self.members[self.find(player)?];
        let knows_offer = !matches!(member.offer, Some((_, false)));
        Ok(member.session.is_some() && member.known == self.revision && knows_offer)
    }

    /// Returns the smallest round-trip time to the player over the last few seconds before `now`, or `None`
    /// if it is not known yet. The round trip includes frame delays on both sides. The host stops measuring
    /// ten seconds after the last call, so call this about once per second while you need the value. A player
    /// can inflate the result, but cannot lower it.
    ///
    /// # Errors
    /// Returns [`SessionError::UnknownPlayer`] if the player is not admitted.
    pub fn round_trip(&mut self, player: u64, now: ServerTime) -> Result<Option<Span>, SessionError> {
        let place = self.find(player)?;
        Ok(self.members[place].trip.ask(now))
    }

    /// Offers the player a link. The offer consists of the link server's port and the player's key. The link
    /// server must already have admitted this key. The host repeats the offer until the guest confirms it,
    /// and [`Guest::link_offer`](super::Guest::link_offer) returns it. Seals do not encrypt datagrams, so
    /// anyone on the path can read the offer. Offer a link only if the game's own connection is encrypted.
    ///
    /// # Errors
    /// Returns [`SessionError::UnknownPlayer`] if the player is not admitted.
    pub fn offer_link(&mut self, player: u64, offer: LinkOffer) -> Result<(), SessionError> {
        let place = self.find(player)?;
        self.members[place].offer = Some((offer, false));
        Ok(())
    }

    /// Returns the rate watch's verdict on the player's clock. The host passes the player's requests and
    /// confirmations to the watch. See [`RateWatch::verdict`].
    ///
    /// # Errors
    /// Returns [`SessionError::UnknownPlayer`] if the player is not admitted.
    pub fn verdict(&self, player: u64) -> Result<RateVerdict, SessionError> {
        Ok(self.members[self.find(player)?].watch.verdict())
    }

    /// Tells the rate watch to ignore the player's clock between `from` and `to`. See [`RateWatch::excuse`].
    ///
    /// # Errors
    /// Returns [`SessionError::UnknownPlayer`] if the player is not admitted, or the errors of
    /// [`RateWatch::excuse`].
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

    /// Records that the caller polled its transport at `at` and has handled all available datagrams.
    /// Datagrams passed to [`receive`](Self::receive) afterwards therefore arrived after `at`. Replies report
    /// how long their requests may have waited. Call this once per poll, after the last datagram. If a
    /// datagram was timestamped on arrival, pass its timestamp to this function before you pass the datagram
    /// to [`receive`](Self::receive).
    ///
    /// # Errors
    /// Fails and changes nothing if `at` is out of range.
    pub fn polled(&mut self, at: ServerTime) -> Result<(), TimeError> {
        at.check()?;
        self.polled = Some(at);
        Ok(())
    }

    /// Handles a datagram from `player`, received at `arrived`.
    ///
    /// # Errors
    /// Returns the reason if the datagram was rejected. The state is then unchanged, but the host notifies a
    /// guest that uses a different version of the format.
    pub fn receive(&mut self, player: u64, datagram: &[u8], arrived: ServerTime) -> Result<(), SessionError> {
        arrived.check()?;
        if datagram.len() > DATAGRAM_MOST {
            return Err(WireError::Length(datagram.len()).into());
        }
        let place = self.find(player)?;
        let (epoch, newest, (of_host, digested)) = (self.epoch(), self.revision, self.digest);
        let member = &mut self.members[place];
        let proved = member.seal.as_ref().map(|seal| seal.prove(datagram)).transpose()?;
        let (number, plain) = proved.map_or((None, datagram), |(number, plain)| (Some(number), plain));
        let content = GuestDatagram::read(plain).inspect_err(|_| {
            if wire::version_notice(plain).is_some() && plain[3] == TO_HOST {
                member.unaccepted = u64_at(plain, 4).map(Unaccepted::OtherVersion);
            }
        })?;
        if let Some((seal, number)) = member.seal.as_mut().zip(number) {
            seal.take(number)?;
        }
        member.note_received(datagram.len(), arrived);
        member.trip.note_echo(content.token, arrived);
        // A late datagram may belong to an earlier session, which had a different clock origin and other
        // updates.
        let is_current = content.session.is_none() || content.session == member.session;
        if let Some((request, _)) = content.request.as_ref().filter(|_| is_current) {
            member.watch_clock(request, arrived, content.known.filter(|known| known.epoch == epoch));
        }
        if let Some((request, digest)) = content.request {
            let is_known = is_current && member.known == newest && digested == newest;
            member.differs = is_known && digest.is_some_and(|of_guest| of_guest != of_host);
            member.requests.push(PendingRequest { request, found: arrived, polled: self.polled });
        }
        let Some(session) = content.session else { return Ok(()) };
        if member.session != Some(session) {
            // The datagram may be left over from an earlier session, or its source address may be forged.
            let is_first = member.session.is_none() && member.credit.is_none();
            if !is_first && content.token != Some(token(self.secret, player, session, member.sessions)) {
                member.unaccepted = Some(Unaccepted::Challenged(session));
                return Ok(());
            }
            member.credit = None;
            member.start_session(session, arrived);
            // In a new session, the guest numbers its reports from one again.
            self.organiser.remove(player);
            self.organiser.admit(player);
        }
        if let Some(known) = content.known {
            member.note_known(known, epoch, newest);
        }
        if let Some(((offer, is_known), link)) = member.offer.as_mut().zip(content.link) {
            // The guest does not confirm this offer if a late copy of an earlier offer has replaced it.
            *is_known = link == offer.key.id();
        }
        // Until a guest knows the current round, its reports are about the previous round.
        let known = self.members[place].known;
        if known >= self.start.changed {
            self.organiser.note_known(player);
        }
        if let Some(report) = content.report.filter(|_| known >= self.round.changed) {
            self.organiser.receive(player, &report, arrived);
        }
        Ok(())
    }

    /// Returns the next datagram to send at `now`. The result is the player, the bytes, and whether to send
    /// them reliably if the transport can. In every frame, call this until it returns `None`, immediately
    /// before the transport sends its datagrams.
    pub fn next(&mut self, now: ServerTime) -> Option<(u64, &[u8], bool)> {
        loop {
            // The revision that announced an upcoming start, and the interval at which to repeat the update.
            let urgent = self.organiser.urgent(now).map(|interval| (self.start.changed, interval));
            let place = self.next_due(now, urgent)?;
            let member = &mut self.members[place];
            if let Some(Unaccepted::OtherVersion(session)) = member.unaccepted {
                member.unaccepted = None;
                // The notice needs no credit, because it is not longer than the datagram that it answers.
                let notice = wire::notice(&session.to_be_bytes());
                let size = finish(&mut member.seal, &notice, &mut self.out)?;
                return Some((member.player, &self.out[..size], false));
            }
            let is_due = member.challenged().is_none() && member.is_due(now, self.revision, urgent);
            let rest = member.rest(self.revision, now).filter(|_| !is_due && !member.asked);
            let is_due = is_due || rest.is_some_and(|(_, is_due)| is_due);
            let rest = rest.map(|(base, _)| base);
            let writer = self.write(place, is_due, rest, now);
            // Nothing is written if a request has waited too long or an unproven address lacks credit.
            if writer.is_empty() {
                continue;
            }
            let member = &mut self.members[place];
            let size = finish(&mut member.seal, writer.bytes(), &mut self.out)?;
            member.note_sent_bytes(size, is_due);
            return Some((self.members[place].player, &self.out[..size], false));
        }
    }

    fn next_due(&mut self, now: ServerTime, urgent: Option<(u32, Span)>) -> Option<usize> {
        let count = self.members.len();
        let place = (1..=count).map(|step| (self.turn + step) % count).find(|&place| {
            let member = &self.members[place];
            !member.requests.is_empty()
                || member.unaccepted.is_some()
                || member.is_due(now, self.revision, urgent)
                || member.rest(self.revision, now).is_some()
        })?;
        self.turn = place;
        Some(place)
    }
}

#[derive(Default)]
struct GuestDatagram {
    session: Option<u64>,
    request: Option<(Request, Option<u64>)>,
    known: Option<Known>,
    token: Option<u64>,
    link: Option<u32>,
    report: Option<Report>,
}

impl GuestDatagram {
    fn read(plain: &[u8]) -> Result<Self, SessionError> {
        let sections = Read::new(plain, TO_HOST)?;
        let mut content = GuestDatagram { session: sections.session, ..GuestDatagram::default() };
        for (tag, body) in sections {
            match tag {
                EXCHANGE => {
                    let digest = u64_at(body, 24).filter(|&digest| digest != 0);
                    content.request = Some((wire::decode_request(body)?, digest));
                }
                STATE => content.known = Some(Known::decode(body).ok_or(SessionError::Truncated)?),
                TOKEN => content.token = u64_at(body, 0),
                LINK => content.link = u32_at(body, 0),
                START => content.report = Some(Report::decode(body).ok_or(SessionError::Truncated)?),
                _ => {}
            }
        }
        Ok(content)
    }
}
