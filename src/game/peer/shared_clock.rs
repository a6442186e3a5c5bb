//! A peer's shared clock. The peer either follows the primary or is the primary.

use super::error::PeerError;
use super::fields::SYNCH_REPLY;
use super::message::{Answer, Began, SynchReply};
use crate::clock::authority::{Authority, AuthorityError};
use crate::clock::for_parts::parts;
use crate::clock::{
    Client, Config, CreateError, LocalTime, Reading, Reply, Request, RequestId, ServerTime, Span, State,
    TimeError,
};

/// A message is handled within this time after its timestamp. If it seems to take longer, the local clock was
/// set back.
const HANDLED_LATE: Span = Span::from_secs(1);

/// The authority that the client follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Followed {
    authority: u64,
    run: u64,
    /// Maximum distance at `at` between the authority and the first authority of this run.
    total: Span,
    at: LocalTime,
}

/// A primary's clock, which is its local clock plus an offset.
#[derive(Clone, Copy, Debug)]
struct Own {
    from: LocalTime,
    /// Shared time at `from`.
    shared: ServerTime,
    /// The authority that this peer followed previously, and the error bound at `from`.
    base: u64,
    loss: Span,
}

impl Own {
    fn at(&self, local: LocalTime) -> ServerTime {
        self.shared + (local - self.from)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SharedReading {
    pub(super) reading: Reading,
    /// When the game began, on the clock of `reading`.
    began: Option<ServerTime>,
    /// Maximum distance between this clock and the first authority of its run.
    pub(super) inherited: Span,
}

impl SharedReading {
    /// Returns the shared time since the game began, or `None` before that.
    pub(super) fn game_time(&self) -> Option<ServerTime> {
        let began = self.began.filter(|_| self.reading.state != State::Unsynced)?;
        Some(ServerTime::from_ticks((self.reading.server_time - began).ticks().max(0)))
    }
}

#[derive(Debug)]
pub(super) struct SharedClock {
    client: Client,
    /// The authority whose replies the client uses.
    followed: Option<Followed>,
    /// The previously followed authority, whose clock the client may still show. See [`SharedClock::shown`].
    left: Option<Followed>,
    own: Option<Own>,
    /// When the game began in the two most recent runs, most recent first.
    began: [Option<Began>; 2],
    ticked: LocalTime,
}

impl SharedClock {
    pub(super) fn new(config: Config, seed: u128) -> Result<Self, CreateError> {
        Ok(SharedClock {
            client: Client::new(config, seed)?,
            followed: None,
            own: None,
            began: [None; 2],
            left: None,
            ticked: LocalTime::from_ticks(i64::MIN),
        })
    }

    /// Returns whether this peer follows an authority, or is one.
    pub(super) fn has_authority(&self) -> bool {
        self.followed.is_some()
    }

    /// Returns the authority that `reading` belongs to. After a new run begins, the client continues to show
    /// the old run until it has enough replies from the new one.
    fn shown(&self, reading: &Reading) -> Option<Followed> {
        let both = [self.followed, self.left].into_iter().flatten();
        both.into_iter().find(|known| known.authority == reading.server_epoch)
    }

    fn began_in(&self, run: u64) -> Option<Began> {
        self.began.into_iter().flatten().find(|began| began.run == run)
    }

    /// Switches to the authority `next` while the client shows the authority `shown`.
    fn set_followed(&mut self, next: Followed, shown: u64) {
        let is_shown = |known: &Followed| known.authority != next.authority && known.authority == shown;
        if self.followed.as_ref().is_some_and(is_shown) {
            self.left = self.followed;
        }
        self.followed = Some(next);
    }

    /// Makes this peer the primary at `now`, with the authority `name`. The shared clock continues from its
    /// reading.
    pub(super) fn lead(&mut self, name: u64, now: LocalTime) {
        if self.own.is_some() {
            return;
        }
        let now = self.latest(now);
        let reading = self.client.read(now);
        let known =
            self.followed.filter(|_| reading.state != State::Unsynced && reading.error_bound < Span::MAX);
        let (loss, base) = known.map_or((Span::ZERO, 0), |known| (reading.error_bound, known.authority));
        let total = known.map_or(Span::ZERO, |known| self.total(&known, now)) + loss;
        // A peer without the shared clock starts a new run, at zero if it showed no time.
        let run = known.map_or(name, |known| known.run);
        if known.is_some() {
            let _restarts_if_refused = set_authority(&mut self.client, base, name, run, loss, now);
        }
        self.own = Some(Own { from: now, shared: reading.server_time, base, loss });
        self.set_followed(Followed { authority: name, run, total, at: now }, reading.server_epoch);
        if let Ok(request) = self.client.make_request(now) {
            self.answer_itself(&request, now);
        }
    }

    /// Answers the primary's own request. A primary is its own client, so its reading does not depend on its
    /// role.
    fn answer_itself(&mut self, request: &Request, now: LocalTime) -> bool {
        let (Some(own), Some(followed)) = (self.own, self.followed) else { return false };
        let shared = own.at(now);
        let reply =
            Reply { id: request.id, epoch: followed.authority, received: shared, sent: shared, wait: None };
        let _refused_if_it_cannot_be = self.client.handle_reply(&reply, now);
        true
    }

    pub(super) fn follow(&mut self) {
        self.own = None;
    }

    /// Performs due work and returns a request to send, if one is due. A primary answers its own requests.
    pub(super) fn tick(&mut self, now: LocalTime) -> Result<Option<Request>, TimeError> {
        let request = self.client.tick(now)?;
        self.ticked = now;
        Ok(request.filter(|request| !self.answer_itself(request, now)))
    }

    /// Returns the time of the last tick if it was slightly after `now`, because a message may be timestamped
    /// before a tick and handled after it. Otherwise returns `now`.
    fn latest(&self, now: LocalTime) -> LocalTime {
        if self.ticked > now && self.ticked - now < HANDLED_LATE { self.ticked } else { now }
    }

    /// Returns a primary's answer, sent at `now`, to a request that arrived at `received`.
    pub(super) fn answer(&self, received: LocalTime, now: LocalTime) -> Option<Answer> {
        let (own, followed) = (self.own?, self.followed?);
        Some(Answer {
            received: own.at(received),
            hold: u32::try_from((now - received).ticks().max(0)).ok()?,
            authority: followed.authority,
            base: own.base,
            run: followed.run,
            loss: own.loss + self.drift(now - own.from),
            total: self.total(&followed, now),
        })
    }

    /// Handles a reply to one of this peer's requests.
    pub(super) fn learn(&mut self, reply: &SynchReply, arrived: LocalTime) -> Result<(), PeerError> {
        let Answer { received, hold, authority, base, run, loss, total } = reply.answer;
        let there = self.least_hold(reply.held_there);
        let back = self.least_hold(reply.held_back);
        let sent = received + Span::from_ticks(i64::from(hold));
        let reply = Reply {
            id: RequestId(reply.id),
            epoch: authority,
            received: received - there,
            sent: sent + back,
            wait: None,
        };
        if authority == 0 || !reply.received.is_valid() || !reply.sent.is_valid() {
            return Err(PeerError::Malformed(SYNCH_REPLY));
        }
        // Do not update the authority from a reply that the client would reject.
        parts(&self.client).check_reply(&reply, arrived)?;
        if let Some(known) = self.followed.filter(|known| known.authority != authority && known.run == run) {
            let apart = if base == known.authority { loss } else { total + self.total(&known, arrived) };
            let now = self.latest(arrived);
            // If the client rejects this distance as too large, the reply starts a new timescale.
            let _ = set_authority(&mut self.client, known.authority, authority, run, apart, now);
        }
        let shown = self.client.read(arrived).server_epoch;
        self.client.handle_reply(&reply, arrived)?;
        self.set_followed(Followed { authority, run, total, at: arrived }, shown);
        Ok(())
    }

    /// Begins the game at `now` on this primary's clock, unless it has already begun.
    pub(super) fn begin(&mut self, now: LocalTime) {
        if let (Some(own), Some(followed)) = (self.own, self.followed) {
            self.learn_begin(Began { run: followed.run, at: own.at(now) });
        }
    }

    /// Stores when the game began in a run. A beginning that is already known is not changed.
    pub(super) fn learn_begin(&mut self, next: Began) {
        if self.began_in(next.run).is_none() {
            self.began = [Some(next), self.began[0]];
        }
    }

    /// Returns when the game began in the run that this peer follows or leads.
    pub(super) fn began(&self) -> Option<Began> {
        self.began_in(self.followed?.run)
    }

    pub(super) fn read(&self, now: LocalTime) -> SharedReading {
        let reading = self.client.read(now);
        let shown = self.shown(&reading);
        let began = shown.and_then(|shown| self.began_in(shown.run)).map(|began| began.at);
        SharedReading { reading, began, inherited: shown.map_or(Span::ZERO, |shown| shown.total) }
    }

    /// Returns the smallest duration that a hold may have had, given that the relay's clock may run fast and
    /// has a limited resolution.
    fn least_hold(&self, held: u32) -> Span {
        let held = Span::from_ticks(i64::from(held));
        (held - self.drift(held) - self.client.config().server_resolution).max(Span::ZERO)
    }

    /// Returns by how much two clocks may drift apart in this time.
    fn drift(&self, elapsed: Span) -> Span {
        let rate = self.client.config().drift();
        Span::from_ticks((elapsed.abs().ticks() as f64 * rate).ceil() as i64)
    }

    /// Returns the maximum distance at `now` between the authority and the first authority of its run.
    fn total(&self, followed: &Followed, now: LocalTime) -> Span {
        followed.total + self.drift(now - followed.at)
    }
}

/// Switches the client from the authority `from` to the authority `next` of the same run, whose clock may
/// differ by up to `apart`.
fn set_authority(
    client: &mut Client,
    from: u64,
    next: u64,
    run: u64,
    apart: Span,
    now: LocalTime,
) -> Result<(), AuthorityError> {
    // Only the sum of both dispersions matters, so all of it is assigned to the second authority.
    client.set_authority(&Authority { epoch: from, timescale: run, dispersion: Span::ZERO }, now)?;
    client.set_authority(&Authority { epoch: next, timescale: run, dispersion: apart }, now)
}
