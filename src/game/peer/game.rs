//! One game at the relay: who leads, what the relay forwards to whom, when the game begins.

use super::config::RelayConfig;
use super::error::{PeerError, Rejection};
use super::fields::{self, REPLY};
use super::message::{Began, Body, Decoded, Message, Role, SynchReply, decode};
use super::slot::{Occupant, Slot};
use crate::memory::{self, OutOfMemory};
use crate::time::{LocalTime, Span};

type Handled = Result<(), PeerError>;

/// Time between two requests to begin the game, until the primary says when it began.
const ASK_EVERY: Span = Span::from_millis(100);

/// A game, or room for one.
#[derive(Debug)]
pub(super) struct Game {
    /// None: nobody plays here.
    pub(super) id: Option<u64>,
    pub(super) slots: Vec<Slot>,
    /// How many primaries the game has had, the present one included.
    pub(super) generation: u32,
    pub(super) primary: Option<usize>,
    /// When the game began, by the shared clock.
    pub(super) began: Option<Began>,
    /// Messages that found no room.
    pub(super) dropped: u64,
    /// Since then enough players are there.
    complete_since: Option<LocalTime>,
    /// Since then the primary has left requests unanswered.
    mute_since: Option<LocalTime>,
    /// When the primary was last asked to begin.
    begin_asked: Option<LocalTime>,
}

impl Game {
    pub(super) fn new(config: &RelayConfig) -> Result<Self, OutOfMemory> {
        let mut slots = memory::list(config.slots as usize)?;
        for _ in 0..config.slots {
            slots.push(Slot::new(config.queue as usize)?);
        }
        Ok(Game {
            id: None,
            slots,
            generation: 0,
            primary: None,
            began: None,
            dropped: 0,
            complete_since: None,
            mute_since: None,
            begin_asked: None,
        })
    }

    /// Gives a peer a slot. The first one leads.
    pub(super) fn login(&mut self, id: u64, mut occupant: Occupant, now: LocalTime) -> Handled {
        if self.slots.iter().flat_map(|slot| &slot.occupant).any(|other| other.key == occupant.key) {
            return Err(PeerError::Duplicate);
        }
        let free = self.slots.iter().position(|slot| slot.occupant.is_none()).ok_or(PeerError::Full)?;
        if self.id.is_none() {
            self.id = Some(id);
            (self.generation, self.primary) = (1, Some(free));
        }
        occupant.heard = now;
        self.slots[free].occupant = Some(occupant);
        self.tell_role(free, now);
        Ok(())
    }

    /// A message from the peer in a slot.
    pub(super) fn receive(
        &mut self,
        slot: usize,
        bytes: &[u8],
        now: LocalTime,
        config: &RelayConfig,
    ) -> Handled {
        let occupant = self.slots[slot].occupant.as_mut().ok_or(PeerError::NotLoggedIn)?;
        let decoded = decode(bytes)?;
        if let Decoded::Protocol(Message { generation, body: Body::SynchReply(reply), .. }) = decoded {
            // Costs nothing: there cannot be more replies than requests.
            return self.forward_reply(slot, generation, &reply, bytes, now);
        }
        occupant.spend(bytes.len(), config.budget, now)?;
        match decoded {
            Decoded::Protocol(message) => match message.body {
                Body::SynchRequest { .. } => self.forward_request(slot, message.generation, bytes, now),
                _ => self.control(slot, &message, now),
            },
            Decoded::Game { .. } => self.forward_game(slot, bytes, now),
        }
    }

    fn control(&mut self, slot: usize, message: &Message, now: LocalTime) -> Handled {
        let Some(occupant) = &mut self.slots[slot].occupant else { return Err(PeerError::NotLoggedIn) };
        match message.body {
            Body::Login { game, .. } => {
                let again = (occupant.key, self.id) == (message.proof, Some(game));
                return self.answer_login(slot, message, again, now);
            }
            Body::Ready { .. } | Body::SynchDone { .. } | Body::BeginGame { .. } | Body::GameEnd => {}
            _ => return Err(PeerError::WrongRole),
        }
        occupant.check(message.proof)?;
        match message.body {
            Body::Ready { leads, knows_begin } => {
                (occupant.proved, occupant.heard) = (true, now);
                self.elect(now);
                self.answer_ready(slot, message.generation, leads, knows_begin, now);
            }
            Body::GameEnd => self.leave(slot, now),
            _ if message.generation != self.generation => return Err(PeerError::Stale),
            Body::BeginGame { began } => return self.begin(slot, began, now),
            _ => {
                occupant.synced = true;
                self.tell_state(slot, false, now);
            }
        }
        Ok(())
    }

