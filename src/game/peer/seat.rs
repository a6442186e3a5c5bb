//! One seat of a game at the relay: who sits there, what he may still send, what waits for him.

use super::error::PeerError;
use super::outbox::Outbox;
use crate::time::{LocalTime, Span, TICKS_PER_SECOND};

/// What a message costs besides its bytes: headers, and the work.
const COST: i64 = 32;
/// How much of its share a connection may send at once: a second's.
const AT_ONCE: Span = Span::from_secs(1);
/// Requests forwarded for one seat that the primary may still answer; older ones are of no use.
const MOST_UNANSWERED: u8 = 64;

/// Who sits on a seat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occupant {
    pub(super) connection: u64,
    /// The peer's proof of itself, and the relay's of having told it where it really is.
    pub(super) key: u64,
    pub(super) token: u64,
    /// Number of the login, for seniority.
    pub(super) joined: u64,
    /// It has shown its token: the connection is no forged address.
    pub(super) proved: bool,
    /// It had the shared clock, in this run.
    pub(super) synced: bool,
    pub(super) heard: LocalTime,
    /// Requests of this seat that the primary may answer.
    pub(super) unanswered: u8,
    /// Until when its share is spent.
    spent: LocalTime,
}

impl Occupant {
    pub(super) fn new(connection: u64, key: u64, token: u64, joined: u64, now: LocalTime) -> Self {
        Occupant {
            connection,
            key,
            token,
            joined,
            proved: false,
            synced: false,
            heard: now,
            unanswered: 0,
            spent: now,
        }
    }

    /// Takes a message of `size` bytes off the share of `budget` bytes a second.
    pub(super) fn spend(&mut self, size: usize, budget: u32, now: LocalTime) -> Result<(), PeerError> {
        let spent = self.spent.max(now);
        if spent - now > AT_ONCE {
            return Err(PeerError::OverBudget);
        }
        let ticks = (size as i64 + COST) * TICKS_PER_SECOND / i64::from(budget.max(1));
        self.spent = spent + Span::from_ticks(ticks);
        Ok(())
    }

    pub(super) fn asked(&mut self) {
        self.unanswered = (self.unanswered + 1).min(MOST_UNANSWERED);
    }

    /// Whether this is his token.
    pub(super) fn check(&self, token: u64) -> Result<(), PeerError> {
        if self.token == token { Ok(()) } else { Err(PeerError::WrongKey) }
    }
}

/// A seat and its queue, whose memory stays when the occupant goes.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) occupant: Option<Occupant>,
    pub(super) outbox: Outbox,
}

impl Seat {
    pub(super) fn new(queue: usize) -> Self {
        Seat { occupant: None, outbox: Outbox::new(queue) }
    }

    #[inline(never)]
    pub(super) fn clear(&mut self) {
        self.occupant = None;
        self.outbox.clear();
    }

    /// Whoever sits here and has shown his token.
    pub(super) fn proved(&self) -> Option<&Occupant> {
        self.occupant.as_ref().filter(|occupant| occupant.proved)
    }
}
