//! The state that a host keeps for each player.

use super::message::{DATAGRAM_MOST, Known, LinkOffer};
use crate::clock::keyed::SealedChannel;
use crate::clock::{Request, ServerTime, Span};
use crate::game::watch::RateWatch;

/// The host repeats news after this time, which is longer than most round trips. While the guest stays
/// silent, the time doubles, up to [`LONGEST_WAIT`].
const FIRST_WAIT: Span = Span::from_millis(125);
const LONGEST_WAIT: Span = Span::from_secs(2);
/// Bytes that an unproven address can be owed at most.
const MOST_CREDIT: usize = 4 * DATAGRAM_MOST;
/// Bytes that a guest can cause for each byte that it sends. The host's own news comes on top, at the host's
/// pace.
const BYTES_PER_BYTE: usize = 3;

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
    /// The same revision, and when it was sent first.
    sent_first: (u32, ServerTime),
    /// Bytes that the guest may still cause: see [`BYTES_PER_BYTE`].
    spare: usize,
    /// An offered link, and whether the guest confirmed it.
    pub(super) offer: Option<(LinkOffer, bool)>,
    /// Whether the guest's clock runs at the server's rate.
    pub(super) watch: RateWatch,
}

impl Member {
    pub(super) fn new(
        player: u64,
        seal: Option<SealedChannel>,
        credit: Option<usize>,
        watch: RateWatch,
    ) -> Self {
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
            sent_first: (0, ServerTime::from_ticks(0)),
            spare: MOST_CREDIT,
            offer: None,
            watch,
        }
    }

    /// Whether `session` is over.
    pub(super) fn has_left(&self, session: u64) -> bool {
        self.left == Some(session)
    }

    /// Starts another session: the guest has connected again and knows nothing.
    pub(super) fn begin(&mut self, session: u64, now: ServerTime) {
        self.left = self.session.replace(session);
        (self.known, self.challenged) = (0, None);
        // Otherwise it waits, as if the news had been lost.
        if self.can_spare() {
            self.sent.0 = 0;
        }
        if let Some((_, is_known)) = &mut self.offer {
            *is_known = false;
        }
        // Its stamps may begin anew.
        let _ = self.watch.excuse(now, now);
    }

    /// Notes a received datagram of this size.
    pub(super) fn note(&mut self, bytes: usize) {
        self.credit = self.credit.map(|credit| (credit + bytes).min(MOST_CREDIT));
        self.spare = (self.spare + bytes * BYTES_PER_BYTE).min(MOST_CREDIT);
        self.sent.2 = FIRST_WAIT;
    }

    /// Notes a sent datagram of this size, and whether the host sent it of its own accord.
    pub(super) fn note_size(&mut self, bytes: usize, was_due: bool) {
        self.credit = self.credit.map(|credit| credit.saturating_sub(bytes));
        if !was_due {
            self.spare = self.spare.saturating_sub(bytes);
        }
    }

    /// Whether the guest's bytes pay for the longest datagram.
    pub(super) fn can_spare(&self) -> bool {
        self.spare >= DATAGRAM_MOST
    }

    /// Compares the guest's clock with the server's, by a request that came with this confirmation.
    pub(super) fn watch_clock(&mut self, request: &Request, arrived: ServerTime, known: Option<Known>) {
        let (revision, at) = self.sent_first;
        let heard = known.filter(|known| known.revision == revision && revision != 0).map(|_| at);
        // An invalid stamp is the guest's own loss.
        let _ = self.watch.report(request.client_time, arrived, heard.filter(|&heard| heard <= arrived));
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
        let may = self.session.is_some() && self.credit.is_none();
        let has_news = self.known < newest && (revision < newest || now - at >= wait);
        let has_offer = matches!(self.offer, Some((_, false))) && now - at >= wait;
        may && (has_news || has_offer)
    }

    /// Notes that news up to `revision` was sent.
    pub(super) fn note_sent(&mut self, revision: u32, now: ServerTime) {
        let (before, _, wait) = self.sent;
        let next = if before == revision { (wait + wait).min(LONGEST_WAIT) } else { FIRST_WAIT };
        self.sent = (revision, now, next);
        if self.sent_first.0 != revision {
            self.sent_first = (revision, now);
        }
    }
}