    /// Answers a LOGIN on a connection that has a slot. `again`: it is for that slot, so the first answer was lost.
    fn answer_login(&mut self, slot: usize, login: &Message, again: bool, now: LocalTime) -> Handled {
        if again {
            self.tell_role(slot, now);
            return Ok(());
        }
        self.queue(slot, &login.rejected(Rejection::Duplicate), now);
        Err(PeerError::Duplicate)
    }

    /// The primary says when the game began.
    fn begin(&mut self, slot: usize, began: Option<Began>, now: LocalTime) -> Handled {
        if self.primary != Some(slot) || began.is_none() {
            return Err(PeerError::WrongRole);
        }
        if self.began.is_some() {
            return Err(PeerError::Stale);
        }
        self.began = began;
        for other in 0..self.slots.len() {
            self.tell_begin(other, now);
        }
        Ok(())
    }

    /// Answers a READY with one message: what this peer does not know yet.
    #[inline(never)]
    fn answer_ready(&mut self, slot: usize, generation: u32, leads: bool, knows_begin: bool, now: LocalTime) {
        if generation != self.generation || leads != (self.primary == Some(slot)) {
            self.tell_role(slot, now);
        } else if self.began.is_some() && !knows_begin {
            self.tell_begin(slot, now);
        } else {
            self.tell_state(slot, self.players() < 2, now);
        }
    }

    #[inline(never)]
    fn forward_request(&mut self, slot: usize, generation: u32, bytes: &[u8], now: LocalTime) -> Handled {
        self.slots[slot].proved().ok_or(PeerError::NotLoggedIn)?;
        if !fields::is_unstamped(bytes) {
            return Err(PeerError::Malformed(fields::SYNCH_REQUEST));
        }
        if generation != self.generation {
            return Err(PeerError::Stale);
        }
        let primary = self.primary.filter(|&primary| self.slots[primary].proved().is_some());
        let Some(primary) = primary.filter(|&primary| primary != slot) else {
            // There is nobody to ask, or nobody but the peer itself.
            self.tell_state(slot, true, now);
            return Ok(());
        };
        let number = (slot as u16).to_be_bytes();
        let pushed = self.slots[primary].outbox.push_parts(&[&bytes[..4], &number, &bytes[6..]], now);
        pushed.inspect_err(|_| self.dropped += 1)?;
        self.mute_since = self.mute_since.or(Some(now));
        if let Some(occupant) = &mut self.slots[slot].occupant {
            occupant.count_request();
        }
        Ok(())
    }

    fn forward_reply(
        &mut self,
        slot: usize,
        generation: u32,
        reply: &SynchReply,
        bytes: &[u8],
        now: LocalTime,
    ) -> Handled {
        if self.primary != Some(slot) {
            return Err(PeerError::WrongRole);
        }
        if generation != self.generation {
            return Err(PeerError::Stale);
        }
        if !fields::is_unstamped(bytes) {
            return Err(PeerError::Malformed(fields::SYNCH_REPLY));
        }
        let to = self.slots.get_mut(usize::from(reply.slot)).ok_or(PeerError::Unasked)?;
        let waiting = to.occupant.as_mut().filter(|occupant| occupant.unanswered > 0);
        let waiting = waiting.ok_or(PeerError::Unasked)?;
        waiting.unanswered -= 1;
        self.mute_since = None;
        to.outbox.push(bytes, now).inspect_err(|_| self.dropped += 1)
    }

    fn forward_game(&mut self, slot: usize, bytes: &[u8], now: LocalTime) -> Handled {
        self.slots[slot].proved().ok_or(PeerError::NotLoggedIn)?;
        if bytes[8..10] != [0; 2] {
            return Err(PeerError::Malformed(u16::from_be_bytes([bytes[0], bytes[1]])));
        }
        let mut result = Ok(());
        for (place, other) in self.slots.iter_mut().enumerate() {
            if place == slot || other.proved().is_none() {
                continue;
            }
            let number = (slot as u16).to_be_bytes();
            let pushed = other.outbox.push_parts(&[&bytes[..8], &number, &bytes[10..]], now);
            self.dropped += u64::from(pushed.is_err());
            result = result.and(pushed);
        }
        result
    }

    /// Does what is due: gives up silent peers and a primary that does not answer, and asks to begin.
    pub(super) fn housekeep(&mut self, now: LocalTime, config: &RelayConfig) {
        if self.id.is_none() {
            return;
        }
        for slot in 0..self.slots.len() {
            let silent = |occupant: &Occupant| now - occupant.heard > config.silence;
            if self.slots[slot].occupant.as_ref().is_some_and(silent) {
                self.leave(slot, now);
            }
        }
        let is_mute = self.mute_since.is_some_and(|since| now - since > config.silence);
        if let Some(primary) = self.primary.filter(|_| is_mute) {
            self.leave(primary, now);
        }
        self.elect(now);
        self.ask_to_begin(now, config);
    }

