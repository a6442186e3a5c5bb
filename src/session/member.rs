//! The state that a host keeps for each player.

use super::message::{DATAGRAM_MOST, Known, LinkOffer};
use crate::clock::keyed::SealedChannel;
use crate::clock::{Request, ServerTime, Span};
use crate::game::watch::RateWatch;

/// Time after which the host repeats an update. It is longer than most round trips, and doubles each time up
/// to [`LONGEST_WAIT`] while the guest remains silent.
const FIRST_WAIT: Span = Span::from_millis(125);
const LONGEST_WAIT: Span = Span::from_secs(2);
/// Placeholder for a time that is not used yet.
const ZERO: ServerTime = ServerTime::from_ticks(0);
/// Maximum credit of an unproven address, in bytes.
const MOST_CREDIT: usize = 4 * DATAGRAM_MOST;
/// Number of bytes that the host may send in response to each byte from a guest, in addition to scheduled
/// updates.
const BYTES_PER_BYTE: usize = 3;

/// The most recent update.
#[derive(Debug)]
struct Sent {
    /// The host's latest revision at that time.
    newest: u32,
    /// The last revision that the update contains. It is less than `newest` if there was no room for all
    /// changes.
    revision: u32,
    at: ServerTime,
    /// How long to wait for a confirmation.
    wait: Span,
    /// Whether the update was scheduled rather than sent in response to the guest.
    was_due: bool,
}

/// A session that the host answers but has not accepted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unaccepted {
    /// The guest has to return its token first.
    Challenged(u64),
    /// The guest's datagrams have a different version of the format.
    OtherVersion(u64),
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) player: u64,
    pub(super) seal: Option<SealedChannel>,
    /// The guest's session, or `None` until a datagram contains one.
    pub(super) session: Option<u64>,
    /// Number of sessions so far. It is part of the token, so a late token cannot start another session.
    pub(super) sessions: u64,
    /// Number of bytes that may still be sent to an unproven address, or `None` if the address is proven.
    pub(super) credit: Option<u32>,
    pub(super) unaccepted: Option<Unaccepted>,
    /// Whether the guest has different contents for the latest revision.
    pub(super) differs: bool,
    /// Latest revision that the guest has confirmed.
    pub(super) known: u32,
    /// Whether the guest has reported its revision and is waiting for an answer.
    pub(super) asked: bool,
    pub(super) requests: PendingRequests,
    sent: Sent,
    /// The highest revision sent so far, and when it was first sent. Later updates may have ended with a
    /// lower one, because they had less room.
    first_sent: (u32, ServerTime),
    /// Number of bytes that may still be sent in response to the guest. See [`BYTES_PER_BYTE`].
    spare: u32,
    /// When the most recent datagram arrived, or when silence was first checked.
    last_arrival: Option<ServerTime>,
    /// An offered link, and whether the guest has confirmed it.
    pub(super) offer: Option<(LinkOffer, bool)>,
    /// Watches whether the guest's clock runs at the server's rate.
    pub(super) watch: RateWatch,
    pub(super) trip: Trip,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PendingRequest {
    pub(super) request: Request,
    /// When the host found the request.
    pub(super) found: ServerTime,
    /// When the host last polled before that, if known.
    pub(super) polled: Option<ServerTime>,
}

/// A guest's most recent requests, oldest first. If the network delays some of them, several may arrive
/// between two host frames.
#[derive(Debug, Default)]
pub(super) struct PendingRequests([Option<PendingRequest>; 4]);

impl PendingRequests {
    /// Adds a request unless it is a copy. If there is no room, the oldest request is dropped.
    pub(super) fn push(&mut self, pending: PendingRequest) {
        if self.0.iter().flatten().any(|other| other.request.id == pending.request.id) {
            return;
        }
        let free = self.0.iter().position(Option::is_none).unwrap_or_else(|| {
            self.0.rotate_left(1);
            self.0.len() - 1
        });
        self.0[free] = Some(pending);
    }

