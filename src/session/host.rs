//! The server's end of all conversations.

use core::hash::Hasher;

use siphasher::sip::SipHasher24;

use super::WORLDS;
use super::error::SessionError;
use super::member::Member;
use super::message::{
    AUTHORITY, DATAGRAM_MOST, EXCHANGE, Known, PLAIN_MOST, Read, SEGMENT, START, STATE, State, TO_GUEST,
    TO_HOST, TOKEN, UTC, Writer, finish,
};
use crate::clock::authority::{Authority, AuthorityReply};
use crate::clock::for_parts::{memory, range::number, u64_at};
use crate::clock::keyed::{Channel, SealedChannel, SessionKey};
use crate::clock::wire::{self, Datagram};
use crate::clock::{
    CreateError, Direction, Request, Responder, ServerTime, Span, TimeError, UtcTime, WireError, WorldTime,
};
use crate::game::start::{Organiser, OrganiserConfig, Participation, Proposal, StartError, StartResult};
use crate::game::timeline::{Publisher, PublisherConfig, Rate, Segment};
use crate::game::utc::{UtcClaim, UtcPublisher, UtcPublisherConfig, UtcReply};

/// Stands for "nothing is confirmed" where an instant is expected.
const NO_INSTANT: i64 = i64::MIN;
/// A request is answered within this, or not at all: guests refuse replies that were held longer.
const LONGEST_HOLD: Span = Span::from_secs(5);

/// Settings of a [`Host`]. Checked once, when it is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostConfig {
    /// Most players at a time; memory for them is allocated at creation. (count, 1..=16384, default 64)
    pub capacity: u32,
    /// Settings of all worlds.
    pub world: PublisherConfig,
    /// Settings of the server's UTC.
    pub utc: UtcPublisherConfig,
    /// Settings of starts.
    pub start: OrganiserConfig,
}

impl Default for HostConfig {
    fn default() -> Self {
        HostConfig {
            capacity: 64,
            world: PublisherConfig::default(),
            utc: UtcPublisherConfig::default(),
            start: OrganiserConfig::default(),
        }
    }
}

/// A subject, with the revision of its newest change. Zero: it never changed.
#[derive(Debug)]
struct Subject<T> {
    is: T,
    changed: u32,
}

/// Names a subject that a datagram has to contain.
#[derive(Clone, Copy, Debug)]
enum News {
    World(usize),
    Utc,
    Authority,
    /// [`State::round`].
    Round,
}

