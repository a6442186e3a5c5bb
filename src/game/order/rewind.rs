//! Compensates for lag by determining which past server state a client saw when it acted.
//!
//! An honest client's claim satisfies `arrived - (round_trip + jitter) <= claimed <= arrived`
//! (`docs/theory.md`, "Order, rewinding, prediction"). Other claims are clamped to this range, so a lie gains
//! no more than the possible error of an honest clock. The server must measure the round trips itself. A
//! client can still gain by delaying its replies, so `max_rewind` limits the total rewind.

use super::arbitrate::instant;
use super::error::OrderError;
use crate::clock::for_parts::range::span;
use crate::clock::{ServerTime, Span};

pub(super) const LONGEST: Span = Span::from_secs(60);

/// A client's path as measured by the server, and how far the server may rewind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewindPath {
    /// The smallest recent round-trip time that the server has measured. (0..=60 s)
    pub round_trip: Span,
    /// How much longer than `round_trip` a message or a clock exchange may take. Include the frame period if
    /// the server handles messages at frame boundaries. (0..=60 s)
    pub jitter: Span,
    /// How far in the past the client shows other players, relative to its own clock. (0..=60 s)
    pub interpolation: Span,
    /// Maximum rewind from the arrival, including interpolation. (0..=60 s, default 250 ms)
    pub max_rewind: Span,
}

impl Default for RewindPath {
    /// Assumes an unknown path and limits the rewind to 250 ms.
    fn default() -> Self {
        RewindPath {
            round_trip: Span::ZERO,
            jitter: Span::ZERO,
            interpolation: Span::ZERO,
            max_rewind: Span::from_millis(250),
        }
    }
}

/// Why the target of a rewind was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewindLimit {
    /// The target was not moved, because the claim was plausible.
    None,
    /// The claimed time was later than the arrival.
    Arrival,
    /// The claimed time was too early for a message on this path.
    Path,
    /// The claim, plausible or not, required a rewind beyond [`RewindPath::max_rewind`].
    MaxRewind,
}

/// The result of [`rewind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewind {
    /// The server time to which to rewind.
    pub target: ServerTime,
    /// How far `target` was moved from the requested time. The value is negative if it was moved back.
    pub moved: Span,
    /// When the client acted, clamped to the plausible range. Use this time in
    /// [`arbitrate`](super::arbitrate()).
    pub acted: ServerTime,
    /// Maximum error of `acted` for any claim, if messages take at most `round_trip + jitter`.
    pub error_bound: Span,
    /// Why the target was moved.
    pub limit: RewindLimit,
}

/// Returns the server time that a client saw when it acted. The client claims that it acted at `claimed`, and
/// the server received the client's message at `arrived`.
///
/// ```
/// use netclock::order::{RewindLimit, RewindPath, rewind};
/// use netclock::{ServerTime, Span};
///
/// let path = RewindPath { round_trip: Span::from_millis(60), ..RewindPath::default() };
/// let arrived = ServerTime::from_ticks(0);
/// assert_eq!(rewind(arrived - Span::from_millis(30), arrived, &path)?.limit, RewindLimit::None);
/// let cheat = rewind(arrived - Span::from_millis(200), arrived, &path)?; // impossible on a path of 60 ms
/// assert_eq!((cheat.acted, cheat.limit), (arrived - path.round_trip, RewindLimit::Path));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if an instant is outside the valid range, or a field of `path` is out of range.
pub fn rewind(claimed: ServerTime, arrived: ServerTime, path: &RewindPath) -> Result<Rewind, OrderError> {
    instant("claimed", claimed)?;
    instant("arrived", arrived)?;
    for (name, value) in [
        ("path->round_trip", path.round_trip),
        ("path->jitter", path.jitter),
        ("path->interpolation", path.interpolation),
        ("path->max_rewind", path.max_rewind),
    ] {
        span(name, value, Span::ZERO, LONGEST)?;
    }
    let earliest = arrived - (path.round_trip + path.jitter);
    let acted = claimed.max(earliest).min(arrived);
    let (asked, last) = (claimed - path.interpolation, arrived - path.max_rewind);
    let target = (acted - path.interpolation).max(last);
    let limit = if claimed > arrived {
        RewindLimit::Arrival
    } else if target == last && asked < last {
        RewindLimit::MaxRewind
    } else if claimed < earliest {
        RewindLimit::Path
    } else {
        RewindLimit::None
    };
    let error_bound = (acted - earliest).max(arrived - acted);
    Ok(Rewind { target, moved: target - asked, acted, error_bound, limit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::MAX_INSTANT_TICKS;

    const ARRIVED: i64 = 1_000_000_000;
    const MS: i64 = 10_000;
    const PATH: RewindPath = RewindPath {
        round_trip: Span::from_millis(50),
        jitter: Span::from_millis(10),
        interpolation: Span::from_millis(100),
        max_rewind: Span::from_millis(200),
    };

    fn at(ago_ms: i64) -> ServerTime {
        ServerTime::from_ticks(ARRIVED - ago_ms * MS)
    }

    fn of(ago_ms: i64, path: &RewindPath) -> Rewind {
        rewind(at(ago_ms), at(0), path).expect("good instants")
    }

    #[test]
    fn honest_claims_are_unchanged() {
        for ago in [0, 1, 25, 59, 60] {
            let found = of(ago, &PATH);
            assert_eq!((found.target, found.acted), (at(ago + 100), at(ago)));
            assert_eq!((found.moved, found.limit), (Span::ZERO, RewindLimit::None));
            assert_eq!(found.error_bound, Span::from_millis(ago.max(60 - ago)));
        }
    }

    #[test]
    fn old_claims_gain_no_more_than_the_path_allows() {
        let found = of(61, &PATH);
        assert_eq!((found.target, found.limit), (at(160), RewindLimit::Path));
        assert_eq!((found.moved, found.acted), (Span::from_millis(1), at(60)));
        assert_eq!(of(100_000_000, &PATH).target, at(160));
    }

    #[test]
    fn a_claim_after_arrival_is_clamped_to_arrival() {
        let found = of(-5, &PATH);
        assert_eq!((found.target, found.acted, found.limit), (at(100), at(0), RewindLimit::Arrival));
        assert_eq!(found.moved, Span::from_millis(-5));
    }

    #[test]
    fn rewinds_do_not_exceed_the_limit() {
        let strict = RewindPath { max_rewind: Span::from_millis(120), ..PATH };
        assert_eq!(of(20, &strict).limit, RewindLimit::None);
        let found = of(21, &strict);
        assert_eq!((found.target, found.limit), (at(120), RewindLimit::MaxRewind));
        assert_eq!(found.moved, Span::from_millis(1));
        assert_eq!(found.acted, at(21));
        let none = RewindPath { max_rewind: Span::ZERO, ..PATH };
        assert_eq!(of(10, &none).target, at(0));
    }

    #[test]
    fn extremes_are_clamped() {
        let ends = [-MAX_INSTANT_TICKS, MAX_INSTANT_TICKS].map(ServerTime::from_ticks);
        for (claimed, arrived) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let found = rewind(claimed, arrived, &PATH).expect("valid instants");
            assert!((arrived - found.target).abs() <= PATH.max_rewind, "{found:?}");
        }
    }
}
