//! The client side, which computes the server's UTC from its claims.

use super::claim::{UtcClaim, is_date};
use super::error::{UtcClaimError, UtcError};
use super::publisher::LEAST_GAP;
use super::reading::{UtcChange, UtcReading};
use crate::clock::{Reading, ServerTime, Span, State, UtcTime};
use crate::game::serial::{comes_after, leaps_too_far};

/// A client's view of the server's UTC.
///
/// It does not read clocks. Pass it the [`Reading`] of a [`Client`](crate::Client), or of any other clock
/// that follows the server's real time. Reads do not change its state, and it does not allocate.
///
/// A [guest](crate::session::Guest) has one, whose claims arrive in the session. Without a session, pass the
/// server's claims to [`insert`](Self::insert). They must come from a transport that only the server can
/// write to, such as an engine's replication.
///
/// ```
/// use netclock::utc::{ServerUtc, UtcPublisher, UtcPublisherConfig};
/// use netclock::{ServerTime, Span, UtcTime};
///
/// let mut publisher = UtcPublisher::new(UtcPublisherConfig::default(), 42)?; // the server's
/// let (at, utc) = (ServerTime::from_ticks(0), UtcTime::from_ticks(17_000_000_000_000_000)); // see `utc_now`
/// let mut server_utc = ServerUtc::default();
/// if let Some(claim) = publisher.observe(at, utc, Some(Span::from_millis(5)))? {
///     server_utc.insert(&claim)?; // to every client
/// }
/// // In every frame: `server_utc.read(&client.read(now))`. When will it be a minute later?
/// let minute = Span::from_secs(60);
/// assert_eq!(server_utc.server_time_at(42, utc + minute)?, at + minute);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ServerUtc {
    /// Claims of the last two server epochs, most recently changed first. Storing two prevents a late claim
    /// of a past epoch from replacing the claim of the current one.
    known: [Option<UtcClaim>; 2],
}

impl ServerUtc {
    /// Inserts a claim from a trusted transport. Claims may arrive in any order; the newest version is used.
    /// Returns `None` if the claim was already known.
    ///
    /// A version may be ahead of the known one by up to 64, plus one per second between the two claims. No
    /// server advances faster, so a forged claim with a high version cannot lock out all genuine ones.
    ///
    /// # Errors
    /// Returns the reason if the claim was not adopted.
    pub fn insert(&mut self, claim: &UtcClaim) -> Result<Option<UtcChange>, UtcClaimError> {
        claim.validate()?;
        if let Some(known) = self.claim(claim.server_epoch) {
            if known.version == claim.version {
                return if known == claim { Ok(None) } else { Err(UtcClaimError::Conflict) };
            }
            if !comes_after(claim.version, known.version) {
                return Err(UtcClaimError::Outdated);
            }
            if leaps_too_far(claim.version, known.version, claim.read - known.read, LEAST_GAP) {
                return Err(UtcClaimError::Leap(claim.version.wrapping_sub(known.version)));
            }
        }
        Ok(self.adopt(claim))
    }

    /// Inserts a claim that the sender itself has marked as newer than all before, so its version is not
    /// needed, and a forged version cannot lock it out.
    #[cfg(feature = "session")]
    pub(crate) fn replace(&mut self, claim: &UtcClaim) {
        if claim.validate().is_ok() {
            self.adopt(claim);
        }
    }

    /// Replaces the claim of a server epoch. Returns `None` if it is unchanged.
    fn adopt(&mut self, claim: &UtcClaim) -> Option<UtcChange> {
        let epoch = claim.server_epoch;
        let before = self.claim(epoch).copied();
        if before.as_ref() == Some(claim) {
            return None;
        }
        let is_another = |known: &UtcClaim| known.server_epoch != epoch;
        let other = self.known.into_iter().flatten().find(is_another);
        self.known = [Some(*claim), other];
        let jump = before.map_or(Span::ZERO, |before| claim.zero - before.zero);
        Some(UtcChange { server_epoch: epoch, jump, is_first: before.is_none() })
    }

    /// Returns the newest claim for a server epoch.
    pub fn claim(&self, server_epoch: u64) -> Option<&UtcClaim> {
        self.known.iter().flatten().find(|claim| claim.server_epoch == server_epoch)
    }

    /// Returns UTC at `now`. It may jump in either direction when the claim changes.
    ///
    /// # Errors
    /// Returns the reason if UTC is not available.
    pub fn read(&self, now: &Reading) -> Result<UtcReading, UtcError> {
        if now.state == State::Unsynced {
            return Err(UtcError::NotSynced);
        }
        if !now.server_time.is_valid() || now.error_bound < Span::ZERO {
            return Err(UtcError::Instant);
        }
        let claim = self.claim(now.server_epoch).ok_or(UtcError::NoClaim)?;
        let utc = claim.utc_at(now.server_time);
        if !is_date(utc) {
            return Err(UtcError::Date);
        }
        // The server time may be anywhere within the clock's bound, so the age of the claim is uncertain by
        // the same amount.
        let furthest = if now.server_time < claim.read { -now.error_bound } else { now.error_bound };
        let of_claim = claim.bound_at(now.server_time + furthest);
        Ok(UtcReading { utc, error_bound: now.error_bound + of_claim, version: claim.version })
    }

    /// Returns the server time at `utc` according to the newest claim. Use this to wait for a date, and call
    /// it again when the claim changes.
    ///
    /// # Errors
    /// Fails if there is no claim for `server_epoch`, or if an instant is out of range.
    pub fn server_time_at(&self, server_epoch: u64, utc: UtcTime) -> Result<ServerTime, UtcError> {
        let claim = self.claim(server_epoch).ok_or(UtcError::NoClaim)?;
        if !is_date(utc) {
            return Err(UtcError::Date);
        }
        let at = claim.server_time_at(utc);
        if at.is_valid() { Ok(at) } else { Err(UtcError::Instant) }
    }
}

#[cfg(test)]
mod tests;