/// The server's end: answers requests, publishes worlds, UTC, authority and starts to all players. One owner;
/// it allocates memory when it is created and never again. See [the module](super) for an example.
#[derive(Debug)]
pub struct Host {
    responder: Responder,
    worlds: [Subject<Publisher>; WORLDS],
    utc: Subject<UtcPublisher>,
    authority: Subject<Option<Authority>>,
    /// The round of starts; zero: no start is wanted.
    round: Subject<u32>,
    /// The start of this round is scheduled, so the next proposal begins another round.
    is_scheduled: bool,
    organiser: Organiser,
    members: Vec<Member>,
    capacity: usize,
    /// The revision of the newest change of any subject.
    revision: u32,
    /// When the caller polled for datagrams last, if it said so.
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
        let world = |instance| Publisher::new(config.world, epoch, instance);
        let subject = |is| Subject { is, changed: 0 };
        Ok(Host {
            responder: Responder::new(epoch),
            worlds: [subject(world(1)?), subject(world(1)?), subject(world(1)?), subject(world(1)?)],
            utc: Subject { is: UtcPublisher::new(config.utc, epoch)?, changed: 0 },
            authority: Subject { is: None, changed: 0 },
            round: Subject { is: 0, changed: 0 },
            is_scheduled: false,
            organiser: Organiser::new(config.start, epoch)?,
            members: memory::list(config.capacity as usize)?,
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

    /// Admits a player whose datagrams come over the game's own connection, which vouches for the sender.
    /// `player` is any number that names the connection. With a `key`, all datagrams are sealed.
    ///
    /// # Errors
    /// [`SessionError::Duplicate`], [`SessionError::Full`].
    pub fn admit(&mut self, player: u64, key: Option<&SessionKey>) -> Result<(), SessionError> {
        let seal = key.map(|key| SealedChannel::new(key, Channel::Messages, Direction::ToClient));
        self.add(Member::new(player, seal, None))
    }

    /// Admits a player whose address may be forged. Until the player returns a token, the host sends it no
    /// more bytes than it received.
    ///
    /// # Errors
    /// As [`admit`](Self::admit).
    pub fn admit_unproven(&mut self, player: u64) -> Result<(), SessionError> {
        self.add(Member::new(player, None, Some(0)))
    }

    fn add(&mut self, member: Member) -> Result<(), SessionError> {
        if self.find(member.player).is_ok() {
            return Err(SessionError::Duplicate);
        }
        if self.members.len() >= self.capacity {
            return Err(SessionError::Full);
        }
        // Players beyond the organiser's capacity do not take part in starts.
        let _ = self.organiser.admit(member.player);
        self.members.push(member);
        Ok(())
    }

    /// Forgets a player who has left. A start does not wait for it.
    ///
    /// # Errors
    /// [`SessionError::UnknownPlayer`].
    pub fn dismiss(&mut self, player: u64) -> Result<(), SessionError> {
        let place = self.find(player)?;
        let _ = self.organiser.remove(player);
        self.members.swap_remove(place);
        Ok(())
    }

    /// Whether the player knows the newest state of every subject.
    ///
    /// # Errors
    /// [`SessionError::UnknownPlayer`].
    pub fn is_up_to_date(&self, player: u64) -> Result<bool, SessionError> {
        let member = &self.members[self.find(player)?];
        Ok(member.session.is_some() && member.known == self.revision)
    }

    fn find(&self, player: u64) -> Result<usize, SessionError> {
        self.members.iter().position(|member| member.player == player).ok_or(SessionError::UnknownPlayer)
    }

    // Subjects.

    /// Observes a frame of a world, as [`Publisher::observe`]. Returns the segment that guests will be sent,
    /// if there is a new one.
    ///
    /// # Errors
    /// [`SessionError::UnknownWorld`], and the errors of [`Publisher::observe`].
    pub fn observe(
        &mut self,
        world: usize,
        real: ServerTime,
        time: WorldTime,
        rate: Rate,
    ) -> Result<Option<Segment>, SessionError> {
        let subject = self.worlds.get_mut(world).ok_or(SessionError::UnknownWorld)?;
        let segment = subject.is.observe(real, time, rate)?;
        if segment.is_some() {
            change(&mut self.revision, subject);
        }
        Ok(segment)
    }

    /// Begins another world with the next observed frame, as [`Publisher::begin_world`].
    ///
    /// # Errors
    /// [`SessionError::UnknownWorld`].
    pub fn begin_world(&mut self, world: usize) -> Result<(), SessionError> {
        self.worlds.get_mut(world).ok_or(SessionError::UnknownWorld)?.is.begin_world();
        Ok(())
    }

    /// Observes the machine's UTC, as [`UtcPublisher::observe`].
    ///
    /// # Errors
    /// The errors of [`UtcPublisher::observe`].
    pub fn observe_utc(
        &mut self,
        at: ServerTime,
        utc: UtcTime,
        bound: Option<Span>,
    ) -> Result<Option<UtcClaim>, SessionError> {
        let claim = self.utc.is.observe(at, utc, bound)?;
        if claim.is_some() {
            change(&mut self.revision, &mut self.utc);
        }
        Ok(claim)
    }

    /// States whose clock this server shows, and how far it may be off. Guests learn it with their first
    /// reply.
    ///
    /// # Errors
    /// The dispersion is out of range.
    pub fn state_authority(&mut self, authority: Authority) -> Result<(), SessionError> {
        AuthorityReply { id: 0, authority }.encode()?;
        if self.authority.is != Some(authority) {
            self.authority.is = Some(authority);
            change(&mut self.revision, &mut self.authority);
        }
        Ok(())
    }

    /// Schedules a start of all players, or reports which player is not ready, as [`Organiser::propose`].
    /// Call it until a start is scheduled.
    ///
    /// # Errors
    /// The errors of [`Organiser::propose`].
    pub fn propose_start(&mut self, now: ServerTime, confidence: f64) -> Result<Proposal, SessionError> {
        let proposal = self.organiser.propose(now, confidence)?;
        if self.round.is == 0 || self.is_scheduled {
            self.set_round(self.round.is.wrapping_add(1).max(1));
        }
        self.is_scheduled = matches!(proposal, Proposal::Scheduled { .. });
        Ok(proposal)
    }

    /// Cancels the start that is under way, as [`Organiser::cancel`].
    ///
    /// # Errors
    /// The errors of [`Organiser::cancel`].
    pub fn cancel_start(&mut self, now: ServerTime) -> Result<(), SessionError> {
        Ok(self.organiser.cancel(now)?)
    }

    /// Ends the newest start: players who join later do not learn of it. Call it when the game needs no
    /// further start.
    pub fn end_starts(&mut self) {
        self.set_round(0);
    }

    /// The result of the newest start.
    ///
    /// # Errors
    /// [`StartError::NoStart`] if there was none yet.
    pub fn start_result(&self) -> Result<StartResult, StartError> {
        self.organiser.result()
    }

    /// The state of a player in the newest start at `now`.
    ///
    /// # Errors
    /// [`StartError::UnknownParticipant`].
    pub fn participation(&self, player: u64, now: ServerTime) -> Result<Participation, StartError> {
        self.organiser.participation(player, now)
    }

    fn set_round(&mut self, round: u32) {
        if self.round.is != round {
            self.round.is = round;
            change(&mut self.revision, &mut self.round);
        }
    }

    // Datagrams.

    /// Notes that the caller polled its transport at `at`, and has handled all datagrams that were there. So
    /// the datagrams that [`receive`](Self::receive) handles afterwards arrived after `at`. Call it once a
    /// poll, after the last datagram. Before a datagram that was stamped on arrival, pass its stamp. Guests
    /// then know how long their requests may have waited.
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
        if said.session.is_some_and(|session| member.has_left(session)) {
            return Err(SessionError::OtherSession);
        }
        if let Some((seal, number)) = member.seal.as_mut().zip(number) {
            seal.take(number)?;
        }
        member.note(datagram.len());
        member.request = said.request.map(|request| (request, arrived, self.polled)).or(member.request);
        let Some(session) = said.session else { return Ok(()) };
        if member.session != Some(session) {
            if member.credit.is_some() && said.token != Some(token(self.secret, player, session)) {
                member.challenged = Some(session);
                return Ok(());
            }
            member.begin(session);
            // The guest has a new participant with a new key.
            let _ = self.organiser.remove(player);
            let _ = self.organiser.admit(player);
        }
        if said.token == Some(token(self.secret, player, session)) {
            member.credit = None;
        }
        if let Some(known) = said.known {
            member.learn(known, epoch, newest);
        }
        for (_, message) in Read::new(plain, TO_HOST)?.filter(|(tag, _)| *tag == START) {
            // Repeated and late messages are normal.
            let _ = self.organiser.receive(player, message, arrived);
        }
        Ok(())
    }

    /// The next datagram to send at `now`: the player, the bytes, and whether to send them reliably if the
    /// transport can. Call it in every frame until it returns none, right before datagrams leave.
    pub fn next(&mut self, now: ServerTime) -> Option<(u64, &[u8], bool)> {
        let started = self.organiser.next_message(now);
        let (place, message) = match started {
            Some((player, message)) => (self.find(player).ok()?, Some(message)),
            None => (self.next_due(now)?, None),
        };
        let writer = self.write(place, message.as_ref(), now);
        let member = &mut self.members[place];
        let size = finish(&mut member.seal, writer.bytes(), &mut self.out)?;
        member.credit = member.credit.map(|credit| credit.saturating_sub(size));
        Some((member.player, &self.out[..size], false))
    }

    /// The next player for whom a datagram is due.
    fn next_due(&mut self, now: ServerTime) -> Option<usize> {
        let count = self.members.len();
        let place = (1..=count).map(|step| (self.turn + step) % count).find(|&place| {
            let member = &self.members[place];
            member.request.is_some() || member.is_due(now, self.revision)
        })?;
        self.turn = place;
        Some(place)
    }

    fn write(&mut self, place: usize, start: Option<&Datagram>, now: ServerTime) -> Writer {
        let member = &mut self.members[place];
        let request = member.request.take();
        let reply = request.and_then(|it| answer(self.responder, it, now));
        let most = member.credit.map_or(PLAIN_MOST, |credit| credit.min(PLAIN_MOST));
        let session = member.challenged.or(member.session).unwrap_or(0);
        let is_proven = member.credit.is_none() && member.session.is_some();
        let mut writer = Writer::new(TO_GUEST, session, most);
        // News comes first: the authority has to be known before the reply counts.
        if is_proven
            && (member.known < self.revision || member.asked || (reply.is_some() && self.revision > 0))
        {
            self.write_news(
                place,
                &mut writer,
                usize::from(reply.is_some()) + usize::from(start.is_some()),
                now,
            );
        }
        let member = &mut self.members[place];
        if let Some(reply) = reply {
            let _ = writer.add(EXCHANGE, &reply, &[]);
        }
        if let Some(challenged) = member.challenged.take() {
            let token = token(self.secret, member.player, challenged);
            let _ = writer.add(TOKEN, &token.to_be_bytes(), &[]);
        }
        if let Some(start) = start {
            let _ = writer.add(START, start, &[]);
        }
        writer
    }

    /// Writes the changes that the guest does not know, oldest first, while there is room beside this number
    /// of other messages.
    fn write_news(&mut self, place: usize, writer: &mut Writer, others: usize, now: ServerTime) {
        const OTHER: usize = 2 + wire::SIZE;
        let member = &self.members[place];
        let mut news = self.news_since(member.known);
        news.sort_unstable_by_key(|news| news.map_or(u32::MAX, |(revision, _)| revision));
        let mut sections = Writer::new(TO_GUEST, 0, PLAIN_MOST - (others + 1) * OTHER);
        let mut known = self.revision;
        for (revision, news) in news.into_iter().flatten() {
            if !self.write_newest(news, &mut sections) {
                known = revision - 1;
                break;
            }
        }
        let state = State {
            base: member.known,
            revision: known.max(member.known),
            acknowledged: member.known,
            round: self.round.is,
            epoch: self.epoch(),
            through: self.through(),
        };
        let _ = writer.add(STATE, &state.encode(), &[]);
        writer.append(&sections);
        let member = &mut self.members[place];
        member.asked = false;
        member.note_sent(state.revision, now);
    }

    /// The subjects that changed after `known`, with their revisions.
    fn news_since(&self, known: u32) -> [Option<(u32, News)>; WORLDS + 3] {
        let mut news = [None; WORLDS + 3];
        let worlds = self.worlds.iter().enumerate().map(|(place, world)| (world.changed, News::World(place)));
        let others = [
            (self.utc.changed, News::Utc),
            (self.authority.changed, News::Authority),
            (self.round.changed, News::Round),
        ];
        for (place, subject) in news.iter_mut().zip(worlds.chain(others)) {
            *place = Some(subject).filter(|(changed, _)| *changed > known);
        }
        news
    }

    /// Writes the newest state of a subject. False if there is no room for it.
    fn write_newest(&self, news: News, writer: &mut Writer) -> bool {
        match news {
            // A publisher's segment is valid, so encoding it cannot fail.
            News::World(place) => {
                let segment = self.worlds[place].is.newest().and_then(|newest| newest.encode().ok());
                segment.is_none_or(|bytes| writer.add(SEGMENT, &[place as u8], &bytes))
            }
            News::Utc => {
                let claim = self.utc.is.newest().map(|claim| UtcReply { id: 0, claim: *claim });
                claim.and_then(|it| it.encode().ok()).is_none_or(|bytes| writer.add(UTC, &bytes, &[]))
            }
            News::Authority => {
                let stated = self.authority.is.map(|authority| AuthorityReply { id: 0, authority });
                stated.and_then(|it| it.encode().ok()).is_none_or(|bytes| writer.add(AUTHORITY, &bytes, &[]))
            }
            News::Round => true,
        }
    }

    /// The latest instant up to which the newest segments of all worlds hold.
    fn through(&self) -> i64 {
        let known = self.worlds.iter().filter_map(|world| world.is.newest()?.through);
        known.min().map_or(NO_INSTANT, ServerTime::ticks)
    }
}

/// Gives a changed subject the next revision.
fn change<T>(revision: &mut u32, subject: &mut Subject<T>) {
    // At a thousand changes a second the counter lasts for seven weeks.
    *revision = revision.saturating_add(1);
    subject.changed = *revision;
}

/// Answers a request that was found at `found`, after a poll at `polled`.
fn answer(
    responder: Responder,
    (request, found, polled): (Request, ServerTime, Option<ServerTime>),
    now: ServerTime,
) -> Option<Datagram> {
    if now - found > LONGEST_HOLD {
        return None;
    }
    let reply = responder.respond(&request, found, now).ok()?;
    wire::encode_reply(&polled.map_or(reply, |polled| reply.found_after(polled))).ok()
}

fn token(mut secret: SipHasher24, player: u64, session: u64) -> u64 {
    secret.write_u64(player);
    secret.write_u64(session);
    secret.finish()
}

/// The content of a guest's datagram, apart from messages of starts.
struct Said {
    session: Option<u64>,
    request: Option<Request>,
    known: Option<Known>,
    token: Option<u64>,
}

impl Said {
    fn read(plain: &[u8]) -> Result<Self, SessionError> {
        let sections = Read::new(plain, TO_HOST)?;
        let mut said = Said { session: sections.session, request: None, known: None, token: None };
        for (tag, body) in sections {
            match tag {
                EXCHANGE => said.request = Some(wire::decode_request(body)?),
                STATE => said.known = Some(Known::decode(body).ok_or(SessionError::Truncated)?),
                TOKEN => said.token = u64_at(body, 0),
                _ => {}
            }
        }
        Ok(said)
    }
}
