//! Manages a peer's membership in its game: logging in, keeping the slot, receiving a role, and leaving.

use super::error::{PeerError, Rejection};
use super::fields::ERROR;
use super::message::{Body, Message, Role, VERSION};
use crate::clock::for_parts::Unguessable;
use crate::clock::{LocalTime, Span};

/// Interval between unanswered LOGINs.
const LOGIN_EVERY: Span = Span::from_millis(500);
/// Time to wait after the relay has rejected a LOGIN.
const REFUSED_FOR: Span = Span::from_secs(2);
/// Interval between READYs.
const READY_EVERY: Span = Span::from_millis(250);
/// Time without a message from the relay (20 unanswered READYs) after which the peer assumes that it has lost
/// its slot.
const LOST_AFTER: Span = Span::from_secs(5);

#[derive(Clone, Copy, Debug)]
pub(super) struct Membership {
    pub(super) slot: u16,
    /// Authenticates the messages that this peer sends to the relay.
    pub(super) token: u64,
    pub(super) generation: u32,
    pub(super) role: Role,
}

impl Membership {
    pub(super) fn say(&self, body: Body) -> Message {
        Message { generation: self.generation, proof: self.token, body }
    }

    /// Checks that a message of this generation belongs to the current primary.
    pub(super) fn check(&self, generation: u32) -> Result<(), PeerError> {
        if generation == self.generation { Ok(()) } else { Err(PeerError::Stale) }
    }
}

#[derive(Debug)]
pub(super) struct Login {
    game: u64,
    pub(super) random: Unguessable,
    /// Authenticates the messages that the relay sends to this peer. A new key is drawn for each login.
    key: u64,
    /// The cookie from the relay, which proves that this peer receives its messages, or zero if none has
    /// arrived yet.
    cookie: u64,
    pub(super) membership: Option<Membership>,
    /// Number of peers in the game, as last reported by the relay.
    pub(super) players: u16,
    pub(super) rejection: Option<Rejection>,
    pub(super) ended: bool,
    /// Whether to leave with the next message.
    pub(super) leaving: bool,
    /// When the next LOGIN or READY is due, or `None` if it is due immediately.
    due: Option<LocalTime>,
    /// When the last valid message from the relay arrived.
    pub(super) heard: Option<LocalTime>,
    /// Whether the relay knows that this peer has the shared clock.
    acknowledged: bool,
    /// Whether SYNCH_DONE may be sent. It may be sent once after each READY.
    done_due: bool,
}

impl Login {
    pub(super) fn new(game: u64, seed: u128) -> Self {
        let mut random = Unguessable::new(seed);
        let key = random.next();
        Login {
            game,
            random,
            key,
            cookie: 0,
            membership: None,
            players: 0,
            rejection: None,
            ended: false,
            leaving: false,
            due: None,
            heard: None,
            acknowledged: false,
            done_due: false,
        }
    }

    pub(super) fn member_as(&self, role: Role) -> Result<Membership, PeerError> {
        self.membership.filter(|known| known.role == role).ok_or(PeerError::WrongRole)
    }

    pub(super) fn is_silent(&self, now: LocalTime) -> bool {
        self.heard.is_some_and(|heard| now - heard > LOST_AFTER)
    }

    /// Checks that a message from the relay contains the key of this login. This compares a single word, so
    /// it takes constant time.
    pub(super) fn check(&self, proof: u64) -> Result<(), PeerError> {
        if proof == self.key { Ok(()) } else { Err(PeerError::WrongKey) }
    }

    /// Stores a cookie from the relay. The first cookie is presented immediately, later ones with the next
    /// LOGIN.
    pub(super) fn take_cookie(&mut self, cookie: u64) -> Result<(), PeerError> {
        if self.membership.is_some() {
            return Err(PeerError::Stale);
        }
        if self.cookie == 0 {
            self.due = None;
        }
        self.cookie = cookie;
        Ok(())
    }

    pub(super) fn reject(&mut self, rejection: Option<Rejection>, now: LocalTime) -> PeerError {
        let Some(rejection) = rejection else { return PeerError::Malformed(ERROR) };
        if self.membership.is_some() {
            return PeerError::Stale;
        }
        self.ended |= rejection == Rejection::Version;
        self.rejection = Some(rejection);
        self.due = Some(now + REFUSED_FOR);
        PeerError::Rejected(rejection)
    }

    /// Accepts the slot and role assigned by the relay. Returns false if the peer already has them.
    pub(super) fn join(&mut self, next: Membership, players: u16) -> Result<bool, PeerError> {
        if let Some(known) = self.membership {
            // The newer generation takes precedence. The 32-bit number may wrap.
            let newer = next.generation.wrapping_sub(known.generation) as i32;
            if known.token != next.token || newer < 0 || (newer == 0 && known.role != next.role) {
                return Err(PeerError::Stale);
            }
            if newer == 0 {
                self.players = players;
                return Ok(false);
            }
        }
        self.membership = Some(next);
        (self.players, self.rejection) = (players, None);
        // Send a READY immediately to present the token.
        (self.due, self.acknowledged) = (None, false);
        Ok(true)
    }

    /// Stores the state of the game reported by the relay. `knows_clock` means that the relay has received
    /// this peer's SYNCH_DONE.
    pub(super) fn note(&mut self, players: u16, knows_clock: bool) {
        self.players = players;
        self.acknowledged |= knows_clock;
    }

    /// Resets the login after the relay has dropped it.
    pub(super) fn lose_slot(&mut self) {
        self.membership = None;
        self.due = None;
        (self.key, self.cookie) = (self.random.next(), 0);
    }

    /// Returns a LOGIN, READY or GAME_END if one is due. `knows_begin` means that the peer knows when the
    /// game began.
    pub(super) fn next_message(&mut self, now: LocalTime, knows_begin: bool) -> Option<Message> {
        if self.ended {
            return None;
        }
        let due = self.due.is_none_or(|due| now >= due || due - now > REFUSED_FOR);
        let Some(known) = self.membership else {
            self.ended = self.leaving;
            if self.ended || !due {
                return None;
            }
            self.due = Some(now + LOGIN_EVERY);
            let body = Body::Login { version: VERSION, game: self.game, cookie: self.cookie };
            return Some(Message { generation: 0, proof: self.key, body });
        };
        if self.leaving {
            (self.ended, self.membership) = (true, None);
            return Some(known.say(Body::GameEnd));
        }
        if !due {
            return None;
        }
        (self.due, self.done_due) = (Some(now + READY_EVERY), true);
        Some(known.say(Body::Ready { leads: known.role == Role::Primary, knows_begin }))
    }

    /// Returns whether to send SYNCH_DONE. It is sent once after each READY if the peer has the clock, until
    /// the relay confirms it.
    pub(super) fn take_done(&mut self, has_clock: bool) -> bool {
        core::mem::take(&mut self.done_due) && has_clock && !self.acknowledged
    }
}
