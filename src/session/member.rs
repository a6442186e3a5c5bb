//! The state that a host keeps for each player.

use super::message::{DATAGRAM_MOST, Known, LinkOffer};
use crate::clock::keyed::SealedChannel;
use crate::clock::{Request, ServerTime, Span};
use crate::game::watch::RateWatch;

/// The host repeats news after this time, which is longer than most round trips. If the guest stays silent,
/// the time doubles up to [`LONGEST_WAIT`].
const FIRST_WAIT: Span = Span::from_millis(125);
const LONGEST_WAIT: Span = Span::from_secs(2);
/// A time that is not used yet.
const ZERO: ServerTime = ServerTime::from_ticks(0);
/// The maximum credit of an unproven address, in bytes.
const MOST_CREDIT: usize = 4 * DATAGRAM_MOST;
/// Bytes that a guest can cause for each byte it sends, in addition to the host's own news at the host's
/// pace.
const BYTES_PER_BYTE: usize = 3;

/// The newest datagram with news.
#[derive(Debug)]
struct Sent {
    /// The host's newest revision then.
    newest: u32,
    /// The revision it leads to, less than the newest if there was no room for all news.
    revision: u32,
    at: ServerTime,
    /// When this revision was sent first.
    first: ServerTime,
    /// The time to wait for a confirmation.
    wait: Span,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) player: u64,
    pub(super) seal: Option<SealedChannel>,
    /// The guest's session; `None` until a datagram has named one.
    pub(super) session: Option<u64>,
    /// The number of sessions begun. Their tokens differ, so a late token begins nothing.
    pub(super) begun: u64,
    /// Bytes that may still be sent to an unproven address. `None` if the address is proven.
    pub(super) credit: Option<usize>,
    /// A session that must return its token first.
    pub(super) challenged: Option<u64>,
    /// The newest revision that the guest has confirmed.
    pub(super) known: u32,
    /// The guest reported its revision and waits for an answer.
    pub(super) asked: bool,
    /// The newest request, when it was found, and the host's previous poll, if known.
    pub(super) request: Option<(Request, ServerTime, Option<ServerTime>)>,
    sent: Sent,
    /// Bytes that the guest can still cause: see [`BYTES_PER_BYTE`].
    spare: usize,
    /// When the newest datagram arrived, or when the host was first polled.
    heard: Option<ServerTime>,
    /// An offered link, and whether the guest confirmed it.
    pub(super) offer: Option<(LinkOffer, bool)>,
    /// Whether the guest's clock runs at the server's rate.
    pub(super) watch: RateWatch,
    pub(super) trip: Trip,
}

/// Measures a player's round trip: the guest returns a token at once.
#[derive(Debug, Default)]
pub(super) struct Trip {
    /// When the caller asked last.
    asked: Option<ServerTime>,
    /// The token that is under way, and when it left.
    sent: Option<(u64, ServerTime)>,
    /// The shortest round trip since an instant, and the shortest in the span before.
    since: Option<ServerTime>,
    least: Option<Span>,
    least_before: Option<Span>,
}

impl Trip {
    /// Time between two measurements.
    const INTERVAL: Span = Span::from_secs(1);
    /// How long to measure after the caller asked.
    const ASKED: Span = Span::from_secs(10);
    /// The shortest round trip is of one to two spans of this length.
    const SPAN: Span = Span::from_secs(4);

    pub(super) fn ask(&mut self, now: ServerTime) -> Option<Span> {
        self.asked = Some(now);
        self.least.into_iter().chain(self.least_before).min()
    }

    pub(super) fn is_due(&self, now: ServerTime) -> bool {
        let is_asked = self.asked.is_some_and(|asked| now - asked < Self::ASKED);
        is_asked && self.sent.is_none_or(|(_, at)| now - at >= Self::INTERVAL)
    }

    pub(super) fn note_sent(&mut self, token: u64, now: ServerTime) {
        self.sent = Some((token, now));
    }