    pub(super) fn pop(&mut self) -> Option<PendingRequest> {
        self.0.rotate_left(1);
        self.0.last_mut()?.take()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }
}

/// Measures a player's round trip with tokens that the guest returns immediately.
#[derive(Debug, Default)]
pub(super) struct Trip {
    /// When the caller last requested the round trip.
    asked: Option<ServerTime>,
    /// The token in flight, and when it was sent.
    sent: Option<(u64, ServerTime)>,
    /// When the current span started, and the smallest round trips in this span and in the previous one.
    since: Option<ServerTime>,
    least: Option<Span>,
    least_before: Option<Span>,
}

impl Trip {
    /// Interval between measurements.
    const INTERVAL: Span = Span::from_secs(1);
    /// How long to measure after the caller has requested the round trip.
    const ASKED: Span = Span::from_secs(10);
    /// The smallest round trip is taken over one to two spans of this length.
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
        // Ignore further copies of this token, because the guest held them longer.
        self.sent = Some((!sent, at));
        if self.since.is_none_or(|since| arrived - since >= Self::SPAN) {
            (self.since, self.least_before) = (Some(arrived), self.least.take());
        }
        let trip = (arrived - at).max(Span::ZERO);
        self.least = Some(self.least.map_or(trip, |least| least.min(trip)));
    }
}

/// Adds `more` bytes to the number that may still be sent, up to [`MOST_CREDIT`].
fn raised(credit: u32, more: usize) -> u32 {
    (credit as usize + more).min(MOST_CREDIT) as u32
}

impl Member {
    pub(super) fn new(
        player: u64,
        seal: Option<SealedChannel>,
        credit: Option<u32>,
        watch: RateWatch,
    ) -> Self {
        Member {
            player,
            seal,
            session: None,
            sessions: 0,
            credit,
            unaccepted: None,
            differs: false,
            known: 0,
            asked: false,
            requests: PendingRequests::default(),
            sent: Sent { newest: 0, revision: 0, at: ZERO, wait: FIRST_WAIT, was_due: false },
            first_sent: (0, ZERO),
            spare: MOST_CREDIT as u32,
            last_arrival: None,
            offer: None,
            watch,
            trip: Trip::default(),
        }
    }

    /// Starts a new session for a guest that has reconnected and has no state.
    pub(super) fn start_session(&mut self, session: u64, now: ServerTime) {
        self.session = Some(session);
        self.sessions += 1;
        (self.known, self.unaccepted) = (0, None);
        // Send an update immediately. Without spare bytes, the guest has to wait as if an update had been
        // lost.
        if self.can_spare() {
            (self.sent.newest, self.sent.revision) = (0, 0);
            self.spare -= DATAGRAM_MOST as u32;
        }
        if let Some((_, is_known)) = &mut self.offer {
            *is_known = false;
        }
        // Its timestamps may have a different origin.
        let _ = self.watch.excuse(now, now);
    }

    /// Returns the session that has to return its token before it is accepted.
    pub(super) fn challenged(&self) -> Option<u64> {
        match self.unaccepted {
            Some(Unaccepted::Challenged(session)) => Some(session),
            _ => None,
        }
    }

    /// Returns the time since the last datagram.
    pub(super) fn silence(&mut self, now: ServerTime) -> Span {
        now - *self.last_arrival.get_or_insert(now)
    }

    /// Accounts for a received datagram of this size.
    pub(super) fn note_received(&mut self, bytes: usize, arrived: ServerTime) {
        self.last_arrival = self.last_arrival.max(Some(arrived));
        self.credit = self.credit.map(|credit| raised(credit, bytes));
        self.spare = raised(self.spare, bytes * BYTES_PER_BYTE);
        self.sent.wait = FIRST_WAIT;
    }

