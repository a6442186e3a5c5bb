//! The state that a host keeps for each player.

use super::message::{DATAGRAM_MOST, Known, LinkOffer};
use crate::clock::keyed::SealedChannel;
use crate::clock::{Request, ServerTime, Span};
use crate::game::watch::RateWatch;

/// Time until an update is repeated. It exceeds most round trips. The wait doubles up to [`LONGEST_WAIT`]
/// while the guest remains silent.
const FIRST_WAIT: Span = Span::from_millis(125);
const LONGEST_WAIT: Span = Span::from_secs(2);
/// A guest that asks again this soon probably asked before it received the previous update. The host then
/// repeats only the first part. Repeating all parts would use up the spare bytes ([`BYTES_PER_BYTE`]) that a
/// lost update needs.
const IN_FLIGHT: Span = Span::from_millis(40);
const ZERO: ServerTime = ServerTime::from_ticks(0);
/// Maximum credit of an unproven address, in bytes.
const MOST_CREDIT: usize = 4 * DATAGRAM_MOST;
/// Not counting scheduled updates, the host may send this many bytes in response to each byte from a guest.
const BYTES_PER_BYTE: usize = 3;

#[derive(Debug)]
struct Sent {
    newest: u32,
    known: u32,
    /// The last revision in the update. It is below `newest` if some changes did not fit.
    revision: u32,
    at: ServerTime,
    wait: Span,
    was_due: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Unaccepted {
    Challenged(u64),
    OtherVersion(u64),
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) player: u64,
    pub(super) seal: Option<SealedChannel>,
    pub(super) session: Option<u64>,
    /// Tokens are derived from the number of sessions, so a late token cannot start another session.
    pub(super) sessions: u64,
    /// How many bytes may still be sent to an unproven address, or `None` if the address is proven.
    pub(super) credit: Option<u32>,
    pub(super) unaccepted: Option<Unaccepted>,
    pub(super) differs: bool,
    pub(super) known: u32,
    pub(super) asked: bool,
    pub(super) requests: PendingRequests,
    sent: Sent,
    /// The highest revision sent so far, and when it was first sent. A later update with less room may end
    /// with a lower revision.
    first_sent: (u32, ServerTime),
    spare: u32,
    last_arrival: Option<ServerTime>,
    pub(super) offer: Option<(LinkOffer, bool)>,
    pub(super) watch: RateWatch,
    pub(super) trip: Trip,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PendingRequest {
    pub(super) request: Request,
    pub(super) found: ServerTime,
    pub(super) polled: Option<ServerTime>,
}

/// The latest requests of a guest, oldest first. Several requests may arrive between two host frames.
#[derive(Debug, Default)]
pub(super) struct PendingRequests([Option<PendingRequest>; 4]);

impl PendingRequests {
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

/// Measures a player's round-trip time with tokens that the guest returns immediately.
#[derive(Debug, Default)]
pub(super) struct Trip {
    asked: Option<ServerTime>,
    sent: Option<(u64, ServerTime)>,
    since: Option<ServerTime>,
    least: Option<Span>,
    least_before: Option<Span>,
}

impl Trip {
    const INTERVAL: Span = Span::from_secs(1);
    /// How long to keep measuring after the caller has asked for the round trip.
    const ASKED: Span = Span::from_secs(10);
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
        // Ignore duplicates of this token, which would appear to have taken longer.
        self.sent = Some((!sent, at));
        if self.since.is_none_or(|since| arrived - since >= Self::SPAN) {
            (self.since, self.least_before) = (Some(arrived), self.least.take());
        }
        let trip = (arrived - at).max(Span::ZERO);
        self.least = Some(self.least.map_or(trip, |least| least.min(trip)));
    }
}

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
            sent: Sent { newest: 0, known: 0, revision: 0, at: ZERO, wait: FIRST_WAIT, was_due: false },
            first_sent: (0, ZERO),
            spare: MOST_CREDIT as u32,
            last_arrival: None,
            offer: None,
            watch,
            trip: Trip::default(),
        }
    }

    pub(super) fn start_session(&mut self, session: u64, now: ServerTime) {
        self.session = Some(session);
        self.sessions += 1;
        (self.known, self.unaccepted) = (0, None);
        // Without spare bytes, the guest receives the update only after the wait, as it would after a loss.
        if self.can_spare() {
            (self.sent.newest, self.sent.revision) = (0, 0);
            self.spare -= DATAGRAM_MOST as u32;
        }
        if let Some((_, is_known)) = &mut self.offer {
            *is_known = false;
        }
        // The new session's timestamps may have a different origin.
        let _ = self.watch.excuse(now, now);
    }

    pub(super) fn challenged(&self) -> Option<u64> {
        match self.unaccepted {
            Some(Unaccepted::Challenged(session)) => Some(session),
            _ => None,
        }
    }

    pub(super) fn silence(&mut self, now: ServerTime) -> Span {
        now - *self.last_arrival.get_or_insert(now)
    }

    pub(super) fn note_received(&mut self, bytes: usize, arrived: ServerTime) {
        self.last_arrival = self.last_arrival.max(Some(arrived));
        self.credit = self.credit.map(|credit| raised(credit, bytes));
        self.spare = raised(self.spare, bytes * BYTES_PER_BYTE);
        self.sent.wait = FIRST_WAIT;
    }

    pub(super) fn note_sent_bytes(&mut self, bytes: usize, was_due: bool) {
        self.credit = self.credit.map(|credit| credit.saturating_sub(bytes as u32));
        if !was_due {
            self.spare = self.spare.saturating_sub(bytes as u32);
        }
    }

    pub(super) fn can_spare(&self) -> bool {
        self.spare >= DATAGRAM_MOST as u32
    }

    pub(super) fn watch_clock(&mut self, request: &Request, arrived: ServerTime, known: Option<Known>) {
        let (revision, first) = self.first_sent;
        let first_sent = known.filter(|known| known.revision == revision && revision != 0).map(|_| first);
        // An invalid timestamp harms only the guest, so ignore errors.
        let _ = self.watch.report(request.client_time, arrived, first_sent.filter(|&first| first <= arrived));
    }

    pub(super) fn note_known(&mut self, known: Known, epoch: u64, newest: u32) {
        self.asked = true;
        // The known revision decreases after a late datagram, or if the guest applied an earlier host's late
        // updates.
        self.known = if known.epoch == epoch { known.revision.min(newest) } else { 0 };
    }

    pub(super) fn was_sent(&self, newest: u32, now: ServerTime) -> bool {
        self.sent.newest == newest && self.sent.at == now
    }

    /// Returns whether all changes that are new to the guest were sent shortly before `now`.
    pub(super) fn is_in_flight(&self, newest: u32, now: ServerTime) -> bool {
        let Sent { newest: sent, known, revision, at, .. } = self.sent;
        (sent, revision, known) == (newest, newest, self.known) && now - at < IN_FLIGHT
    }

    /// Returns whether an update or offer is due at `now` even without a request. Until the guest knows the
    /// `urgent` revision, updates are repeated at the given interval.
    pub(super) fn is_due(&self, now: ServerTime, newest: u32, urgent: Option<(u32, Span)>) -> bool {
        let Sent { newest: sent, at, wait, .. } = self.sent;
        let urgent = urgent.filter(|(revision, _)| self.known < *revision);
        let wait = urgent.map_or(wait, |(_, interval)| wait.min(interval));
        let may = self.session.is_some() && self.credit.is_none();
        let has_news = self.known < newest && (sent < newest || now - at >= wait);
        let has_offer = matches!(self.offer, Some((_, false))) && now - at >= wait;
        may && (has_news || has_offer)
    }

    /// Returns the revision after which the rest of a long update begins, and whether the rest is scheduled.
    /// The rest is sent immediately, unless the previous part was a response and no spare bytes are left. In
    /// that case, the rest waits until the guest has confirmed the previous part.
    pub(super) fn rest(&self, newest: u32, now: ServerTime) -> Option<(u32, bool)> {
        let Sent { revision, was_due, .. } = self.sent;
        let was_sent = self.was_sent(newest, now);
        let is_due = was_due && was_sent;
        let follows = was_sent || self.known >= revision;
        let is_begun = revision != 0 && (is_due || follows && self.can_spare());
        let base = revision.max(self.known);
        (is_begun && base < newest).then_some((base, is_due))
    }

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
            (true, _) => wait + FIRST_WAIT,
            (false, true) => wait + wait,
            (false, false) => FIRST_WAIT,
        };
        let wait = wait.min(LONGEST_WAIT);
        self.sent = Sent { newest, known: self.known, revision, at: now, wait, was_due };
        if revision > self.first_sent.0 {
            self.first_sent = (revision, now);
        }
    }
}
