use super::Peer;
use crate::clock::authority::Authority;
use crate::clock::for_parts::parts;
use crate::clock::{LocalTime, Reply, Request, RequestId, ServerTime, Span, State, WireError};
use crate::game::peer::error::PeerError;
use crate::game::peer::message::{Began, SynchReply};

/// Messages are handled within this time of their timestamp, unless the local clock was set back.
const HANDLED_LATE: Span = Span::from_secs(1);

/// A primary's clock is its local clock plus a constant offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) from: LocalTime,
    shared: ServerTime,
    pub(super) authority: Authority,
}

impl Own {
    pub(super) fn at(&self, local: LocalTime) -> ServerTime {
        self.shared + (local - self.from)
    }
}

impl Peer {
    pub(super) fn learn_begin(&mut self, next: Began) {
        if self.began_on(next.timescale).is_none() {
            self.began = [Some(next), self.began[0]];
        }
    }

    pub(super) fn began_on(&self, timescale: u64) -> Option<Began> {
        self.began.into_iter().flatten().find(|began| began.timescale == timescale)
    }

    /// Makes this peer the primary, whose clock continues from its current reading. A peer without the shared
    /// clock begins a new timescale, which starts at zero if the peer's clock shows no time.
    pub(super) fn lead(&mut self, now: LocalTime) {
        if self.own.is_some() {
            return;
        }
        let now = self.latest(now);
        let (epoch, reading) = (self.random.next(), self.client.read(now));
        let is_known = reading.state != State::Unsynced && reading.error_bound < Span::MAX;
        let known = self.client.authority(now).filter(|_| is_known);
        let authority = match known {
            Some(Authority { timescale, dispersion, .. }) => {
                Authority { epoch, timescale, dispersion: dispersion + reading.error_bound }
            }
            None => Authority::alone(epoch),
        };
        self.own = Some(Own { from: now, shared: reading.server_time, authority });
        if let Ok(request) = self.client.make_request(now) {
            self.answer_itself(&request, now);
        }
    }

    /// Answers the primary's own requests, so that it reads its clock like any other peer. Returns false if
    /// this peer is not the primary.
    pub(super) fn answer_itself(&mut self, request: &Request, now: LocalTime) -> bool {
        let Some(own) = self.own else { return false };
        let (authority, shared) = (self.authority_of(&own, now), own.at(now));
        let _ = self.client.set_authority(&authority, now);
        let (id, epoch) = (request.id, authority.epoch);
        let reply = Reply { id, epoch, received: shared, sent: shared, wait: None };
        let _ = self.client.handle_reply(&reply, now);
        true
    }

    /// The dispersion grows, because the primary's clock may drift from the timescale that it continues.
    pub(super) fn authority_of(&self, own: &Own, now: LocalTime) -> Authority {
        let known = own.authority;
        let drift = if known.is_alone() { Span::ZERO } else { self.drift(now - own.from) };
        Authority { dispersion: known.dispersion + drift, ..known }
    }

    pub(super) fn learn(&mut self, reply: &SynchReply, arrived: LocalTime) -> Result<(), PeerError> {
        let SynchReply { id, received, hold, held_there, held_back, authority } = *reply;
        let sent = received + Span::from_ticks(hold.into()) + self.least_hold(held_back);
        let received = received - self.least_hold(held_there);
        if !received.is_valid() || !sent.is_valid() {
            return Err(WireError::Stamp.into());
        }
        let reply = Reply { id: RequestId(id), epoch: authority.epoch, received, sent, wait: None };
        // If the client would reject the reply, ignore the authority as well.
        parts(&self.client).check_reply(&reply, arrived)?;
        // The client rejects the authority if its timescale is new, for example, and the clock then starts
        // over.
        let _ = self.client.set_authority(&authority, self.latest(arrived));
        Ok(self.client.handle_reply(&reply, arrived)?)
    }

    /// Returns the shortest time for which the relay may have held the message. The clock that measured
    /// `held` may be fast and has a limited resolution.
    pub(super) fn least_hold(&self, held: u32) -> Span {
        let held = Span::from_ticks(held.into());
        (held - self.drift(held) - self.client.config().server_resolution).max(Span::ZERO)
    }

    pub(super) fn drift(&self, elapsed: Span) -> Span {
        let rate = self.client.config().drift();
        Span::from_ticks((elapsed.abs().ticks() as f64 * rate).ceil() as i64)
    }

    /// Returns `now` or, if slightly later, the time of the last tick, because a message may be timestamped
    /// before a tick and handled after it.
    pub(super) fn latest(&self, now: LocalTime) -> LocalTime {
        if self.ticked > now && self.ticked - now < HANDLED_LATE { self.ticked } else { now }
    }
}