    /// Accounts for a sent datagram of this size. `was_due` means that it was scheduled rather than sent in
    /// response to the guest.
    pub(super) fn note_sent_bytes(&mut self, bytes: usize, was_due: bool) {
        self.credit = self.credit.map(|credit| credit.saturating_sub(bytes as u32));
        if !was_due {
            self.spare = self.spare.saturating_sub(bytes as u32);
        }
    }

    /// Returns whether the guest has sent enough to be answered with a datagram of maximum length.
    pub(super) fn can_spare(&self) -> bool {
        self.spare >= DATAGRAM_MOST as u32
    }

    /// Compares the guest's clock with the server's clock, using a request and the confirmation that arrived
    /// with it.
    pub(super) fn watch_clock(&mut self, request: &Request, arrived: ServerTime, known: Option<Known>) {
        let (revision, first) = self.first_sent;
        let first_sent = known.filter(|known| known.revision == revision && revision != 0).map(|_| first);
        // Errors are ignored, because an invalid timestamp harms only the guest itself.
        let _ = self.watch.report(request.client_time, arrived, first_sent.filter(|&first| first <= arrived));
    }

    pub(super) fn note_known(&mut self, known: Known, epoch: u64, newest: u32) {
        self.asked = true;
        // This may be less than before if the datagram is late, or if late updates of an earlier host have
        // replaced those of this host.
        self.known = if known.epoch == epoch { known.revision.min(newest) } else { 0 };
    }

    /// Returns whether an update with the latest revision was sent at `now`.
    pub(super) fn was_sent(&self, newest: u32, now: ServerTime) -> bool {
        self.sent.newest == newest && self.sent.at == now
    }

    /// Returns whether an update or offer has to be sent at `now`, even without a request. Until the guest
    /// knows the `urgent` revision, updates are repeated at that interval.
    pub(super) fn is_due(&self, now: ServerTime, newest: u32, urgent: Option<(u32, Span)>) -> bool {
        let Sent { newest: sent, at, wait, .. } = self.sent;
        let urgent = urgent.filter(|(revision, _)| self.known < *revision);
        let wait = urgent.map_or(wait, |(_, interval)| wait.min(interval));
        let may = self.session.is_some() && self.credit.is_none();
        let has_news = self.known < newest && (sent < newest || now - at >= wait);
        let has_offer = matches!(self.offer, Some((_, false))) && now - at >= wait;
        may && (has_news || has_offer)
    }

    /// Returns the revision after which the rest of a long update begins, if it must be sent, and whether it
    /// is scheduled. The rest follows the previous part immediately or, if that was a response and there are
    /// no more spare bytes, once the guest has confirmed it.
    pub(super) fn rest(&self, newest: u32, now: ServerTime) -> Option<(u32, bool)> {
        let Sent { revision, was_due, .. } = self.sent;
        let was_sent = self.was_sent(newest, now);
        let is_due = was_due && was_sent;
        let follows = was_sent || self.known >= revision;
        let is_begun = revision != 0 && (is_due || follows && self.can_spare());
        let base = revision.max(self.known);
        (is_begun && base < newest).then_some((base, is_due))
    }

    /// Records that an update up to `revision`, or the rest of it, was sent while the host's latest revision
    /// was `newest`.
    pub(super) fn note_update(
        &mut self,
        revision: u32,
        newest: u32,
        is_rest: bool,
        was_due: bool,
        now: ServerTime,
    ) {
        let Sent { newest: before, wait, .. } = self.sent;
        let wait = match (is_rest, before == newest) {
            // Repeats a long update less often than a short one.
            (true, _) => wait + FIRST_WAIT,
            (false, true) => wait + wait,
            (false, false) => FIRST_WAIT,
        };
        self.sent = Sent { newest, revision, at: now, wait: wait.min(LONGEST_WAIT), was_due };
        if revision > self.first_sent.0 {
            self.first_sent = (revision, now);
        }
    }
}
