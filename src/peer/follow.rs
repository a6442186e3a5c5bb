//! The shared clock as one peer has it: by following the primary, or by being it.

use super::error::PeerError;
use super::message::{Fields, SYNCH_REPLY, Statement};
use crate::client::Client;
use crate::clock::{Reading, State};
use crate::config::Config;
use crate::error::{ConfigError, TimeError};
use crate::exchange::{Reply, Request, RequestId};
use crate::time::{LocalTime, ServerTime, Span};

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
    standing: Option<Standing>,
    own: Option<Own>,
    /// The run, and when the game began in it.
    began: Option<(u64, ServerTime)>,
}

impl Shared {
    pub(super) fn new(config: Config, seed: u128) -> Result<Self, ConfigError> {
        Ok(Shared { client: Client::new(config, seed)?, standing: None, own: None, began: None })
    }

    pub(super) fn standing(&self) -> Option<Standing> {
        self.standing
    }

    /// When the game began, by the clock that is followed.
    pub(super) fn began(&self) -> Option<ServerTime> {
        let run = self.standing?.run;
        self.began.filter(|began| began.0 == run).map(|began| began.1)
    }

    /// From `now` on this peer's own clock is the shared one, under this name. It goes on from what it read.
    pub(super) fn lead(&mut self, name: u64, now: LocalTime) {
        if self.own.is_some() {
            return;
        }
        let reading = self.client.read(now);
        let known =
            self.standing.filter(|_| reading.state != State::Unsynced && reading.error_bound < Span::MAX);
        let (loss, base) = known.map_or((Span::ZERO, 0), |known| (reading.error_bound, known.authority));
        let total = known.map_or(Span::ZERO, |known| self.total(&known, now)) + loss;
        // Who does not know the shared clock begins another run of it, at zero if it showed nothing.
        let run = known.map_or(name, |known| known.run);
        if known.is_some() {
            go_on(&mut self.client, name, loss, now);
        }
        self.own = Some(Own { from: now, shared: reading.server_time, base, loss });
        self.standing = Some(Standing { authority: name, run, total, at: now });
    }

    /// Another one leads.
    pub(super) fn follow(&mut self) {
        self.own = None;
    }

    /// Does what is due, and gives the request to be sent. A primary answers its own.
    pub(super) fn tick(&mut self, now: LocalTime) -> Result<Option<Request>, TimeError> {
        let Some(request) = self.client.tick(now)? else { return Ok(None) };
        let (Some(own), Some(standing)) = (self.own, self.standing) else { return Ok(Some(request)) };
        let shared = own.at(now);
        let reply = Reply { id: request.id, epoch: standing.authority, received: shared, sent: shared };
        let _never_refused_for_long = self.client.handle_reply(&reply, now);
        Ok(None)
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
            go_on(&mut self.client, said.authority, apart, arrived);
        }
        self.client.handle_reply(&reply, arrived)?;
        self.standing = Some(Standing { authority: said.authority, run: said.run, total, at: arrived });
        Ok(())
    }

    /// The game begins, by this primary's clock at `now`.
    pub(super) fn begin(&mut self, now: LocalTime) {
        if let (Some(own), Some(standing), None) = (self.own, self.standing, self.began()) {
            self.began = Some((standing.run, own.at(now)));
        }
    }

    /// When it began in `run`, as the relay says. What is known already stays.
    pub(super) fn learn_begin(&mut self, run: u64, at: ServerTime) {
        if self.began.is_none_or(|began| began.0 != run) {
            self.began = Some((run, at));
        }
    }

    pub(super) fn beginning(&self) -> Option<(u64, ServerTime)> {
        self.began
    }

    pub(super) fn read(&self, now: LocalTime) -> (Reading, Span) {
        (self.client.read(now), self.standing.map_or(Span::ZERO, |standing| standing.total))
    }

    /// How long a hold was at least: the relay's clock may run fast, and is read in steps.
    fn certainly(&self, held: u32) -> Span {
        let held = Span::from_ticks(i64::from(held));
        (held - self.drift(held) - self.client.config().server_resolution).max(Span::ZERO)
    }

    /// What two clocks may drift apart in this time.
    fn drift(&self, elapsed: Span) -> Span {
        let rate = self.client.config().max_drift_ppm * 1e-6;
        Span::from_ticks((elapsed.abs().ticks() as f64 * rate).ceil() as i64)
    }

    fn total(&self, standing: &Standing, now: LocalTime) -> Span {
        standing.total + self.drift(now - standing.at)
    }
}

/// The client goes on with another authority, which may be off by `loss` from the one it followed.
fn go_on(_client: &mut Client, _authority: u64, _loss: Span, _now: LocalTime) {}
