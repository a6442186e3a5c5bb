//! The state that a host keeps for each player.

use super::message::{DATAGRAM_MOST, Known};
use crate::clock::keyed::SealedChannel;
use crate::clock::{Request, ServerTime, Span};

/// The host repeats news after this time, which is longer than most round trips. While the guest stays
/// silent, the time doubles, up to [`LONGEST_WAIT`].
const FIRST_WAIT: Span = Span::from_millis(125);
const LONGEST_WAIT: Span = Span::from_secs(2);
/// Bytes that an unproven address can be owed at most.
const MOST_CREDIT: usize = 4 * DATAGRAM_MOST;

#[derive(Debug)]
pub(super) struct Member {
    pub(super) player: u64,
    pub(super) seal: Option<SealedChannel>,
    /// The guest's session; `None` until a datagram has named one.
    pub(super) session: Option<u64>,
    /// The previous session, whose late datagrams are refused.
    left: Option<u64>,
    /// Bytes that may still be sent to an unproven address. `None` if the address is proven.
    pub(super) credit: Option<usize>,
    /// A session that has to return its token first.
    pub(super) challenged: Option<u64>,
    /// The newest revision that the guest has confirmed.
    pub(super) known: u32,
    /// The guest reported its revision and waits for an answer.
    pub(super) asked: bool,
    /// The newest request, when it was found, and when the host had polled before, if that is known.
    pub(super) request: Option<(Request, ServerTime, Option<ServerTime>)>,
    /// The newest revision sent, the time of sending, and the time to wait for a confirmation.
    sent: (u32, ServerTime, Span),
}

impl Member {
    pub(super) fn new(player: u64, seal: Option<SealedChannel>, credit: Option<usize>) -> Self {
        Member {
            player,
            seal,
            session: None,
            left: None,
            credit,
            challenged: None,
            known: 0,
            asked: false,
            request: None,
            sent: (0, ServerTime::from_ticks(0), FIRST_WAIT),
        }
    }

    /// Whether `session` is over.
    pub(super) fn has_left(&self, session: u64) -> bool {
        self.left == Some(session)
    }

    /// Starts another session: the guest has connected again and knows nothing.
    pub(super) fn begin(&mut self, session: u64) {
        self.left = self.session.replace(session);
        (self.known, self.challenged, self.sent.0) = (0, None, 0);
    }

    /// Notes a received datagram of this size.
    pub(super) fn note(&mut self, bytes: usize) {
        self.credit = self.credit.map(|credit| (credit + bytes).min(MOST_CREDIT));
        self.sent.2 = FIRST_WAIT;
    }

    pub(super) fn learn(&mut self, known: Known, epoch: u64, newest: u32) {
        self.asked = true;
        if known.epoch == epoch {
            self.known = self.known.max(known.revision.min(newest));
        }
    }

    /// Whether news must be sent at `now`, with or without a reply.
    pub(super) fn is_due(&self, now: ServerTime, newest: u32) -> bool {
        let (revision, at, wait) = self.sent;
        let may = self.session.is_some() && self.credit.is_none() && self.known < newest;
        may && (revision < newest || now - at >= wait)
    }

    /// Notes that news up to `revision` was sent.
    pub(super) fn note_sent(&mut self, revision: u32, now: ServerTime) {
        let (before, _, wait) = self.sent;
        let next = if before == revision { (wait + wait).min(LONGEST_WAIT) } else { FIRST_WAIT };
        self.sent = (revision, now, next);
    }
}
