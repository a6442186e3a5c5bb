//! Tracks the authority that a client follows and its announced successor.

use crate::clock::authority::{Authority, AuthorityError};
use crate::clock::estimate::Interval;
use crate::clock::ground::time::{LocalTime, Span};

/// A statement stays valid for this long, because clients ask for one every 4 s and some replies are lost.
/// After that, the dispersion grows because the clock may drift from its timescale.
const HOLDS: Span = Span::from_secs(20);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stated {
    pub(super) authority: Authority,
    at: LocalTime,
}

impl Stated {
    /// A clock that is its own timescale cannot drift away from it, so `at` does not matter.
    pub(super) fn alone(epoch: u64) -> Self {
        Stated { authority: Authority::alone(epoch), at: LocalTime::from_ticks(0) }
    }

    pub(super) fn at(&self, now: LocalTime, drift: f64) -> Authority {
        if self.authority.is_alone() {
            return self.authority;
        }
        let overdue = ((now - self.at).abs() - HOLDS).ticks().max(0);
        let drifted = Span::from_ticks((overdue as f64 * drift).ceil() as i64);
        Authority { dispersion: self.authority.dispersion + drifted, ..self.authority }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Left {
    pub(super) stated: Stated,
    pub(super) interval: Interval,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Authorities {
    /// The server epoch being followed, or `None` until the transport provides one.
    pub(super) followed: Option<u64>,
    pub(super) current: Option<Stated>,
    successor: Option<Stated>,
}

impl Authorities {
    /// If the server epoch changed, returns the statement about the previous epoch.
    pub(super) fn follow(&mut self, named: Option<u64>) -> Option<Stated> {
        let heard = named.filter(|_| named != self.followed)?;
        let left = self.stated();
        self.followed = Some(heard);
        self.current = self.successor.take_if(|next| next.authority.epoch == heard);
        left
    }

    /// Returns whether `epoch` is neither the followed epoch nor its announced successor in the same
    /// timescale.
    pub(super) fn is_surprised_by(&self, epoch: u64) -> bool {
        let followed = self.stated().map(|stated| stated.authority);
        let next = self.successor.map(|stated| stated.authority).filter(|next| next.epoch == epoch);
        followed.is_some_and(|followed| {
            followed.epoch != epoch && next.is_none_or(|next| next.timescale != followed.timescale)
        })
    }

    pub(super) fn check(&self, authority: &Authority) -> Result<(), AuthorityError> {
        authority.check()?;
        let timescale = match (self.current, self.followed) {
            (Some(current), _) => current.authority.timescale,
            (None, Some(epoch)) if epoch != authority.epoch => epoch,
            _ => return Ok(()),
        };
        if authority.timescale == timescale { Ok(()) } else { Err(AuthorityError::OtherTimescale(timescale)) }
    }

    pub(super) fn state(&mut self, authority: &Authority, now: LocalTime) -> bool {
        let is_followed = self.followed == Some(authority.epoch);
        let place = if is_followed { &mut self.current } else { &mut self.successor };
        *place = Some(Stated { authority: *authority, at: now });
        is_followed
    }

    pub(super) fn stated(&self) -> Option<Stated> {
        self.current.or(self.followed.map(Stated::alone))
    }

    /// Returns the previous clock's interval, widened by both dispersions, as bounds on the followed clock.
    /// Returns `None` unless both clocks are known to show the same timescale.
    pub(super) fn inherit(&self, left: &Left, now: LocalTime, drift: f64) -> Option<Interval> {
        let (old, new) = (left.stated.at(now, drift), self.current?.at(now, drift));
        (old.timescale == new.timescale).then(|| left.interval.widened(old.dispersion + new.dispersion))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::estimate::Limits;
    use crate::clock::exchange::Exchange;

    const NOW: LocalTime = LocalTime::from_ticks(0);
    const DRIFT: f64 = 100e-6;

    fn authority(epoch: u64, timescale: u64) -> Authority {
        Authority { epoch, timescale, dispersion: Span::from_millis(3) }
    }

    fn interval() -> Interval {
        Interval::of(&Exchange::of_ticks([0; 4]), &Limits { drift: DRIFT, client_step: 0, server_step: 0 })
    }

    #[test]
    fn following_a_new_epoch_returns_the_previous_statement() {
        let mut authorities = Authorities::default();
        assert_eq!(authorities.follow(None), None);
        authorities.state(&authority(2, 1), NOW);
        assert_eq!(authorities.follow(Some(1)), None, "the first");
        assert_eq!(authorities.follow(None), None, "the transport did not provide an epoch");
        assert_eq!((authorities.followed, authorities.current.is_none()), (Some(1), true));
        assert_eq!(authorities.follow(Some(2)), Some(Stated::alone(1)));
        assert_eq!(authorities.stated().map(|stated| stated.authority), Some(authority(2, 1)));
        assert_eq!(authorities.follow(Some(3)).map(|stated| stated.authority), Some(authority(2, 1)));
        assert_eq!(authorities.stated(), Some(Stated::alone(3)));
    }

    #[test]
    fn another_timescale_is_rejected_unless_none_was_stated() {
        let mut authorities = Authorities::default();
        assert_eq!(authorities.check(&authority(1, 9)), Ok(()));
        authorities.follow(Some(1));
        assert_eq!(authorities.check(&authority(1, 9)), Ok(()));
        assert_eq!(authorities.check(&authority(2, 9)), Err(AuthorityError::OtherTimescale(1)));
        authorities.state(&authority(1, 9), NOW);
        assert_eq!(authorities.check(&authority(2, 9)), Ok(()));
        assert_eq!(authorities.check(&authority(2, 1)), Err(AuthorityError::OtherTimescale(9)));
    }

    #[test]
    fn a_statement_expires_after_twenty_seconds() {
        let stated = Stated { authority: authority(2, 1), at: NOW };
        let dispersion = |seconds| stated.at(NOW + Span::from_secs(seconds), DRIFT).dispersion;
        assert_eq!(dispersion(20), Span::from_millis(3));
        assert_eq!(dispersion(30), Span::from_millis(4), "10 s at 100 ppm");
        let alone = Stated::alone(7).at(NOW + Span::from_secs(1_000), DRIFT);
        assert_eq!(alone, Authority::alone(7));
    }

    #[test]
    fn bounds_are_inherited_within_a_timescale_and_widened() {
        let mut authorities = Authorities::default();
        let left = Left { stated: Stated { authority: authority(1, 1), at: NOW }, interval: interval() };
        authorities.follow(Some(2));
        assert_eq!(authorities.inherit(&left, NOW, DRIFT), None, "there is no statement about the new epoch");
        authorities.state(&authority(2, 9), NOW);
        assert_eq!(authorities.inherit(&left, NOW, DRIFT), None, "another timescale");
        authorities.state(&authority(2, 1), NOW);
        assert_eq!(authorities.inherit(&left, NOW, DRIFT), Some(interval().widened(Span::from_millis(6))));
    }
}
