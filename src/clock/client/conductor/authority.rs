//! Handles statements from servers about the authority that a client follows.

use super::Conductor;
use crate::clock::authority::{Authority, AuthorityError};
use crate::clock::ground::time::LocalTime;

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