    pub(super) fn note_echo(&mut self, token: Option<u64>, arrived: ServerTime) {
        let Some((sent, at)) = self.sent.filter(|(sent, _)| token == Some(*sent)) else { return };
        // A repeated token has waited at the guest.
        self.sent = Some((!sent, at));
        if self.since.is_none_or(|since| arrived - since >= Self::SPAN) {
            (self.since, self.least_before) = (Some(arrived), self.least.take());
        }
        let trip = (arrived - at).max(Span::ZERO);
        self.least = Some(self.least.map_or(trip, |least| least.min(trip)));
    }
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
            begun: 0,
            credit,
            challenged: None,
            known: 0,
            asked: false,
            request: None,
            sent: Sent { newest: 0, revision: 0, at: ZERO, first: ZERO, wait: FIRST_WAIT },
            spare: MOST_CREDIT,
            heard: None,
            offer: None,
            watch,
            trip: Trip::default(),
        }
    }

    /// Starts another session: the guest has connected again and knows nothing.
    pub(super) fn begin(&mut self, session: u64, now: ServerTime) {
        self.session = Some(session);
        self.begun += 1;
        (self.known, self.challenged) = (0, None);
        // Otherwise it waits as if the news had been lost.
        if self.can_spare() {
            (self.sent.newest, self.sent.revision) = (0, 0);
            self.spare -= DATAGRAM_MOST;
        }
        if let Some((_, is_known)) = &mut self.offer {
            *is_known = false;
        }
        // Its timestamps may begin anew.
        let _ = self.watch.excuse(now, now);
    }

    /// The time since the last datagram.
    pub(super) fn silence(&mut self, now: ServerTime) -> Span {
        now - *self.heard.get_or_insert(now)
    }

    /// Notes a received datagram of this size.
    pub(super) fn note(&mut self, bytes: usize, arrived: ServerTime) {
        self.heard = self.heard.max(Some(arrived));
        self.credit = self.credit.map(|credit| (credit + bytes).min(MOST_CREDIT));
        self.spare = (self.spare + bytes * BYTES_PER_BYTE).min(MOST_CREDIT);
        self.sent.wait = FIRST_WAIT;
    }

    /// Notes a sent datagram of this size, and whether the host sent it of its own accord.
    pub(super) fn note_size(&mut self, bytes: usize, was_due: bool) {
        self.credit = self.credit.map(|credit| credit.saturating_sub(bytes));
        if !was_due {
            self.spare = self.spare.saturating_sub(bytes);
        }
    }

    /// Whether the guest has paid for the longest datagram.
    pub(super) fn can_spare(&self) -> bool {
        self.spare >= DATAGRAM_MOST
    }

    /// Compares the guest's clock with the server's, using a request that arrived with this confirmation.
    pub(super) fn watch_clock(&mut self, request: &Request, arrived: ServerTime, known: Option<Known>) {
        let Sent { revision, first, .. } = self.sent;
        let heard = known.filter(|known| known.revision == revision && revision != 0).map(|_| first);
        // An invalid timestamp only harms the guest itself.
        let _ = self.watch.report(request.client_time, arrived, heard.filter(|&heard| heard <= arrived));
    }

    pub(super) fn learn(&mut self, known: Known, epoch: u64, newest: u32) {
        self.asked = true;
        // Less than before if the datagram is late, or if late news of an earlier host replaced this host's.
        self.known = if known.epoch == epoch { known.revision.min(newest) } else { 0 };
    }

    /// Whether news must be sent at `now`, with or without a reply.
    pub(super) fn is_due(&self, now: ServerTime, newest: u32) -> bool {
        let Sent { newest: sent, at, wait, .. } = self.sent;
        let may = self.session.is_some() && self.credit.is_none();
        let has_news = self.known < newest && (sent < newest || now - at >= wait);
        let has_offer = matches!(self.offer, Some((_, false))) && now - at >= wait;
        may && (has_news || has_offer)
    }

    /// Whether the rest of a long update follows, because the guest has confirmed the first part.
    pub(super) fn goes_on(&self, newest: u32) -> bool {
        let is_confirmed = self.sent.revision != 0 && self.known >= self.sent.revision;
        is_confirmed && self.known < newest && self.can_spare()
    }

    /// Notes that news up to `revision` was sent, when the host's newest was `newest`.
    pub(super) fn note_sent(&mut self, revision: u32, newest: u32, now: ServerTime) {
        let Sent { revision: before, first, wait, .. } = self.sent;
        let is_repeated = before == revision;
        let wait = if is_repeated { (wait + wait).min(LONGEST_WAIT) } else { FIRST_WAIT };
        self.sent = Sent { newest, revision, at: now, first: if is_repeated { first } else { now }, wait };
    }
}
