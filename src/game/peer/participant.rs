use std::collections::VecDeque;

use super::error::{PeerError, Rejection};
use super::message::{Began, Body, GameState, Message, PEER_DATAGRAM_SIZE, Ready, SynchReply};
use super::reading::{PeerReading, PeerStage};
use crate::clock::authority::Authority;
use crate::clock::for_parts::{Unguessable, memory, parts};
use crate::clock::{
    Client, Config, CreateError, LocalTime, Reply, Request, RequestId, ServerTime, Span, State, TimeError,
    WireError,
};

const LOGIN_EVERY: Span = Span::from_millis(500);
const REJECTED_FOR: Span = Span::from_secs(2);
const READY_EVERY: Span = Span::from_millis(250);
/// The peer gives up its slot after this long without a message from the relay. It sends 20 READYs in this
/// time.
const LOST_AFTER: Span = Span::from_secs(5);
/// Maximum number of other peers' requests to store. Peers repeat their dropped requests.
const UNANSWERED: usize = 64;
/// Messages are handled within this time after their timestamp, unless the local clock was set back.
const HANDLED_LATE: Span = Span::from_secs(1);

/// A primary's clock is its local clock plus a constant offset.
#[derive(Clone, Copy, Debug)]
struct Own {
    from: LocalTime,
    shared: ServerTime,
    authority: Authority,
}

impl Own {
    fn at(&self, local: LocalTime) -> ServerTime {
        self.shared + (local - self.from)
    }
}

#[derive(Clone, Copy, Debug)]
struct Member {
    slot: u16,
    token: u64,
    generation: u16,
    leads: bool,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    slot: u16,
    id: u64,
    held: u32,
    received: LocalTime,
}

/// A participant in one game. Use a peer from one thread at a time. Memory is allocated only on creation.
///
/// In every frame, pass received messages to [`receive`](Self::receive), and send the messages from
/// [`next_message`](Self::next_message) until it returns `None`. The peer repeats lost messages.
///
/// See [`Relay`](super::Relay) for an example.
#[derive(Debug)]
pub struct Peer {
    client: Client,
    game: u64,
    random: Unguessable,
    key: u64,
    /// The relay's cookie, or zero before the relay has sent one.
    cookie: u64,
    member: Option<Member>,
    players: u16,
    rejection: Option<Rejection>,
    is_leaving: bool,
    /// When the next LOGIN or READY is due, or `None` if it is due immediately.
    due: Option<LocalTime>,
    said_clock: bool,
    heard: Option<LocalTime>,
    own: Option<Own>,
    /// When the game began on the current timescale and on the previous one.
    began: [Option<Began>; 2],
    request: Option<RequestId>,
    asked: VecDeque<Asked>,
    ticked: LocalTime,
}

impl Peer {
    /// Creates a peer for the game with the id `game`. `config` contains the clock settings. `seed` makes the
    /// peer's messages unguessable. Draw all 128 bits from the operating system's random number generator.
    ///
    /// # Errors
    /// Fails if a field of `config` is out of range, the seed is zero, or there is not enough memory.
    pub fn new(config: Config, game: u64, seed: u128) -> Result<Self, CreateError> {
        // The client sends its random numbers over the network, so use a different seed.
        let mut random = Unguessable::new(!seed);
        Ok(Peer {
            client: Client::new(config, seed)?,
            game,
            key: random.next(),
            random,
            cookie: 0,
            member: None,
            players: 0,
            rejection: None,
            is_leaving: false,
            due: None,
            said_clock: false,
            heard: None,
            own: None,
            began: [None; 2],
            request: None,
            asked: memory::list(UNANSWERED)?.into(),
            ticked: LocalTime::from_ticks(i64::MIN),
        })
    }

    /// Handles a message from the relay. Take the timestamp `arrived` as close to the socket as possible.
    ///
    /// # Errors
    /// Returns the reason if the message was rejected. The peer is unchanged, but [`PeerReading::rejection`]
    /// reports [`PeerError::Rejected`].
    pub fn receive(&mut self, message: &[u8], arrived: LocalTime) -> Result<(), PeerError> {
        arrived.check()?;
        let message = Message::decode(message)?;
        let is_of_member = self.member.is_some_and(|known| known.token == message.proof);
        if is_of_member && matches!(message.body, Body::Reject(_)) {
            // The message contains the token, so the relay rejected a READY.
            self.lose_slot();
            return Ok(());
        }
        // Comparing integers takes constant time, so the timing reveals nothing about the key.
        if message.proof != self.key {
            return Err(PeerError::WrongKey);
        }
        match message.body {
            Body::Challenge { .. } | Body::Reject(_) if self.member.is_some() => {
                return Err(PeerError::Stale);
            }
            Body::Challenge { cookie } => {
                self.due = self.due.filter(|_| self.cookie != 0);
                self.cookie = cookie;
            }
            Body::Reject(why) => {
                (self.rejection, self.due) = (Some(why), Some(arrived + REJECTED_FOR));
                return Err(PeerError::Rejected(why));
            }
            Body::State(state) => self.take_state(&message, &state, arrived)?,
            Body::Request { id, held } => {
                self.check_role(true, message.generation)?;
                if self.asked.len() == UNANSWERED {
                    self.asked.pop_front();
                }
                self.asked.push_back(Asked { slot: message.slot, id, held, received: arrived });
            }
            Body::Reply(reply) => {
                self.check_role(false, message.generation)?;
                self.learn(&reply, arrived)?;
            }
            Body::Login { .. } | Body::Ready(_) => return Err(PeerError::WrongRole),
        }
        self.heard = Some(arrived);
        Ok(())
    }

