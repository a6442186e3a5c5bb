//! Handles statements from servers about the authority that a client follows, and replies to new servers.

use super::Conductor;
use crate::clock::authority::{AdoptionReply, AdoptionRequest, Authority, AuthorityError, MAX_DISPERSION};
use crate::clock::ground::time::{LocalTime, TimeError};

impl Conductor {
    pub(in crate::clock::client) fn set_authority(
        &mut self,
        authority: &Authority,
        now: LocalTime,
    ) -> Result<(), AuthorityError> {
        self.check(authority)?;
        self.advance(now)?;
        self.rivals.expect(authority.epoch);
        self.state(authority, now);
        Ok(())
    }

    pub(in crate::clock::client) fn begin_burst(&mut self) {
        self.known.forget_round_trip();
        self.rivals.forget();
        self.asking.schedule.allow_burst();
        self.asking.burst();
    }

    pub(in crate::clock::client) fn authority(&self, now: LocalTime) -> Option<Authority> {
        let stated = self.shown.replaced().or_else(|| self.authorities.stated());
        stated.map(|stated| stated.at(now, self.known.bounds.drift()))
    }

    pub(in crate::clock::client) fn respond_to_adoption(
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
        let reading = self.shown.reader.read(now);
        let error_bound = reading.error_bound + authority.dispersion;
        if error_bound > MAX_DISPERSION || !reading.server_time.is_valid() {
            return Err(AuthorityError::NothingCertain);
        }
        let AdoptionRequest { id, timescale } = *request;
        Ok(AdoptionReply { id, timescale, time: reading.server_time, error_bound })
    }

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
