//! Appoints a game's primary, forwards messages between the peers, and starts the game.

use std::collections::VecDeque;

use super::error::PeerError;
use super::message::{Began, Body, GameState, Message, Ready, SynchReply};
use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{LocalTime, Span, TICKS_PER_SECOND};

const SILENCE: Span = Span::from_secs(3);
const PATIENCE: Span = Span::from_secs(10);
/// Each peer may send 256 messages per second, all of which may come in one burst. Replies do not count
/// towards this limit.
const COST: Span = Span::from_ticks(TICKS_PER_SECOND / 256);
const BURST: Span = Span::from_secs(1);
pub(super) const QUEUED: usize = 64;
/// The primary may still answer at most this many requests of a slot, because older requests are obsolete.
const UNANSWERED: u8 = 64;

type Handled = Result<(), PeerError>;

/// The relay allocates it for [`QUEUED`] messages per slot.
pub(super) type Outbox = VecDeque<Parcel>;

/// `joined` identifies the receiver even if its slot has been reassigned.
#[derive(Debug)]
pub(super) struct Parcel {
    pub(super) game: usize,
    slot: usize,
    joined: u64,
    received: LocalTime,
    /// A request or reply with the secondary's slot. It is `None` for a STATE, which is created when it is
    /// sent.
    forwarded: Option<(u16, Body)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Occupant {
    connection: u64,
    /// Random number drawn by the peer, which authenticates messages from the relay.
    key: u64,
    /// Random number drawn by the relay, which authenticates messages from the peer.
    token: u64,
    /// Peers are numbered in the order in which they joined.
    joined: u64,
    heard: LocalTime,
    has_clock: bool,
    unanswered: u8,
    /// Number of queued messages, and whether a STATE is queued.
    queued: usize,
    is_told: bool,
    spent: LocalTime,
}

impl Occupant {
    pub(super) fn new(connection: u64, key: u64, token: u64, joined: u64, now: LocalTime) -> Self {
        Occupant {
            connection,
            key,
            token,
            joined,
            heard: now,
            has_clock: false,
            unanswered: 0,
            queued: 0,
            is_told: false,
            spent: now,
        }
    }

    fn spend(&mut self, now: LocalTime) -> Handled {
        let spent = self.spent.max(now);
        if spent - now > BURST {
            return Err(PeerError::OverBudget);
        }
        self.spent = spent + COST;
        Ok(())
    }
}

#[derive(Debug)]
pub(super) struct Game {
    number: usize,
    pub(super) id: Option<u64>,
    slots: Box<[Option<Occupant>]>,
    pub(super) players: u16,
    /// Number of primaries so far, including the current one, modulo 2^16.
    pub(super) generation: u16,
    primary: usize,
    pub(super) began: Option<Began>,
    begins: bool,
    complete_since: Option<LocalTime>,
    mute_since: Option<LocalTime>,
}

impl Game {
    pub(super) fn new(number: usize, slots: u32) -> Result<Self, OutOfMemory> {
        Ok(Game {
            number,
            id: None,
            slots: memory::filled(None, slots as usize)?,
            players: 0,
            generation: 0,
            primary: 0,
            began: None,
            begins: false,
            complete_since: None,
            mute_since: None,
        })
    }

    pub(super) fn login(
        &mut self,
        id: u64,
        occupant: Occupant,
        out: &mut Outbox,
    ) -> Result<usize, PeerError> {
        if self.peers().any(|(_, other)| other.key == occupant.key) {
            return Err(PeerError::Duplicate);
        }
        let free = self.slots.iter().position(Option::is_none).ok_or(PeerError::Full)?;
        if self.id.is_none() {
            self.id = Some(id);
            (self.generation, self.primary) = (1, free);
        }
        self.slots[free] = Some(occupant);
        self.players += 1;
        self.tell(free, occupant.heard, out);
        Ok(free)
    }