    fn check_role(&self, leads: bool, generation: u16) -> Result<(), PeerError> {
        let member = self.member.filter(|known| known.leads == leads).ok_or(PeerError::WrongRole)?;
        if member.generation == generation { Ok(()) } else { Err(PeerError::Stale) }
    }

    fn take_state(&mut self, message: &Message, state: &GameState, now: LocalTime) -> Result<(), PeerError> {
        let Message { slot, generation, .. } = *message;
        let next = Member { slot, token: state.token, generation, leads: state.leads };
        let newer = self.member.map_or(1, |known| generation.wrapping_sub(known.generation) as i16);
        let is_another =
            |known: Member| known.token != next.token || (newer == 0 && known.leads != next.leads);
        if newer < 0 || self.member.is_some_and(is_another) {
            return Err(PeerError::Stale);
        }
        self.players = state.players;
        if newer > 0 {
            // Send a READY immediately, which confirms the token.
            (self.member, self.rejection, self.due, self.request) = (Some(next), None, None, None);
            self.asked.clear();
            if next.leads { self.lead(now) } else { self.own = None }
        }
        if let Some(began) = state.began {
            self.learn_begin(began);
        } else if let Some(own) = self.own.filter(|_| state.begins) {
            self.learn_begin(Began { timescale: own.authority.timescale, at: own.at(self.latest(now)) });
            self.due = None;
        }
        Ok(())
    }

    fn lose_slot(&mut self) {
        (self.member, self.due, self.request) = (None, None, None);
        (self.key, self.cookie) = (self.random.next(), 0);
    }

    /// Does the work that is due at `now`, and returns the next message, which you should send immediately.
    /// Call this in every frame until it returns `None`. Returns the same errors as
    /// [`Client::tick`](crate::Client::tick).
    pub fn next_message(&mut self, now: LocalTime) -> Result<Option<[u8; PEER_DATAGRAM_SIZE]>, TimeError> {
        self.tick(now)?;
        let next = self.next_reply(now).or_else(|| self.next_ready(now)).or_else(|| {
            let id = self.request.take()?.0;
            Some(self.member?.say(0, Body::Request { id, held: 0 }))
        });
        Ok(next.map(|message| message.encode()))
    }

    fn tick(&mut self, now: LocalTime) -> Result<(), TimeError> {
        now.check()?;
        if self.member.is_none() && self.client.authority(now).is_none() {
            return Ok(());
        }
        if let Some(request) = self.client.tick(now)? {
            let is_own = self.answer_itself(&request, now);
            self.request = Some(request.id).filter(|_| !is_own && self.member.is_some());
        }
        self.ticked = now;
        if self.member.is_some() && self.heard.is_some_and(|heard| now - heard > LOST_AFTER) {
            self.lose_slot();
        }
        Ok(())
    }

    fn next_reply(&mut self, now: LocalTime) -> Option<Message> {
        loop {
            let Asked { slot, id, held: held_there, received } = self.asked.pop_front()?;
            let (own, member) = (self.own?, self.member?);
            let authority = self.authority_of(&own, now);
            let hold = u32::try_from((now - received).ticks().max(0));
            let Some(hold) = hold.ok().filter(|_| authority.check().is_ok()) else { continue };
            let received = own.at(received);
            let reply = SynchReply { id, received, hold, held_there, held_back: 0, authority };
            return Some(member.say(slot, Body::Reply(reply)));
        }
    }

    fn next_ready(&mut self, now: LocalTime) -> Option<Message> {
        let is_due = self.due.is_none_or(|due| now >= due || due - now > REJECTED_FOR);
        let Some(member) = self.member else {
            if self.is_leaving || !is_due {
                return None;
            }
            self.due = Some(now + LOGIN_EVERY);
            let body = Body::Login { game: self.game, cookie: self.cookie };
            return Some(Message { generation: 0, slot: 0, proof: self.key, body });
        };
        let has_clock = self.client.read(now).state != State::Unsynced;
        if !is_due && !self.is_leaving && has_clock == self.said_clock {
            return None;
        }
        (self.due, self.said_clock) = (Some(now + READY_EVERY), has_clock);
        self.member = self.member.filter(|_| !self.is_leaving);
        let began = self.own.and_then(|own| self.began_on(own.authority.timescale));
        Some(member.say(0, Body::Ready(Ready { has_clock, leaves: self.is_leaving, began })))
    }

    /// Leaves the game. The next message notifies the relay. The clock keeps running.
    pub fn leave(&mut self) {
        self.is_leaving = true;
    }

