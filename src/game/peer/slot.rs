//! A slot in a game at the relay, with its peer, the peer's rate limit, and its queue.

use super::error::PeerError;
use super::outbox::Outbox;
use crate::clock::for_parts::OutOfMemory;
use crate::clock::{LocalTime, Span, TICKS_PER_SECOND};

/// Cost of a message in addition to its bytes, for headers and processing.
const COST: i64 = 32;
/// A connection's maximum burst: one second's budget.
const AT_ONCE: Span = Span::from_secs(1);
/// Maximum number of a slot's forwarded requests that the primary may still answer. Older requests are
/// obsolete.
pub(super) const MOST_UNANSWERED: u8 = 64;

/// The peer in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occupant {
    pub(super) connection: u64,
    /// Key drawn by the peer, which authenticates the relay's messages.
    pub(super) key: u64,
    /// Token drawn by the relay, which authenticates the peer's messages.
    pub(super) token: u64,
    /// The login's sequence number, which determines seniority.
    pub(super) joined: u64,
    pub(super) heard: LocalTime,
    /// Number of requests from this slot that the primary may still answer.
    pub(super) unanswered: u8,
    /// The time at which the budget has recovered completely.
    spent: LocalTime,
}

impl Occupant {
    pub(super) fn new(connection: u64, key: u64, token: u64, joined: u64, now: LocalTime) -> Self {
        Occupant { connection, key, token, joined, heard: now, unanswered: 0, spent: now }
    }

    /// Charges a message of `size` bytes to the budget (bytes per second).
    pub(super) fn spend(&mut self, size: usize, budget: u32, now: LocalTime) -> Result<(), PeerError> {
        let spent = self.spent.max(now);
        if spent - now > AT_ONCE {
            return Err(PeerError::OverBudget);
        }
        let ticks = (size as i64 + COST) * TICKS_PER_SECOND / i64::from(budget.max(1));
        self.spent = spent + Span::from_ticks(ticks);
        Ok(())
    }

    /// Checks the peer's token. This compares a single word, so it takes constant time.
    pub(super) fn check(&self, token: u64) -> Result<(), PeerError> {
        if self.token == token { Ok(()) } else { Err(PeerError::WrongKey) }
    }
}

/// A slot and its queue. The memory of the queue is kept when the peer leaves.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) occupant: Option<Occupant>,
    pub(super) outbox: Outbox,
}

impl Slot {
    pub(super) fn new(queue: usize) -> Result<Self, OutOfMemory> {
        Ok(Slot { occupant: None, outbox: Outbox::new(queue)? })
    }

    pub(super) fn clear(&mut self) -> Option<Occupant> {
        self.outbox.clear();
        self.occupant.take()
    }
}