    /// Returns false if the peer in this slot logged in with a different game or key.
    pub(super) fn tell_again(
        &mut self,
        slot: usize,
        (id, key): (u64, u64),
        now: LocalTime,
        out: &mut Outbox,
    ) -> Result<bool, PeerError> {
        let known = self.slots[slot].as_mut().filter(|known| self.id == Some(id) && known.key == key);
        let Some(known) = known else { return Ok(false) };
        known.spend(now)?;
        self.tell(slot, now, out);
        Ok(true)
    }

    /// Forged messages do not use up the peer's budget. If the peer is leaving, the caller must remove it.
    pub(super) fn receive(
        &mut self,
        slot: usize,
        message: &Message,
        now: LocalTime,
        out: &mut Outbox,
    ) -> Handled {
        let occupant = self.slots[slot].as_mut().ok_or(PeerError::NotLoggedIn)?;
        // Comparing integers takes constant time, so the timing reveals nothing about the token.
        if occupant.token != message.proof {
            return Err(PeerError::WrongKey);
        }
        let is_current = message.generation == self.generation;
        match message.body {
            Body::Reply(_) if self.primary != slot => Err(PeerError::WrongRole),
            Body::Reply(reply) if is_current => self.forward_reply(message.slot, reply, now, out),
            Body::Ready(ready) => {
                occupant.spend(now)?;
                occupant.heard = now;
                if is_current {
                    occupant.has_clock = ready.has_clock;
                    self.learn(slot, &ready, now, out);
                }
                self.tell(slot, now, out);
                Ok(())
            }
            Body::Request { id, .. } => {
                occupant.spend(now)?;
                if is_current { self.forward_request(slot, id, now, out) } else { Err(PeerError::Stale) }
            }
            Body::Reply(_) => Err(PeerError::Stale),
            _ => {
                occupant.spend(now)?;
                Err(PeerError::WrongRole)
            }
        }
    }

    fn learn(&mut self, slot: usize, ready: &Ready, now: LocalTime, out: &mut Outbox) {
        if self.primary == slot && self.began.is_none() && ready.began.is_some() {
            self.began = ready.began;
            self.tell_all(now, out);
        }
    }

    fn forward_request(&mut self, slot: usize, id: u64, now: LocalTime, out: &mut Outbox) -> Handled {
        if self.primary == slot {
            return Err(PeerError::WrongRole);
        }
        self.push(self.primary, Some((slot as u16, Body::Request { id, held: 0 })), now, out)?;
        self.mute_since = self.mute_since.or(Some(now));
        if let Some(occupant) = &mut self.slots[slot] {
            occupant.unanswered = (occupant.unanswered + 1).min(UNANSWERED);
        }
        Ok(())
    }

    fn forward_reply(&mut self, to: u16, reply: SynchReply, now: LocalTime, out: &mut Outbox) -> Handled {
        let waiting = self.slots.get_mut(usize::from(to)).and_then(Option::as_mut);
        let waiting = waiting.filter(|occupant| occupant.unanswered > 0).ok_or(PeerError::Unasked)?;
        waiting.unanswered -= 1;
        self.mute_since = None;
        self.push(usize::from(to), Some((to, Body::Reply(reply))), now, out)
    }

    pub(super) fn next_lost(&self, now: LocalTime) -> Option<usize> {
        let is_mute = self.mute_since.is_some_and(|since| now - since > SILENCE);
        let is_lost =
            |slot: usize, peer: &Occupant| now - peer.heard > SILENCE || (is_mute && slot == self.primary);
        self.peers().find(|&(slot, peer)| is_lost(slot, peer)).map(|(slot, _)| slot)
    }

    /// Asks the primary to begin the game once there are `enough` players and all of them have the shared
    /// clock. Waits at most [`PATIENCE`] for peers other than the primary.
    pub(super) fn begin(&mut self, enough: u32, now: LocalTime, out: &mut Outbox) {
        if self.began.is_some() || u32::from(self.players) < enough {
            self.complete_since = None;
            return;
        }
        let since = *self.complete_since.get_or_insert(now);
        let is_ready = self.slots[self.primary].is_some_and(|primary| primary.has_clock);
        if is_ready && (now - since > PATIENCE || self.peers().all(|(_, peer)| peer.has_clock)) {
            self.begins = true;
            self.tell(self.primary, now, out);
        }
    }