    /// Returns the peer's state and the shared clock at `now`.
    pub fn read(&self, now: LocalTime) -> PeerReading {
        let (clock, authority) = (self.client.read(now), self.client.authority(now));
        let has_clock = clock.state != State::Unsynced;
        let began = authority.and_then(|it| self.began_on(it.timescale)).filter(|_| has_clock);
        let stage = match (self.member, began) {
            (None, _) if self.is_leaving => PeerStage::Ended,
            (None, _) => PeerStage::Joining,
            (_, Some(_)) => PeerStage::Playing,
            _ if has_clock => PeerStage::Synced,
            _ => PeerStage::Waiting,
        };
        let time = began.map_or(0, |began| (clock.server_time - began.at).ticks().max(0));
        PeerReading {
            stage,
            leads: self.member.is_some_and(|known| known.leads),
            slot: self.member.map_or(0, |known| known.slot),
            players: self.players,
            time: ServerTime::from_ticks(time),
            clock,
            inherited: authority.map_or(Span::ZERO, |authority| authority.dispersion),
            rejection: self.rejection,
        }
    }

    fn learn_begin(&mut self, next: Began) {
        if self.began_on(next.timescale).is_none() {
            self.began = [Some(next), self.began[0]];
        }
    }

    fn began_on(&self, timescale: u64) -> Option<Began> {
        self.began.into_iter().flatten().find(|began| began.timescale == timescale)
    }

    /// Makes this peer the primary, whose clock continues from its current reading. A peer without the shared
    /// clock begins a new timescale. It starts at zero if the peer's clock shows no time.
    fn lead(&mut self, now: LocalTime) {
        if self.own.is_some() {
            return;
        }
        let now = self.latest(now);
        let (epoch, reading) = (self.random.next(), self.client.read(now));
        let is_known = reading.state != State::Unsynced && reading.error_bound < Span::MAX;
        let known = self.client.authority(now).filter(|_| is_known);
        let authority = match known {
            Some(Authority { timescale, dispersion, .. }) => {
                Authority { epoch, timescale, dispersion: dispersion + reading.error_bound }
            }
            None => Authority::alone(epoch),
        };
        self.own = Some(Own { from: now, shared: reading.server_time, authority });
        if let Ok(request) = self.client.make_request(now) {
            self.answer_itself(&request, now);
        }
    }

    /// Answers the primary's own requests, so that it reads its clock like any other peer. Returns false if
    /// this peer is not the primary.
    fn answer_itself(&mut self, request: &Request, now: LocalTime) -> bool {
        let Some(own) = self.own else { return false };
        let (authority, shared) = (self.authority_of(&own, now), own.at(now));
        let _ = self.client.set_authority(&authority, now);
        let (id, epoch) = (request.id, authority.epoch);
        let reply = Reply { id, epoch, received: shared, sent: shared, wait: None };
        let _ = self.client.handle_reply(&reply, now);
        true
    }

    /// The dispersion grows, because the primary's clock may drift from the timescale that it continues.
    fn authority_of(&self, own: &Own, now: LocalTime) -> Authority {
        let known = own.authority;
        let drift = if known.is_alone() { Span::ZERO } else { self.drift(now - own.from) };
        Authority { dispersion: known.dispersion + drift, ..known }
    }

    fn learn(&mut self, reply: &SynchReply, arrived: LocalTime) -> Result<(), PeerError> {
        let SynchReply { id, received, hold, held_there, held_back, authority } = *reply;
        let sent = received + Span::from_ticks(hold.into()) + self.least_hold(held_back);
        let received = received - self.least_hold(held_there);
        if !received.is_valid() || !sent.is_valid() {
            return Err(WireError::Stamp.into());
        }
        let reply = Reply { id: RequestId(id), epoch: authority.epoch, received, sent, wait: None };
        // If the client would reject the reply, ignore the authority as well.
        parts(&self.client).check_reply(&reply, arrived)?;
        // The client rejects an authority with a new timescale, for example. The clock then starts over.
        let _ = self.client.set_authority(&authority, self.latest(arrived));
        Ok(self.client.handle_reply(&reply, arrived)?)
    }

    /// Returns the shortest time for which the relay may have held the message. The clock that measured
    /// `held` may be fast and has a limited resolution.
    fn least_hold(&self, held: u32) -> Span {
        let held = Span::from_ticks(held.into());
        (held - self.drift(held) - self.client.config().server_resolution).max(Span::ZERO)
    }

    fn drift(&self, elapsed: Span) -> Span {
        let rate = self.client.config().drift();
        Span::from_ticks((elapsed.abs().ticks() as f64 * rate).ceil() as i64)
    }

    /// Returns `now`, or the time of the last tick if that is slightly later. A message may be timestamped
    /// before a tick and handled after it.
    fn latest(&self, now: LocalTime) -> LocalTime {
        if self.ticked > now && self.ticked - now < HANDLED_LATE { self.ticked } else { now }
    }
}

impl Member {
    fn say(&self, slot: u16, body: Body) -> Message {
        Message { generation: self.generation, slot, proof: self.token, body }
    }
}
