//! One game at the relay: who leads, what is forwarded to whom, when it begins.

use super::error::{PeerError, Rejection};
use super::message::{
    BEGIN_GAME, ERROR, Fields, GAME_END, KNOWS_BEGIN, KNOWS_PRIMARY, LOGIN, LOGIN_OK, Message,
    PRIMARY_CLIENT, READY, SECONDARY_CLIENT, SYNCH_DONE, SYNCH_REQUEST, SYNCH_WAIT, Statement,
};
use super::relay::RelayConfig;
use super::seat::{Occupant, Seat};
use crate::time::{LocalTime, Span};

/// Time between two requests to begin, until the primary says when it did.
const ASK_EVERY: Span = Span::from_millis(100);

/// A game, or room for one.
#[derive(Debug)]
pub(super) struct Game {
    /// None: nobody plays here.
    pub(super) id: Option<u64>,
    pub(super) seats: Vec<Seat>,
    /// How many primaries there were, the present one included.
    pub(super) generation: u32,
    pub(super) primary: Option<usize>,
    /// The run of the shared clock, and when the game began in it.
    pub(super) began: Option<(u64, i64)>,
    /// Messages that found no room.
    pub(super) dropped: u64,
    /// Since when enough players are there; since when the primary leaves requests unanswered.
    complete_since: Option<LocalTime>,
    mute_since: Option<LocalTime>,
    begin_asked: Option<LocalTime>,
}

impl Game {
    pub(super) fn new(config: &RelayConfig) -> Self {
        Game {
            id: None,
            seats: (0..config.seats).map(|_| Seat::new(config.queue as usize)).collect(),
            generation: 0,
            primary: None,
            began: None,
            dropped: 0,
            complete_since: None,
            mute_since: None,
            begin_asked: None,
        }
    }

    /// Seats a peer. The first one leads.
    pub(super) fn login(
        &mut self,
        login: &Fields,
        mut occupant: Occupant,
        now: LocalTime,
    ) -> Result<(), PeerError> {
        if self.seats.iter().flat_map(|seat| &seat.occupant).any(|other| other.key == occupant.key) {
            return Err(PeerError::Duplicate);
        }
        let free = self.seats.iter().position(|seat| seat.occupant.is_none()).ok_or(PeerError::Full)?;
        if self.id.is_none() {
            self.id = Some(login.number);
            (self.generation, self.primary) = (1, Some(free));
        }
        occupant.heard = now;
        self.seats[free].occupant = Some(occupant);
        self.tell_role(free, now);
        Ok(())
    }

    /// A message from the occupant of a seat.
    pub(super) fn receive(
        &mut self,
        seat: usize,
        bytes: &[u8],
        now: LocalTime,
        config: &RelayConfig,
    ) -> Result<(), PeerError> {
        let occupant = self.seats[seat].occupant.as_mut().ok_or(PeerError::NotLoggedIn)?;
        let message = Message::decode(bytes)?;
        if let Message::Reply(fields, said) = message {
            // Not weighed: there cannot be more replies than requests.
            return self.forward_reply(seat, &fields, &said, now);
        }
        occupant.spend(bytes.len(), config.budget, now)?;
        match message {
            Message::Plain(fields) if fields.id == SYNCH_REQUEST => self.forward_request(seat, fields, now),
            Message::Plain(fields) => self.control(seat, &fields, now),
            _ => self.forward_game(seat, bytes, now),
        }
    }

    fn control(&mut self, seat: usize, fields: &Fields, now: LocalTime) -> Result<(), PeerError> {
        let generation = self.generation;
        let id = self.id;
        let Some(occupant) = &mut self.seats[seat].occupant else { return Err(PeerError::NotLoggedIn) };
        if fields.id == LOGIN {
            if (occupant.key, id) == (fields.proof, Some(fields.number)) {
                // The answer was lost.
                self.tell_role(seat, now);
                return Ok(());
            }
            let refusal = rejection(Rejection::Duplicate, fields);
            self.tell(seat, &refusal, now);
            return Err(PeerError::Duplicate);
        }
        if !matches!(fields.id, READY | SYNCH_DONE | BEGIN_GAME | GAME_END) {
            return Err(PeerError::WrongRole);
        }
        occupant.check(fields.proof)?;
        match fields.id {
            READY => {
                (occupant.proved, occupant.heard) = (true, now);
                self.elect(now);
                self.answer_ready(seat, fields, now);
            }
            GAME_END => self.leave(seat, now),
            _ if fields.generation != generation => return Err(PeerError::Stale),
            SYNCH_DONE => {
                occupant.synced = true;
                self.tell_state(seat, LOGIN_OK, now);
            }
            _ if self.primary != Some(seat) || fields.first != 1 => return Err(PeerError::WrongRole),
            _ if self.began.is_some() => return Err(PeerError::Stale),
            _ => {
                self.began = Some((fields.number, fields.stamp));
                for other in 0..self.seats.len() {
                    self.tell_begin(other, now);
                }
            }
        }
        Ok(())
    }

