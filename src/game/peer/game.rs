//! A game at the relay. Appoints its primary, forwards messages, and begins the game.

use super::bits::Bits;
use super::config::RelayConfig;
use super::error::PeerError;
use super::fields::{self, AFTER_PROOF, EXCHANGE, PROOF};
use super::message::{Began, Body, Decoded, MESSAGE_MOST, Message, Role, SynchReply};
use super::slot::{MOST_UNANSWERED, Occupant, Slot};
use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{LocalTime, Span};

type Handled = Result<(), PeerError>;

/// Interval between requests to begin the game, until the primary reports when it began.
const ASK_EVERY: Span = Span::from_millis(100);
/// Due immediately, and never due.
const AT_ONCE: LocalTime = LocalTime::from_ticks(i64::MIN);
pub(super) const NEVER: LocalTime = LocalTime::from_ticks(i64::MAX);
/// Clock resolution.
const TICK: Span = Span::from_ticks(1);

/// A game, or an unused entry.
#[derive(Debug)]
pub(super) struct Game {
    /// Id of the game, or `None` if this entry is unused.
    pub(super) id: Option<u64>,
    pub(super) slots: Vec<Slot>,
    /// Slots with a peer.
    occupied: Bits<1>,
    synced: Bits<1>,
    /// Slots with queued messages.
    pub(super) waiting: Bits<1>,
    /// When [`Game::housekeep`] has to be called next.
    pub(super) due: LocalTime,
    /// Number of primaries so far, including the current primary.
    pub(super) generation: u32,
    pub(super) primary: Option<usize>,
    pub(super) began: Option<Began>,
    /// Number of messages dropped because a queue was full.
    pub(super) dropped: u64,
    /// Time since which the game has had enough players.
    complete_since: Option<LocalTime>,
    /// Arrival time of the first request since the primary's last reply.
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
            occupied: Bits::NONE,
            synced: Bits::NONE,
            waiting: Bits::NONE,
            due: NEVER,
            generation: 0,
            primary: None,
            began: None,
            dropped: 0,
            complete_since: None,
            mute_since: None,
            begin_asked: None,
        })
    }

    /// Assigns a slot to a peer and returns it. The first peer becomes the primary.
    pub(super) fn login(&mut self, id: u64, occupant: Occupant, now: LocalTime) -> Result<usize, PeerError> {
        if self.peers().any(|(_, other)| other.key == occupant.key) {
            return Err(PeerError::Duplicate);
        }
        let free = self.occupied.first_free(self.slots.len()).ok_or(PeerError::Full)?;
        if self.id.is_none() {
            self.id = Some(id);
            (self.generation, self.primary) = (1, Some(free));
        }
        debug_assert!(self.slots[free].occupant.is_none(), "the slot is free");
        debug_assert!(self.slots[free].outbox.is_empty(), "what waited for another peer is gone");
        self.slots[free].occupant = Some(occupant);
        self.occupied.set(free, true);
        self.due = AT_ONCE;
        self.tell_role(free, now);
        Ok(free)
    }

    /// Returns whether the peer in this slot logged in to this game with this key.
    pub(super) fn knows(&self, slot: usize, id: u64, key: u64) -> bool {
        let occupant = self.slots[slot].occupant.as_ref();
        self.id == Some(id) && occupant.is_some_and(|occupant| occupant.key == key)
    }

    /// Answers a repeated LOGIN from the peer in this slot.
    pub(super) fn tell_role_again(&mut self, slot: usize, now: LocalTime, config: &RelayConfig) -> Handled {
        let occupant = self.slots[slot].occupant.as_mut().ok_or(PeerError::NotLoggedIn)?;
        occupant.spend(fields::PLAIN, config.budget, now)?;
        self.tell_role(slot, now);
        Ok(())
    }

    /// Handles a message from the connection of the peer in `slot`. It is charged to the peer's budget only
    /// if it is authentic. The caller handles GAME_END.
    pub(super) fn receive(
        &mut self,
        slot: usize,
        decoded: &Decoded<'_>,
        bytes: &[u8],
        now: LocalTime,
        config: &RelayConfig,
    ) -> Handled {
        let occupant = self.slots[slot].occupant.as_mut().ok_or(PeerError::NotLoggedIn)?;
        occupant.check(decoded.proof())?;
        if let Decoded::Protocol(Message { generation, body: Body::SynchReply(reply), .. }) = decoded {
            // Not charged to the budget, because there cannot be more replies than requests.
            return self.forward_reply(slot, *generation, reply, bytes, now);
        }
        occupant.spend(bytes.len(), config.budget, now)?;
        match decoded {
            Decoded::Protocol(message) => match message.body {
                Body::SynchRequest { .. } => {
                    self.forward_request(slot, message.generation, bytes, now, config)
                }
                _ => self.control(slot, message, now, config),
            },
            Decoded::Game { .. } => self.forward_game(slot, bytes, now),
        }
    }

    fn control(&mut self, slot: usize, message: &Message, now: LocalTime, config: &RelayConfig) -> Handled {
        match message.body {
            Body::Ready { leads, knows_begin } => {
                if let Some(occupant) = &mut self.slots[slot].occupant {
                    occupant.heard = now;
                    self.due = self.due.min(now + config.silence + TICK);
                }
                self.answer_ready(slot, message.generation, leads, knows_begin, now);
            }
            Body::GameEnd => {}
            Body::BeginGame { .. } | Body::SynchDone { .. } if message.generation != self.generation => {
                return Err(PeerError::Stale);
            }
            Body::BeginGame { began } => return self.begin(slot, began, now),
            Body::SynchDone { .. } => {
                if !self.synced.has(slot) {
                    self.synced.set(slot, true);
                    self.due = AT_ONCE;
                }
                self.tell_state(slot, false, now);
            }
            _ => return Err(PeerError::WrongRole),
        }
        Ok(())
    }

    fn begin(&mut self, slot: usize, began: Option<Began>, now: LocalTime) -> Handled {
        if self.primary != Some(slot) || began.is_none() {
            return Err(PeerError::WrongRole);
        }
        if self.began.is_some() {
            return Err(PeerError::Stale);
        }
        self.began = began;
        for other in self.occupied.members() {
            self.tell(other, Body::BeginGame { began }, now);
        }
        Ok(())
    }

    /// Answers a READY with what the peer does not know yet: first its role, then the beginning, then the
    /// state.
    fn answer_ready(&mut self, slot: usize, generation: u32, leads: bool, knows_begin: bool, now: LocalTime) {
        if generation != self.generation || leads != (self.primary == Some(slot)) {
            self.tell_role(slot, now);
        } else if self.began.is_some() && !knows_begin {
            self.tell(slot, Body::BeginGame { began: self.began }, now);
        } else {
            self.tell_state(slot, self.players() < 2, now);
        }
    }

    fn forward_request(
        &mut self,
        slot: usize,
        generation: u32,
        bytes: &[u8],
        now: LocalTime,
        config: &RelayConfig,
    ) -> Handled {
        if !fields::is_unstamped(bytes) {
            return Err(PeerError::Malformed(fields::SYNCH_REQUEST));
        }
        if generation != self.generation {
            return Err(PeerError::Stale);
        }
        let Some(primary) = self.primary.filter(|&primary| primary != slot) else {
            // There is no other peer to ask for the time.
            self.tell_state(slot, true, now);
            return Ok(());
        };
        let number = (slot as u16).to_be_bytes();
        self.forward(primary, [&bytes[..4], &number, &bytes[6..PROOF]], &bytes[AFTER_PROOF..], now)?;
        if self.mute_since.is_none() {
            self.mute_since = Some(now);
            self.due = self.due.min(now + config.silence + TICK);
        }
        if let Some(occupant) = &mut self.slots[slot].occupant {
            occupant.unanswered = (occupant.unanswered + 1).min(MOST_UNANSWERED);
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
        let (to, none): (_, &[u8]) = (usize::from(reply.slot), &[]);
        self.forward(to, [&bytes[..PROOF], none, none], &bytes[AFTER_PROOF..], now)
    }

    fn forward_game(&mut self, slot: usize, bytes: &[u8], now: LocalTime) -> Handled {
        if bytes[8..10] != [0; 2] {
            return Err(PeerError::Malformed(u16::from_be_bytes([bytes[0], bytes[1]])));
        }
        let number = (slot as u16).to_be_bytes();
        let mut result = Ok(());
        for other in self.occupied.members().filter(|&other| other != slot) {
            let head = [&bytes[..8], &number, &bytes[10..PROOF]];
            result = result.and(self.forward(other, head, &bytes[AFTER_PROOF..], now));
        }
        result
    }

    /// Queues a message from another peer. The sender's token is replaced with the receiver's key.
    fn forward(&mut self, to: usize, [head, slot, next]: [&[u8]; 3], rest: &[u8], now: LocalTime) -> Handled {
        let Slot { occupant, outbox } = &mut self.slots[to];
        let key = occupant.as_ref().ok_or(PeerError::NotLoggedIn)?.key.to_be_bytes();
        self.waiting.set(to, true);
        let pushed = outbox.push_parts(&[head, slot, next, &key, rest], now);
        pushed.inspect_err(|_| self.dropped += 1)
    }

    /// Removes the next message to the peer in `slot`, and returns its connection and the length of the
    /// message.
    pub(super) fn pop(
        &mut self,
        slot: usize,
        now: LocalTime,
        message: &mut [u8; MESSAGE_MOST],
    ) -> Option<(u64, usize)> {
        let Slot { occupant, outbox } = &mut self.slots[slot];
        let size = outbox.pop(now, message);
        self.waiting.set(slot, !outbox.is_empty());
        Some((occupant.as_ref()?.connection, size?))
    }

    /// Returns a slot whose peer has to be dropped because it is silent, or because it is the primary and
    /// does not answer requests.
    pub(super) fn next_lost(&self, now: LocalTime, config: &RelayConfig) -> Option<usize> {
        let silent = |occupant: &Occupant| now - occupant.heard > config.silence;
        let silent = self.peers().find(|(_, occupant)| silent(occupant)).map(|(slot, _)| slot);
        let is_mute = self.mute_since.is_some_and(|since| now - since > config.silence);
        silent.or(self.primary.filter(|_| is_mute))
    }

    /// Asks the primary to begin if that is due, and determines when this has to be called next.
    pub(super) fn housekeep(&mut self, now: LocalTime, config: &RelayConfig) {
        let ask = if self.began.is_none() { self.ask_to_begin(now, config) } else { NEVER };
        let heard = self.peers().map(|(_, occupant)| occupant.heard);
        let first = heard.chain(self.mute_since).min();
        self.due = first.map_or(NEVER, |first| first + config.silence + TICK).min(ask);
    }

    /// Asks the primary to begin if that is due, and returns when this has to be called next.
    fn ask_to_begin(&mut self, now: LocalTime, config: &RelayConfig) -> LocalTime {
        let Some(primary) = self.primary else { return NEVER };
        if self.players() < config.players {
            self.complete_since = None;
            return NEVER;
        }
        let since = *self.complete_since.get_or_insert(now);
        if !self.synced.has(primary) {
            return NEVER;
        }
        let patient_until = since + config.patience + TICK;
        if self.synced != self.occupied && now < patient_until {
            return patient_until;
        }
        let next = self.begin_asked.map_or(now, |asked| asked + ASK_EVERY);
        if now < next {
            return next;
        }
        self.begin_asked = Some(now);
        self.tell(primary, Body::BeginGame { began: None }, now);
        now + ASK_EVERY
    }

    /// Removes the peer in `slot` and returns its connection.
    pub(super) fn leave(&mut self, slot: usize, now: LocalTime) -> Option<u64> {
        let left = self.slots[slot].clear()?;
        for set in [&mut self.occupied, &mut self.synced, &mut self.waiting] {
            set.set(slot, false);
        }
        self.due = AT_ONCE;
        if self.occupied.is_empty() {
            (self.id, self.primary, self.generation, self.began) = (None, None, 0, None);
            (self.complete_since, self.mute_since, self.begin_asked) = (None, None, None);
            self.due = NEVER;
        } else if self.primary == Some(slot) {
            self.elect(now);
        }
        debug_assert!(self.primary.is_none_or(|slot| self.occupied.has(slot)), "a peer leads");
        Some(left.connection)
    }

    /// Elects the most senior peer that has the shared clock as primary, or else the most senior peer. Peers'
    /// claims about the quality of their clocks are ignored.
    fn elect(&mut self, now: LocalTime) {
        let rank = |slot: usize, occupant: &Occupant| (!self.synced.has(slot), occupant.joined);
        let next = self.peers().min_by_key(|(slot, occupant)| rank(*slot, occupant));
        self.primary = next.map(|(slot, _)| slot);
        if self.primary.is_some_and(|next| !self.synced.has(next)) {
            // The shared clock is lost with the old primary. The new one starts at zero.
            (self.began, self.synced) = (None, Bits::NONE);
        }
        self.generation = self.generation.wrapping_add(1);
        (self.mute_since, self.begin_asked) = (None, None);
        for slot in self.occupied.members() {
            if let Some(occupant) = &mut self.slots[slot].occupant {
                occupant.unanswered = 0;
            }
            self.tell_role(slot, now);
        }
    }

    fn peers(&self) -> impl Iterator<Item = (usize, &Occupant)> {
        self.occupied.members().filter_map(|slot| Some((slot, self.slots[slot].occupant.as_ref()?)))
    }

    pub(super) fn players(&self) -> u32 {
        self.occupied.count()
    }

    fn tell_role(&mut self, slot: usize, now: LocalTime) {
        let Some(occupant) = &self.slots[slot].occupant else { return };
        let role = if self.primary == Some(slot) { Role::Primary } else { Role::Secondary };
        let (players, token) = (self.players() as u16, occupant.token);
        self.tell(slot, Body::Role { role, slot: slot as u16, players, token }, now);
    }

    /// Sends the state of the game to a peer. `waits` means that there is no other peer to request the time
    /// from.
    fn tell_state(&mut self, slot: usize, waits: bool, now: LocalTime) {
        let (synced, players) = (self.synced.has(slot), self.players() as u16);
        self.tell(slot, Body::State { waits, synced, players }, now);
    }

    /// Queues a message of the current generation with the peer's key. It may be dropped if the queue is
    /// full, because the relay repeats lost messages.
    fn tell(&mut self, slot: usize, body: Body, now: LocalTime) {
        let Slot { occupant, outbox } = &mut self.slots[slot];
        let proof = occupant.as_ref().map_or(0, |occupant| occupant.key);
        let message = Message { generation: self.generation, proof, body };
        self.waiting.set(slot, true);
        if outbox.push(message.encode(&mut [0; EXCHANGE]), now).is_err() {
            self.dropped += 1;
        }
    }
}
