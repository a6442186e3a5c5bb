//! The authority that a client follows: statements from servers, and replies to new servers.

use super::Conductor;
use crate::clock::authority::{
    AdoptionReply, AdoptionRequest, Authority, AuthorityError, AuthorityReply, AuthorityRequest,
    MAX_DISPERSION,
};
use crate::clock::client::Client;
use crate::clock::ground::time::{LocalTime, TimeError};

impl Client {
    /// Sets the followed authority or its successor. Call it again when the dispersion changes. Only pass
    /// statements from a trusted connection; use [`handle_authority_reply`] for datagrams.
    ///
    /// If it is another authority of the same timescale, the client **hands over** at its first reply. The
    /// interval of the old clock then applies to the new one, widened by both dispersions. The shown time and
    /// [`Reading::epoch`] continue, and the difference is slewed. The event is [`Event::HandedOver`]. Call
    /// this before the first reply of the new authority, or afterwards while the old run is still shown, that
    /// is, until the burst is answered. If the new replies contradict the statement, the clock is reset as
    /// after a [restart].
    ///
    /// [`handle_authority_reply`]: Self::handle_authority_reply
    /// [`Reading::epoch`]: crate::Reading::epoch
    /// [`Event::HandedOver`]: crate::Event::HandedOver
    /// [restart]: crate::Cause::ServerRestart
    ///
    /// # Errors
    /// Returns [`AuthorityError::Dispersion`] if the dispersion is out of range,
    /// [`AuthorityError::OtherTimescale`] if the timescale is not the followed one, or
    /// [`AuthorityError::Time`] for the errors of [`tick`](Self::tick). The client is then unchanged.
    pub fn set_authority(&mut self, authority: &Authority, now: LocalTime) -> Result<(), AuthorityError> {
        let parts = &mut self.conductor;
        parts.check(authority)?;
        parts.advance(now)?;
        parts.rivals.expect(authority.epoch);
        parts.state(authority, now);
        Ok(())
    }

    /// Creates a request for the server's authority, to be sent at once, if one is due. If servers answer
    /// such requests, call this every frame after [`tick`](Self::tick). A request is due as soon as another
    /// authority replies, then at growing intervals until the authority is known, then at the [steady
    /// interval](crate::Config::steady_interval).
    ///
    /// # Errors
    /// Same as [`tick`](Self::tick).
    pub fn request_authority(&mut self, now: LocalTime) -> Result<Option<AuthorityRequest>, TimeError> {
        self.conductor.advance(now)?;
        Ok(self.conductor.asking.request_authority(now))
    }

    /// Sets the authority stated by a server's reply that arrived at `arrived`, if it answers an outstanding
    /// request. Otherwise the same as [`set_authority`](Self::set_authority).
    ///
    /// # Errors
    /// Same as [`set_authority`](Self::set_authority), and [`AuthorityError::UnknownRequest`] if no
    /// outstanding request has this id. The client is then unchanged, except that the request is no longer
    /// outstanding.
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

    /// Starts a burst, due at once, as after a restart. Call it when switching to another server, which would
    /// otherwise receive no request until the [steady interval](crate::Config::steady_interval) has elapsed.
    /// The [round trip](crate::Reading::round_trip) is measured anew from the next reply, so also call it
    /// after a known route change.
    pub fn begin_burst(&mut self) {
        self.conductor.known.forget_round_trip();
        self.conductor.rivals.forget();
        self.conductor.asking.schedule.allow_burst();
        self.conductor.asking.burst();
        self.conductor.asking.authority.begin();
    }

    /// Returns the authority that readings refer to. The [error bound](crate::Reading::error_bound) applies
    /// to its clock, which is within `dispersion` of the timescale at `now`. If the authority has not been
    /// stated again for 20 s, the dispersion grows at the maximum drift of the clocks. `None` before the
    /// first sync, or if replies carry no epoch.
    pub fn authority(&self, now: LocalTime) -> Option<Authority> {
        let parts = &self.conductor;
        let stated = parts.shown.replaced().or_else(|| parts.authorities.stated());
        stated.map(|stated| stated.at(now, parts.known.bounds.drift()))
    }

    /// Returns the time at `now` for a server that takes over the timescale. The error bound includes the
    /// dispersion.
    ///
    /// # Errors
    /// Returns [`AuthorityError::NothingCertain`] if the time is not known with certainty,
    /// [`AuthorityError::OtherTimescale`] if the request is for another timescale, or
    /// [`AuthorityError::Time`] if `now` is out of range.
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
    /// Same as [`Authorities::check`](super::authorities::Authorities::check), except that a newcomer may
    /// make any statement about itself.
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
        } else if is_followed && self.hand_over(now) {
            self.publish(now);
        }
    }
}