    /// One answer to each READY: what this peer does not know yet.
    #[inline(never)]
    fn answer_ready(&mut self, seat: usize, ready: &Fields, now: LocalTime) {
        let leads = self.primary == Some(seat);
        let knows = |what: u16| ready.first & what != 0;
        if ready.generation != self.generation || knows(KNOWS_PRIMARY) != leads {
            self.tell_role(seat, now);
        } else if self.began.is_some() && !knows(KNOWS_BEGIN) {
            self.tell_begin(seat, now);
        } else if self.players() < 2 {
            self.tell_state(seat, SYNCH_WAIT, now);
        } else {
            self.tell_state(seat, LOGIN_OK, now);
        }
    }

    #[inline(never)]
    fn forward_request(&mut self, seat: usize, request: Fields, now: LocalTime) -> Result<(), PeerError> {
        self.seats[seat].proved().ok_or(PeerError::NotLoggedIn)?;
        if (request.first, request.second, request.number) != (0, 0, 0) {
            return Err(PeerError::Malformed(request.id));
        }
        if request.generation != self.generation {
            return Err(PeerError::Stale);
        }
        let primary = self.primary.filter(|&primary| self.seats[primary].proved().is_some());
        let Some(primary) = primary.filter(|&primary| primary != seat) else {
            // Nobody to ask, or nobody but oneself.
            self.tell_state(seat, SYNCH_WAIT, now);
            return Ok(());
        };
        let forwarded = Fields { first: seat as u16, ..request };
        self.seats[primary].outbox.push(&forwarded.write(), now).inspect_err(|_| self.dropped += 1)?;
        self.mute_since = self.mute_since.or(Some(now));
        if let Some(occupant) = &mut self.seats[seat].occupant {
            occupant.asked();
        }
        Ok(())
    }

    fn forward_reply(
        &mut self,
        seat: usize,
        reply: &Fields,
        said: &Statement,
        now: LocalTime,
    ) -> Result<(), PeerError> {
        if self.primary != Some(seat) {
            return Err(PeerError::WrongRole);
        }
        if reply.generation != self.generation {
            return Err(PeerError::Stale);
        }
        if reply.second != 0 || reply.number as u32 != 0 {
            return Err(PeerError::Malformed(reply.id));
        }
        let to = self.seats.get_mut(usize::from(reply.first)).ok_or(PeerError::Unasked)?;
        let waiting = to.occupant.as_mut().filter(|occupant| occupant.unanswered > 0);
        let waiting = waiting.ok_or(PeerError::Unasked)?;
        waiting.unanswered -= 1;
        self.mute_since = None;
        to.outbox.push(&said.write(reply), now).inspect_err(|_| self.dropped += 1)
    }

    fn forward_game(&mut self, seat: usize, bytes: &[u8], now: LocalTime) -> Result<(), PeerError> {
        self.seats[seat].proved().ok_or(PeerError::NotLoggedIn)?;
        let mut sender = [0; 2];
        sender.copy_from_slice(&bytes[8..10]);
        if sender != [0; 2] {
            return Err(PeerError::Malformed(u16::from_be_bytes([bytes[0], bytes[1]])));
        }
        let mut outcome = Ok(());
        for (place, other) in self.seats.iter_mut().enumerate() {
            if place == seat || other.proved().is_none() {
                continue;
            }
            let number = (seat as u16).to_be_bytes();
            let pushed = other.outbox.push_parts(&[&bytes[..8], &number, &bytes[10..]], now);
            self.dropped += u64::from(pushed.is_err());
            outcome = outcome.and(pushed);
        }
        outcome
    }

