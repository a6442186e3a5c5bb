//! The shared clock as one peer has it: by following the primary, or by being it.

use super::error::PeerError;
use super::message::{Fields, SYNCH_REPLY, Statement};
use crate::client::Client;
use crate::client::Config;
use crate::clock::{Reading, State};
use crate::exchange::authority::Authority;
use crate::exchange::authority::AuthorityError;
use crate::exchange::{Reply, Request, RequestId};
use crate::range::ConfigError;
use crate::time::TimeError;
use crate::time::{LocalTime, ServerTime, Span};

/// A message may be handled so much later than it was stamped; by more, the local clock was set back.
const HANDLED_LATE: Span = Span::from_secs(1);

/// Whom the client follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) authority: u64,
    pub(super) run: u64,
    /// How far the authority may be from the first one of this run, at `at`.
    total: Span,
    at: LocalTime,
}

/// The clock of a primary: its local clock, shifted.
#[derive(Clone, Copy, Debug)]
struct Own {
    from: LocalTime,
    shared: ServerTime,
    /// Whom it followed before, and how far it may have been off at `from`.
    base: u64,
    loss: Span,
}

impl Own {
    fn at(&self, local: LocalTime) -> ServerTime {
        self.shared + (local - self.from)
    }
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) client: Client,
    /// Whose replies the client takes, and whom it followed before: it may still show that one's clock, see
    /// [`Shared::shown`].
    standing: Option<Standing>,
    left: Option<Standing>,
    own: Option<Own>,
    /// The newest runs first, and when the game began in them.
    began: [Option<(u64, ServerTime)>; 2],
    /// The last tick.
    ticked: Option<LocalTime>,
}

impl Shared {
    pub(super) fn new(config: Config, seed: u128) -> Result<Self, ConfigError> {
        Ok(Shared {
            client: Client::new(config, seed)?,
            standing: None,
            own: None,
            began: [None; 2],
            left: None,
            ticked: None,
        })
    }

    pub(super) fn has_asked(&self) -> bool {
        self.standing.is_some()
    }

    /// Whom the reading speaks of. When another run of the shared clock begins, the client shows the old one until it
    /// knows the new one well.
    fn shown(&self, reading: &Reading) -> Option<Standing> {
        let both = [self.standing, self.left].into_iter().flatten();
        both.into_iter().find(|standing| standing.authority == reading.server_epoch)
    }

    /// When the game began, by the clock that is shown.
    fn began(&self, reading: &Reading) -> Option<ServerTime> {
        let run = self.shown(reading)?.run;
        self.began.iter().flatten().find(|began| began.0 == run).map(|began| began.1)
    }

    /// Follows `next` from now on.
    fn stand(&mut self, next: Standing, shown: u64) {
        if self
            .standing
            .is_some_and(|standing| standing.authority != next.authority && standing.authority == shown)
        {
            self.left = self.standing;
        }
        self.standing = Some(next);
    }

    /// From `now` on this peer's own clock is the shared one, under this name. It goes on from what it read.
    #[inline(never)]
    pub(super) fn lead(&mut self, name: u64, now: LocalTime) {
        if self.own.is_some() {
            return;
        }
        let now = self.latest(now);
        let reading = self.client.read(now);
        let known =
            self.standing.filter(|_| reading.state != State::Unsynced && reading.error_bound < Span::MAX);
        let (loss, base) = known.map_or((Span::ZERO, 0), |known| (reading.error_bound, known.authority));
        let total = known.map_or(Span::ZERO, |known| self.total(&known, now)) + loss;
        // Who does not know the shared clock begins another run of it, at zero if it showed nothing.
        let run = known.map_or(name, |known| known.run);
        if known.is_some() {
            let _begins_anew_if_refused = go_on(&mut self.client, base, name, run, loss, now);
        }
        self.own = Some(Own { from: now, shared: reading.server_time, base, loss });
        self.stand(Standing { authority: name, run, total, at: now }, reading.server_epoch);
        if let Ok(request) = self.client.make_request(now) {
            self.answer_oneself(&request, now);
        }
    }

    /// A primary is its own client: so that what it shows is one clock, whatever its role was and will be.
    fn answer_oneself(&mut self, request: &Request, now: LocalTime) -> bool {
        let (Some(own), Some(standing)) = (self.own, self.standing) else { return false };
        let shared = own.at(now);
        let reply = Reply { id: request.id, epoch: standing.authority, received: shared, sent: shared };
        let _refused_if_it_cannot_be = self.client.handle_reply(&reply, now);
        true
    }

    /// Another one leads.
    pub(super) fn follow(&mut self) {
        self.own = None;
    }

    /// Does what is due, and gives the request to be sent. A primary answers its own.
    pub(super) fn tick(&mut self, now: LocalTime) -> Result<Option<Request>, TimeError> {
        let request = self.client.tick(now)?;
        self.ticked = Some(now);
        Ok(request.filter(|request| !self.answer_oneself(request, now)))
    }

