//! The shared clock of one peer, which follows the primary or is the primary.

use super::error::PeerError;
use super::fields::SYNCH_REPLY;
use super::message::{Answer, Began, SynchReply};
use crate::clock::authority::{Authority, AuthorityError};
use crate::clock::{
    Client, Config, CreateError, LocalTime, Reading, Reply, Request, RequestId, ServerTime, Span, State,
    TimeError,
};

/// A message is handled at most this long after its timestamp. If it seems longer, the local clock was set
/// back.
const HANDLED_LATE: Span = Span::from_secs(1);

/// The authority that the client follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Followed {
    authority: u64,
    run: u64,
    /// The largest distance between the authority and the first one of this run, at `at`.
    total: Span,
    at: LocalTime,
}

/// The clock of a primary: its local clock with an offset.
#[derive(Clone, Copy, Debug)]
struct Own {
    from: LocalTime,
    /// The shared time at `from`.
    shared: ServerTime,
    /// The authority that this peer followed before, and the error bound at `from`.
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
    /// When the game began, on that clock.
    began: Option<ServerTime>,
    /// The largest distance between that clock and the first one of its run.
    pub(super) inherited: Span,
}

impl SharedReading {
    /// The shared clock since zero, or `None` before the game began.
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
    /// The authority before that one. The client may still show its clock: see [`SharedClock::shown`].
    left: Option<Followed>,
    own: Option<Own>,
    /// When the game began in the two newest runs, newest first.
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

    /// Whether this peer follows an authority, or is one.
    pub(super) fn has_authority(&self) -> bool {
        self.followed.is_some()
    }

    /// The authority whose clock the reading shows. When another run begins, the client shows the old run
    /// until it knows the new one well.
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

    /// Makes this peer's own clock the shared one at `now`, with this identifier. It continues from its
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
        // A peer that does not know the shared clock begins a new run of it, at zero if it showed nothing.
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

    /// A primary is its own client, so it shows the same clock in any role.
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

    /// Performs the work that is due and returns the request to send. A primary answers its own requests.
    pub(super) fn tick(&mut self, now: LocalTime) -> Result<Option<Request>, TimeError> {
        let request = self.client.tick(now)?;
        self.ticked = now;
        Ok(request.filter(|request| !self.answer_itself(request, now)))
    }

    /// The last tick, for a message that was timestamped before it and is handled after it; otherwise `now`.
    fn latest(&self, now: LocalTime) -> LocalTime {
        if self.ticked > now && self.ticked - now < HANDLED_LATE { self.ticked } else { now }
    }

    /// A primary's answer, sent at `now`, to a request that it received at `received`.
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

    /// Learns from a reply to one of this peer's requests.
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
        // A refused reply states nothing, either.
        self.client.check_reply(&reply, arrived)?;
        if let Some(known) = self.followed.filter(|known| known.authority != authority && known.run == run) {
            let apart = if base == known.authority { loss } else { total + self.total(&known, arrived) };
            let now = self.latest(arrived);
            // The client refuses a distance that is too large. The reply then begins another timescale.
            let _ = set_authority(&mut self.client, known.authority, authority, run, apart, now);
        }
        let shown = self.client.read(arrived).server_epoch;
        self.client.handle_reply(&reply, arrived)?;
        self.set_followed(Followed { authority, run, total, at: arrived }, shown);
        Ok(())
    }

    /// Begins the game on this primary's clock at `now`, unless it has begun.
    pub(super) fn begin(&mut self, now: LocalTime) {
        if let (Some(own), Some(followed)) = (self.own, self.followed) {
            self.learn_begin(Began { run: followed.run, at: own.at(now) });
        }
    }

    /// Notes when the game began in a run. A known beginning stays.
    pub(super) fn learn_begin(&mut self, next: Began) {
        if self.began_in(next.run).is_none() {
            self.began = [Some(next), self.began[0]];
        }
    }

    /// When the game began, in the run that this peer follows or leads.
    pub(super) fn began(&self) -> Option<Began> {
        self.began_in(self.followed?.run)
    }

    pub(super) fn read(&self, now: LocalTime) -> SharedReading {
        let reading = self.client.read(now);
        let shown = self.shown(&reading);
        let began = shown.and_then(|shown| self.began_in(shown.run)).map(|began| began.at);
        SharedReading { reading, began, inherited: shown.map_or(Span::ZERO, |shown| shown.total) }
    }

    /// The smallest possible duration of a hold, because the relay's clock may run fast and is read in steps.
    fn least_hold(&self, held: u32) -> Span {
        let held = Span::from_ticks(i64::from(held));
        (held - self.drift(held) - self.client.config().server_resolution).max(Span::ZERO)
    }

    /// The largest drift between two clocks in this time.
    fn drift(&self, elapsed: Span) -> Span {
        let rate = self.client.config().drift();
        Span::from_ticks((elapsed.abs().ticks() as f64 * rate).ceil() as i64)
    }

    /// The largest distance between the authority and the first one of its run, at `now`.
    fn total(&self, followed: &Followed, now: LocalTime) -> Span {
        followed.total + self.drift(now - followed.at)
    }
}

/// Hands the client over from its authority to `next` of the same run, which may differ by `apart`.
fn set_authority(
    client: &mut Client,
    from: u64,
    next: u64,
    run: u64,
    apart: Span,
    now: LocalTime,
) -> Result<(), AuthorityError> {
    // Only the distance between the two matters, so the second carries all of it.
    client.set_authority(&Authority { epoch: from, timescale: run, dispersion: Span::ZERO }, now)?;
    client.set_authority(&Authority { epoch: next, timescale: run, dispersion: apart }, now)
}
