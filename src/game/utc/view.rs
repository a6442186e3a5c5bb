//! A client's view of the server's UTC, computed from its claims.

use super::claim::{UtcClaim, is_date};
use super::error::{UtcClaimError, UtcError};
use super::message::{UtcReply, UtcRequest};
use super::publisher::LEAST_GAP;
use super::reading::{UtcChange, UtcReading};
use crate::clock::for_parts::Unguessable;
use crate::clock::for_parts::memory::check_seed;
use crate::clock::{CreateError, LocalTime, Reading, ServerTime, Span, State, TimeError, UtcTime};
use crate::game::serial::{comes_after, leaps_too_far};

/// Time between requests once one is answered. A change of the server's UTC is detected after this time at
/// most.
const STEADY: Span = Span::from_secs(16);
/// Time until the first unanswered request is repeated; it doubles up to [`STEADY`].
const FIRST: Span = Span::from_millis(500);
/// Stored requests. A newer one replaces the oldest.
const OUTSTANDING: usize = 4;

/// A client's knowledge of the server's UTC.
///
/// It does not read clocks. Pass it the [`Reading`] of a [`Client`](crate::Client), or of any other clock of
/// the server's real time. Reads do not change it. It does not allocate.
///
/// Claims arrive in one of two ways. Over a transport that only the server can write to, such as an engine's
/// replication, use [`insert`](Self::insert). Over datagrams, send the result of [`request`](Self::request)
/// and use [`handle_reply`](Self::handle_reply).
///
/// ```
/// use netclock::utc::{ServerUtc, UtcPublisher, UtcPublisherConfig};
/// use netclock::{ServerTime, Span, UtcTime};
///
/// let mut publisher = UtcPublisher::new(UtcPublisherConfig::default(), 42)?; // the server's
/// let (at, utc) = (ServerTime::from_ticks(0), UtcTime::from_ticks(17_000_000_000_000_000)); // see `utc_now`
/// let mut server_utc = ServerUtc::new(7)?;
/// if let Some(claim) = publisher.observe(at, utc, Some(Span::from_millis(5)))? {
///     server_utc.insert(&claim)?; // to every client
/// }
/// // In every frame: `server_utc.read(&client.read(now))`. When will it be a minute later?
/// let minute = Span::from_secs(60);
/// assert_eq!(server_utc.server_time_at(42, utc + minute)?, at + minute);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ServerUtc {
    /// Claims of the two most recent server epochs, the newer first. A late claim of a past epoch does not
    /// replace the current epoch's.
    known: [Option<UtcClaim>; 2],
    random: Unguessable,
    /// Open requests, newest first.
    open: [Option<u64>; OUTSTANDING],
    /// The server epoch of the last request.
    asked_about: Option<u64>,
    interval: Span,
    due: Option<LocalTime>,
}

impl ServerUtc {
    /// Creates an empty view. `seed` makes request ids unguessable; draw 128 bits from the operating system.
    ///
    /// # Errors
    /// The seed is 0, so it was never drawn.
    pub fn new(seed: u128) -> Result<Self, CreateError> {
        check_seed(seed)?;
        Ok(ServerUtc {
            known: [None; 2],
            random: Unguessable::new(seed),
            open: [None; OUTSTANDING],
            asked_about: None,
            interval: FIRST,
            due: None,
        })
    }

    /// Inserts a claim from a trusted transport, in any order. Returns `None` if it was known. The newest
    /// version is used.
    ///
    /// A version may be 64 ahead of the known one, plus one for each second between the two claims. No server
    /// advances faster, so a forged claim with a high version cannot lock out all genuine ones.
    ///
    /// # Errors
    /// The reason why the claim was not adopted.
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
        // A reply on its way may be older than this.
        self.open = [None; OUTSTANDING];
        Ok(self.adopt(claim))
    }

    /// Returns a request if one is due at local time `now`. Call it once the clock is synced; `server_epoch`
    /// is the epoch of the client's reading.
    ///
    /// The first one about a server epoch is due at once. It is repeated at growing intervals until it is
    /// answered, and then every 16 s.
    ///
    /// # Errors
    /// `now` is outside the valid range.
    pub fn request(&mut self, now: LocalTime, server_epoch: u64) -> Result<Option<UtcRequest>, TimeError> {
        if !now.is_valid() {
            return Err(TimeError::OutOfRange);
        }
        if self.asked_about != Some(server_epoch) {
            (self.asked_about, self.interval, self.due) = (Some(server_epoch), FIRST, None);
        }
        // After the local clock was set back, the next request is far in the future.
        if self.due.is_some_and(|due| now < due && due - now <= STEADY) {
            return Ok(None);
        }
        self.due = Some(now + self.interval);
        self.interval = (self.interval + self.interval).min(STEADY);
        let id = self.random.next();
        self.open.rotate_right(1);
        self.open[0] = Some(id);
        Ok(Some(UtcRequest { id }))
    }

    /// Handles a reply that arrived at local time `arrived`. Returns `None` if it is not new.
    ///
    /// The reply to a request is the server's current claim, so it is used even if its version is older than
    /// the known one, which was then forged. Replies to earlier requests are refused afterwards.
    ///
    /// # Errors
    /// The reason why the claim was not adopted.
    pub fn handle_reply(
        &mut self,
        reply: &UtcReply,
        arrived: LocalTime,
    ) -> Result<Option<UtcChange>, UtcClaimError> {
        reply.claim.validate()?;
        if !arrived.is_valid() {
            return Err(UtcClaimError::Arrival);
        }
        let answered = self.open.iter().position(|&open| open == Some(reply.id));
        let answered = answered.ok_or(UtcClaimError::UnknownRequest)?;
        self.open[answered..].fill(None);
        (self.interval, self.due) = (STEADY, Some(arrived + STEADY));
        Ok(self.adopt(&reply.claim))
    }

    /// Replaces the claim of an epoch. Returns `None` if it is the same.
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

    /// The newest claim about a server epoch.
    pub fn claim(&self, server_epoch: u64) -> Option<&UtcClaim> {
        self.known.iter().flatten().find(|claim| claim.server_epoch == server_epoch)
    }

    /// UTC at `now`. It may jump in both directions when the claim changes.
    ///
    /// # Errors
    /// There is no UTC to show.
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
        // The server time may be anywhere within the clock's bound, and so may the claim's age.
        let furthest = if now.server_time < claim.read { -now.error_bound } else { now.error_bound };
        let of_claim = claim.bound_at(now.server_time + furthest);
        Ok(UtcReading { utc, error_bound: now.error_bound + of_claim, version: claim.version })
    }

    /// The server time at `utc` according to the newest claim. Use it to wait for a date, and call it again
    /// when the claim changes.
    ///
    /// # Errors
    /// There is no claim, or an instant is out of range.
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