    /// The latest the client knows of, for what was stamped early and handled late.
    fn latest(&self, now: LocalTime) -> LocalTime {
        let late = |ticked: &LocalTime| *ticked > now && *ticked - now < HANDLED_LATE;
        self.ticked.filter(late).unwrap_or(now)
    }

    /// The answer of a primary, sent at `now`, to a request that it received at `received`.
    pub(super) fn answer(&self, received: LocalTime, now: LocalTime) -> Option<(ServerTime, Statement)> {
        let (own, standing) = (self.own?, self.standing?);
        let said = Statement {
            hold: u32::try_from((now - received).ticks().max(0)).ok()?,
            authority: standing.authority,
            base: own.base,
            run: standing.run,
            loss: (own.loss + self.drift(now - own.from)).ticks(),
            total: self.total(&standing, now).ticks(),
        };
        Some((own.at(received), said))
    }

    /// Learns from a reply to a request that is known to be this peer's.
    pub(super) fn learn(
        &mut self,
        reply: &Fields,
        said: &Statement,
        arrived: LocalTime,
    ) -> Result<(), PeerError> {
        let there = self.certainly((reply.number >> 32) as u32);
        let back = self.certainly(reply.number as u32);
        let received = ServerTime::from_ticks(reply.stamp);
        let sent = received + Span::from_ticks(i64::from(said.hold));
        let reply = Reply {
            id: RequestId(reply.proof),
            epoch: said.authority,
            received: received - there,
            sent: sent + back,
        };
        let (loss, total) = (Span::from_ticks(said.loss), Span::from_ticks(said.total));
        if said.authority == 0 || !reply.received.is_valid() || !reply.sent.is_valid() {
            return Err(PeerError::Malformed(SYNCH_REPLY));
        }
        if let Some(known) =
            self.standing.filter(|known| known.authority != said.authority && known.run == said.run)
        {
            let apart = if said.base == known.authority { loss } else { total + self.total(&known, arrived) };
            let now = self.latest(arrived);
            // Refused if nobody could go on over so much: then the reply begins another timescale.
            let _ = go_on(&mut self.client, known.authority, said.authority, said.run, apart, now);
        }
        let shown = self.client.read(arrived).server_epoch;
        self.client.handle_reply(&reply, arrived)?;
        self.stand(Standing { authority: said.authority, run: said.run, total, at: arrived }, shown);
        Ok(())
    }

    /// The game begins, by this primary's clock at `now`, unless it began.
    pub(super) fn begin(&mut self, now: LocalTime) {
        if let (Some(own), Some(standing)) = (self.own, self.standing) {
            self.learn_begin(standing.run, own.at(now));
        }
    }

    /// When it began in `run`, as the relay says. What is known already stays.
    pub(super) fn learn_begin(&mut self, run: u64, at: ServerTime) {
        if self.began.iter().flatten().all(|began| began.0 != run) {
            self.began = [Some((run, at)), self.began[0]];
        }
    }

    /// The run of this primary's clock, and when the game began in it.
    pub(super) fn beginning(&self) -> Option<(u64, ServerTime)> {
        let run = self.standing?.run;
        self.began.into_iter().flatten().find(|began| began.0 == run)
    }

    /// What the client reads, when the game began by that clock, and how far it is from the first one of its run.
    pub(super) fn read(&self, now: LocalTime) -> (Reading, Option<ServerTime>, Span) {
        let reading = self.client.read(now);
        let inherited = self.shown(&reading).map_or(Span::ZERO, |standing| standing.total);
        (reading, self.began(&reading), inherited)
    }

    /// How long a hold was at least: the relay's clock may run fast, and is read in steps.
    fn certainly(&self, held: u32) -> Span {
        let held = Span::from_ticks(i64::from(held));
        (held - self.drift(held) - self.client.config().server_resolution).max(Span::ZERO)
    }

    /// What two clocks may drift apart in this time.
    #[inline(never)]
    fn drift(&self, elapsed: Span) -> Span {
        let rate = self.client.config().max_drift_ppm * 1e-6;
        Span::from_ticks((elapsed.abs().ticks() as f64 * rate).ceil() as i64)
    }

    fn total(&self, standing: &Standing, now: LocalTime) -> Span {
        standing.total + self.drift(now - standing.at)
    }
}

/// The client goes on from the authority that it follows to `next` of the same run, which may be `apart` from it.
fn go_on(
    client: &mut Client,
    from: u64,
    next: u64,
    run: u64,
    apart: Span,
    now: LocalTime,
) -> Result<(), AuthorityError> {
    // Only what lies between the two counts, so all of it is said of the second.
    client.set_authority(&Authority { epoch: from, timescale: run, dispersion: Span::ZERO }, now)?;
    client.set_authority(&Authority { epoch: next, timescale: run, dispersion: apart }, now)
}