    pub(super) fn leave(&mut self, slot: usize, now: LocalTime, out: &mut Outbox) -> Option<u64> {
        let left = self.slots[slot].take()?;
        self.players -= 1;
        if self.players == 0 {
            (self.id, self.began, self.begins) = (None, None, false);
            (self.complete_since, self.mute_since) = (None, None);
        } else if self.primary == slot {
            self.elect(now, out);
        }
        Some(left.connection)
    }

    /// Elects the most senior peer with the shared clock, or the most senior peer if no peer has the clock.
    /// The quality of the peers' clocks is ignored, because peers could lie about it.
    fn elect(&mut self, now: LocalTime, out: &mut Outbox) {
        let next = self.peers().min_by_key(|(_, peer)| (!peer.has_clock, peer.joined));
        let Some((next, &Occupant { has_clock, .. })) = next else { return };
        if !has_clock {
            // No peer has the shared clock any more, so the new primary's clock starts at zero.
            self.began = None;
        }
        self.primary = next;
        self.generation = self.generation.wrapping_add(1);
        (self.mute_since, self.begins) = (None, false);
        for occupant in self.slots.iter_mut().flatten() {
            occupant.unanswered = 0;
        }
        self.tell_all(now, out);
    }

    fn peers(&self) -> impl Iterator<Item = (usize, &Occupant)> {
        self.slots.iter().enumerate().filter_map(|(slot, occupant)| Some((slot, occupant.as_ref()?)))
    }

    pub(super) fn primary(&self) -> Option<u64> {
        self.slots[self.primary].map(|primary| primary.connection)
    }

    fn tell_all(&mut self, now: LocalTime, out: &mut Outbox) {
        for slot in 0..self.slots.len() {
            self.tell(slot, now, out);
        }
    }

    /// Drops the STATE if the queue is full. The relay sends another STATE in response to the peer's next
    /// READY.
    fn tell(&mut self, slot: usize, now: LocalTime, out: &mut Outbox) {
        if self.slots[slot].is_some_and(|occupant| !occupant.is_told) {
            let _ = self.push(slot, None, now, out);
        }
    }

    fn push(
        &mut self,
        slot: usize,
        forwarded: Option<(u16, Body)>,
        received: LocalTime,
        out: &mut Outbox,
    ) -> Handled {
        let occupant = self.slots[slot].as_mut().ok_or(PeerError::NotLoggedIn)?;
        // The queue can be full because it may contain messages to peers that have left.
        if occupant.queued == QUEUED || out.len() == out.capacity() {
            return Err(PeerError::NoSpace);
        }
        out.push_back(Parcel { game: self.number, slot, joined: occupant.joined, received, forwarded });
        occupant.queued += 1;
        occupant.is_told |= forwarded.is_none();
        Ok(())
    }

    /// Returns `None` if the receiver has left or the hold does not fit into 32 bits.
    pub(super) fn unpack(&mut self, parcel: &Parcel, now: LocalTime) -> Option<(u64, Message)> {
        let Game { generation, players, primary, began, begins, .. } = *self;
        let occupant = self.slots[parcel.slot].as_mut().filter(|it| it.joined == parcel.joined)?;
        occupant.queued -= 1;
        let hold = || u32::try_from((now - parcel.received).ticks().max(0)).ok();
        let (slot, body) = match parcel.forwarded {
            None => {
                occupant.is_told = false;
                let leads = primary == parcel.slot;
                let (token, begins) = (occupant.token, begins && leads && began.is_none());
                (parcel.slot as u16, Body::State(GameState { token, players, leads, begins, began }))
            }
            Some((slot, Body::Request { id, .. })) => (slot, Body::Request { id, held: hold()? }),
            Some((slot, Body::Reply(reply))) => {
                (slot, Body::Reply(SynchReply { held_back: hold()?, ..reply }))
            }
            Some(other) => other,
        };
        Some((occupant.connection, Message { generation, slot, proof: occupant.key, body }))
    }
}
