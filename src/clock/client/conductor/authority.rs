//! Whose clock a client follows, and statements about it in both directions.

use super::Conductor;
use crate::clock::authority::{
    AdoptionReply, AdoptionRequest, Authority, AuthorityError, AuthorityReply, AuthorityRequest,
    MAX_DISPERSION,
};
use crate::clock::client::Client;
use crate::clock::ground::time::{LocalTime, TimeError};

impl Client {
    /// Sets the authority that is followed or comes next. Call it again when its dispersion changes. Only
    /// pass statements from a connection that you trust; [`handle_authority_reply`] is for datagrams.
    ///
    /// If it is another authority of the same timescale, the client **hands over** at its first reply. The
    /// interval of the old clock then holds for the new one, widened by both dispersions. Shown time and
    /// [`Reading::epoch`] continue, and the difference is slewed; the event is [`Event::HandedOver`]. Call
    /// this before the first reply of the new authority, or after it while the old run is still shown (until
    /// the burst is answered). If the new replies contradict the statement, the clock is reset as after a
    /// [restart].
    ///
    /// [`handle_authority_reply`]: Self::handle_authority_reply
    /// [`Reading::epoch`]: crate::Reading::epoch
    /// [`Event::HandedOver`]: crate::Event::HandedOver
    /// [restart]: crate::Cause::ServerRestart
    ///
    /// # Errors
    /// The dispersion is out of range, the timescale is not the followed one, or `now` as in
    /// [`tick`](Self::tick); nothing changed.
    pub fn set_authority(&mut self, authority: &Authority, now: LocalTime) -> Result<(), AuthorityError> {
        let parts = &mut self.conductor;
        parts.check(authority)?;
        parts.advance(now)?;
        parts.rivals.expect(authority.epoch);
        parts.state(authority, now);
        Ok(())
    }

    /// Makes a request for the server's authority, to be sent at once, if one is due. Call it every frame,
    /// after [`tick`](Self::tick), if servers answer such requests. One is due at once when another authority
    /// replies, then ever less often until the authority is known, then at the [steady
    /// interval](crate::Config::steady_interval).
    ///
    /// # Errors
    /// Like [`tick`](Self::tick).
    pub fn request_authority(&mut self, now: LocalTime) -> Result<Option<AuthorityRequest>, TimeError> {
        self.conductor.advance(now)?;
        Ok(self.conductor.asking.request_authority(now))
    }

    /// Sets the authority named by a server's reply that arrived at `arrived`, if it answers an open request.
    /// Otherwise like [`set_authority`](Self::set_authority).
    ///
    /// # Errors
    /// As there, and if no open request has this id. Nothing changed, except that the request is closed.
    pub fn handle_authority_reply(
        &mut self,
        reply: &AuthorityReply,
        arrived: LocalTime,
    ) -> Result<(), AuthorityError> {
        let parts = &mut self.conductor;
        if !parts.asking.authority.close(reply.id) {
            return Err(AuthorityError::UnknownRequest);
        }
        parts.check(&reply.authority)?;
        let now = parts.arrive(arrived)?;
        parts.asking.authority.answered(now);
        parts.state(&reply.authority, now);
        Ok(())
    }

    /// Asks at once, in a burst, as after a restart. Call it when turning to another server; otherwise that
    /// server is asked only after the [steady interval](crate::Config::steady_interval). The [round
    /// trip](crate::Reading::round_trip) is measured anew from the next reply, so also call it if you know
    /// that the route has changed.
    pub fn begin_burst(&mut self) {
        self.conductor.known.forget_round_trip();
        self.conductor.rivals.forget();
        self.conductor.asking.schedule.allow_burst();
        self.conductor.asking.burst();
        self.conductor.asking.authority.begin();
    }

    /// Whose clock readings refer to. Their [error bound](crate::Reading::error_bound) is about this clock,
    /// and the timescale is within `dispersion` of it at `now`. If the authority has not been stated again
    /// for 20 s, the dispersion grows at the rate at which clocks may drift. `None` until synced, and if
    /// replies name no epoch.
    pub fn authority(&self, now: LocalTime) -> Option<Authority> {
        let parts = &self.conductor;
        let stated = parts.shown.replaced().or_else(|| parts.authorities.stated());
        stated.map(|stated| stated.at(now, parts.known.bounds.drift()))
    }

    /// Answers a server that takes over the timescale: what time it is at `now`. The bound includes the
    /// dispersion.
    ///
    /// # Errors
    /// Nothing certain is known, the request is about another timescale, or `now` is out of range.
    pub fn respond_to_adoption(
        &self,
        request: &AdoptionRequest,
        now: LocalTime,
    ) -> Result<AdoptionReply, AuthorityError> {
        let authority = self.authority(now).ok_or(AuthorityError::NothingCertain)?;
        if authority.timescale != request.timescale {
            return Err(AuthorityError::OtherTimescale(authority.timescale));
        }
        if !now.is_valid() {
            return Err(TimeError::OutOfRange.into());
        }
        let reading = self.read(now);
        let error_bound = reading.error_bound + authority.dispersion;
        if error_bound > MAX_DISPERSION || !reading.server_time.is_valid() {
            return Err(AuthorityError::NothingCertain);
        }
        let AdoptionRequest { id, timescale } = *request;
        Ok(AdoptionReply { id, timescale, time: reading.server_time, error_bound })
    }
}

impl Conductor {
    /// Like [`Authorities::check`](super::authorities::Authorities::check). A newcomer is believed about
    /// itself.
    fn check(&self, authority: &Authority) -> Result<(), AuthorityError> {
        if self.rivals.newcomer.as_ref().is_some_and(|newcomer| newcomer.epoch == authority.epoch) {
            return authority.check();
        }
        self.authorities.check(authority)
    }

    fn state(&mut self, authority: &Authority, now: LocalTime) {
        let is_followed = self.authorities.state(authority, now);
        let newcomer = self.rivals.newcomer.as_ref().map(|newcomer| newcomer.epoch);
        if newcomer.is_some_and(|epoch| !self.authorities.is_surprised_by(epoch)) {
            self.replace(now);
            self.show(self.outlook(now));
        } else if is_followed && self.hand_over(now) {
            self.publish(now);
        }
    }
}