    /// What time brings: peers that fell silent, a primary that does not answer, the begin.
    pub(super) fn housekeep(&mut self, now: LocalTime, config: &RelayConfig) {
        if self.id.is_none() {
            return;
        }
        for seat in 0..self.seats.len() {
            let silent = |occupant: &Occupant| now - occupant.heard > config.silence;
            if self.seats[seat].occupant.as_ref().is_some_and(silent) {
                self.leave(seat, now);
            }
        }
        if let Some(primary) =
            self.primary.filter(|_| self.mute_since.is_some_and(|since| now - since > config.silence))
        {
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
        let ready = self.seats.iter().filter_map(Seat::proved).all(|occupant| occupant.synced);
        let asked = self.begin_asked.is_some_and(|asked| now - asked < ASK_EVERY);
        let leads = self.seats[primary].proved().is_some_and(|occupant| occupant.synced);
        if leads && !asked && (ready || now - since > config.patience) {
            self.begin_asked = Some(now);
            let key = self.key(primary);
            let ask = Fields { id: BEGIN_GAME, generation: self.generation, proof: key, ..Fields::default() };
            self.tell(primary, &ask, now);
        }
    }

    /// The occupant of `seat` is gone.
    #[inline(never)]
    pub(super) fn leave(&mut self, seat: usize, now: LocalTime) {
        self.seats[seat].clear();
        if self.primary == Some(seat) {
            self.primary = None;
        }
        if self.seats.iter().all(|seat| seat.occupant.is_none()) {
            (self.id, self.primary, self.generation, self.began) = (None, None, 0, None);
            (self.complete_since, self.mute_since, self.begin_asked) = (None, None, None);
        } else {
            self.elect(now);
        }
    }

    /// Names a primary if there is none: who has the clock before who does not, then by seniority. What peers say of
    /// their clocks has no part in it.
    #[inline(never)]
    fn elect(&mut self, now: LocalTime) {
        if self.primary.is_some() {
            return;
        }
        let places = self.seats.iter().enumerate();
        let known = places.filter_map(|(place, seat)| Some((place, seat.proved()?)));
        let Some((place, next)) = known.min_by_key(|(_, occupant)| (!occupant.synced, occupant.joined))
        else {
            return;
        };
        let lost = !next.synced;
        if lost {
            // The shared clock is gone with the primary; another one begins, at zero.
            self.began = None;
        }
        self.primary = Some(place);
        self.generation = self.generation.wrapping_add(1);
        (self.mute_since, self.begin_asked) = (None, None);
        for seat in 0..self.seats.len() {
            if let Some(occupant) = &mut self.seats[seat].occupant {
                (occupant.unanswered, occupant.synced) = (0, occupant.synced && !lost);
            }
            if self.seats[seat].proved().is_some() {
                self.tell_role(seat, now);
            }
        }
    }

    /// Peers that have shown their tokens.
    #[inline(never)]
    pub(super) fn players(&self) -> u32 {
        self.seats.iter().filter_map(Seat::proved).count() as u32
    }

    #[inline(never)]
    fn key(&self, seat: usize) -> u64 {
        self.seats[seat].occupant.as_ref().map_or(0, |occupant| occupant.key)
    }

    #[inline(never)]
    fn tell_role(&mut self, seat: usize, now: LocalTime) {
        let Some(occupant) = &self.seats[seat].occupant else { return };
        let id = if self.primary == Some(seat) { PRIMARY_CLIENT } else { SECONDARY_CLIENT };
        let role = Fields {
            id,
            first: seat as u16,
            second: self.players() as u16,
            generation: self.generation,
            proof: occupant.key,
            number: occupant.token,
            stamp: 0,
        };
        self.tell(seat, &role, now);
    }

    #[inline(never)]
    fn tell_begin(&mut self, seat: usize, now: LocalTime) {
        let Some((run, stamp)) = self.began.filter(|_| self.seats[seat].proved().is_some()) else { return };
        let (generation, proof) = (self.generation, self.key(seat));
        let begin = Fields { id: BEGIN_GAME, first: 1, second: 0, generation, proof, number: run, stamp };
        self.tell(seat, &begin, now);
    }

    #[inline(never)]
    fn tell_state(&mut self, seat: usize, id: u16, now: LocalTime) {
        let synced = self.seats[seat].occupant.as_ref().is_some_and(|occupant| occupant.synced);
        let state = Fields {
            id,
            first: u16::from(synced),
            second: self.players() as u16,
            generation: self.generation,
            proof: self.key(seat),
            ..Fields::default()
        };
        self.tell(seat, &state, now);
    }

    /// Everything told is told again if it is lost, so what finds no room is lost.
    // Not inlined: every message of the relay's own comes here.
    #[inline(never)]
    fn tell(&mut self, seat: usize, fields: &Fields, now: LocalTime) {
        if self.seats[seat].outbox.push(&fields.write(), now).is_err() {
            self.dropped += 1;
        }
    }
}

/// The ERROR that answers a message; it proves itself by what that message carried.
pub(super) fn rejection(why: Rejection, about: &Fields) -> Fields {
    let Fields { id, generation, proof, .. } = *about;
    Fields { id: ERROR, first: why as u16, second: id, generation, proof, number: 0, stamp: 0 }
}