    fn ask_to_begin(&mut self, now: LocalTime, config: &RelayConfig) {
        let Some(primary) = self.primary.filter(|_| self.began.is_none()) else { return };
        if self.players() < config.players {
            self.complete_since = None;
            return;
        }
        let since = *self.complete_since.get_or_insert(now);
        let ready = self.slots.iter().filter_map(Slot::proved).all(|occupant| occupant.synced);
        let asked = self.begin_asked.is_some_and(|asked| now - asked < ASK_EVERY);
        let leads = self.slots[primary].proved().is_some_and(|occupant| occupant.synced);
        if leads && !asked && (ready || now - since > config.patience) {
            self.begin_asked = Some(now);
            self.tell(primary, Body::BeginGame { began: None }, now);
        }
    }

    /// The peer in `slot` is gone.
    #[inline(never)]
    pub(super) fn leave(&mut self, slot: usize, now: LocalTime) {
        self.slots[slot].clear();
        if self.primary == Some(slot) {
            self.primary = None;
        }
        if self.slots.iter().all(|slot| slot.occupant.is_none()) {
            (self.id, self.primary, self.generation, self.began) = (None, None, 0, None);
            (self.complete_since, self.mute_since, self.begin_asked) = (None, None, None);
        } else {
            self.elect(now);
        }
    }

    /// Names a primary if there is none: first among peers that have the clock, then by seniority. Claims of peers about
    /// their clocks play no part.
    #[inline(never)]
    fn elect(&mut self, now: LocalTime) {
        if self.primary.is_some() {
            return;
        }
        let places = self.slots.iter().enumerate();
        let known = places.filter_map(|(place, slot)| Some((place, slot.proved()?)));
        let Some((place, next)) = known.min_by_key(|(_, occupant)| (!occupant.synced, occupant.joined))
        else {
            return;
        };
        let lost = !next.synced;
        if lost {
            // The shared clock is gone with the primary. Another one begins, at zero.
            self.began = None;
        }
        self.primary = Some(place);
        self.generation = self.generation.wrapping_add(1);
        (self.mute_since, self.begin_asked) = (None, None);
        for slot in 0..self.slots.len() {
            if let Some(occupant) = &mut self.slots[slot].occupant {
                (occupant.unanswered, occupant.synced) = (0, occupant.synced && !lost);
            }
            if self.slots[slot].proved().is_some() {
                self.tell_role(slot, now);
            }
        }
    }

    /// Peers that have shown their tokens.
    #[inline(never)]
    pub(super) fn players(&self) -> u32 {
        self.slots.iter().filter_map(Slot::proved).count() as u32
    }

    #[inline(never)]
    fn tell_role(&mut self, slot: usize, now: LocalTime) {
        let Some(occupant) = &self.slots[slot].occupant else { return };
        let role = if self.primary == Some(slot) { Role::Primary } else { Role::Secondary };
        let (players, token) = (self.players() as u16, occupant.token);
        self.tell(slot, Body::Role { role, slot: slot as u16, players, token }, now);
    }

    #[inline(never)]
    fn tell_begin(&mut self, slot: usize, now: LocalTime) {
        if self.began.is_some() && self.slots[slot].proved().is_some() {
            self.tell(slot, Body::BeginGame { began: self.began }, now);
        }
    }

    /// Sends a peer the state of the game. `waits`: there is no other peer to ask for the time.
    #[inline(never)]
    fn tell_state(&mut self, slot: usize, waits: bool, now: LocalTime) {
        let synced = self.slots[slot].occupant.as_ref().is_some_and(|occupant| occupant.synced);
        let players = self.players() as u16;
        let body =
            if waits { Body::SynchWait { synced, players } } else { Body::LoginOk { synced, players } };
        self.tell(slot, body, now);
    }

    /// Queues a message of the present generation, with the peer's key.
    #[inline(never)]
    fn tell(&mut self, slot: usize, body: Body, now: LocalTime) {
        let proof = self.slots[slot].occupant.as_ref().map_or(0, |occupant| occupant.key);
        self.queue(slot, &Message { generation: self.generation, proof, body }, now);
    }

    /// Queues a message. One that finds no room is lost, since the relay repeats everything that was lost.
    fn queue(&mut self, slot: usize, message: &Message, now: LocalTime) {
        if self.slots[slot].outbox.push(message.encode(&mut [0; REPLY]), now).is_err() {
            self.dropped += 1;
        }
    }
}
