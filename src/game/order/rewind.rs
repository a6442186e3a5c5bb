//! Lag compensation: the instant of the server's past that a client saw when it acted.
//!
//! The client states when it acted, by its own reading of the server's time, and may lie. The server knows
//! two things without trusting the client. The message arrived at `arrived`, and the path's round trip takes
//! at least `round_trip` and at most `round_trip + jitter`. An honest clock is ahead by at most the smallest
//! delay to the server, and behind by at most the smallest delay back ([`Exchange`](crate::Exchange)). So an
//! honest claim satisfies
//!
//! ```text
//!   arrived - (round_trip + jitter)  <=  claimed  <=  arrived
//! ```
//!
//! A claim outside is moved to the nearer end, so a liar gains no more than the possible error of an honest
//! clock. On a path with equal directions that is half the round trip plus the jitter. If all of the delay is
//! on the way to the server, it is the whole round trip plus the jitter. Round trips must be the server's own
//! measurements. A client that delays its answers to them gains that delay, so `max_rewind` limits the total.

use super::arbitrate::instant;
use super::error::OrderError;
use crate::clock::for_parts::range::span;
use crate::clock::{ServerTime, Span};

/// Longest accepted span of a path.
pub(super) const LONGEST: Span = Span::from_secs(60);

/// The server's measurements of a client's path, and the allowed rewind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewindPath {
    /// Smallest recent round trip measured by the server. (0..=60 s)
    pub round_trip: Span,
    /// How much longer a message and the clock's own exchanges may take. A server that handles messages in
    /// frames adds its frame period. (0..=60 s)
    pub jitter: Span,
    /// How far behind its clock the client shows other players. (0..=60 s)
    pub interpolation: Span,
    /// Longest allowed rewind, from the arrival, including interpolation. (0..=60 s, default 250 ms)
    pub max_rewind: Span,
}

impl Default for RewindPath {
    /// An unknown path, with 250 ms allowed.
    fn default() -> Self {
        RewindPath {
            round_trip: Span::ZERO,
            jitter: Span::ZERO,
            interpolation: Span::ZERO,
            max_rewind: Span::from_millis(250),
        }
    }
}

/// Why an instant was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewindLimit {
    /// It was not moved, because the claim was plausible.
    None,
    /// The claim was later than its own arrival.
    Arrival,
    /// The claim was earlier than the path can explain.
    Path,
    /// The claim was further back than [`RewindPath::max_rewind`], whether plausible or not.
    MaxRewind,
}

/// The result of [`rewind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewind {
    /// The instant of the server's past to rewind to.
    pub target: ServerTime,
    /// How much later that is than requested; negative if earlier.
    pub moved: Span,
    /// The plausible instant at which the client acted. Use it for arbitration.
    pub acted: ServerTime,
    /// The largest error of `acted`, if messages take no longer than `round_trip + jitter`. It does not
    /// depend on the client's honesty.
    pub error_bound: Span,
    /// Why the instant was moved.
    pub limit: RewindLimit,
}

/// Returns the instant that a client saw when it acted. The client claims that it acted at `claimed`; the
/// server received its message at `arrived`.
///
/// ```
/// use netclock::order::{RewindLimit, RewindPath, rewind};
/// use netclock::{ServerTime, Span};
///
/// let path = RewindPath { round_trip: Span::from_millis(60), ..RewindPath::default() };
/// let arrived = ServerTime::from_ticks(0);
/// assert_eq!(rewind(arrived - Span::from_millis(30), arrived, &path)?.limit, RewindLimit::None);
/// let cheat = rewind(arrived - Span::from_millis(200), arrived, &path)?; // no path of 60 ms
/// assert_eq!((cheat.acted, cheat.limit), (arrived - path.round_trip, RewindLimit::Path));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An instant is outside the valid range, or a field of `path` is out of range.
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
    fn an_honest_claim_is_taken_as_it_is() {
        for ago in [0, 1, 25, 59, 60] {
            let found = of(ago, &PATH);
            assert_eq!((found.target, found.acted), (at(ago + 100), at(ago)));
            assert_eq!((found.moved, found.limit), (Span::ZERO, RewindLimit::None));
            assert_eq!(found.error_bound, Span::from_millis(ago.max(60 - ago)));
        }
    }

    #[test]
    fn an_old_stamp_buys_no_more_than_the_path_explains() {
        let found = of(61, &PATH);
        assert_eq!((found.target, found.limit), (at(160), RewindLimit::Path));
        assert_eq!((found.moved, found.acted), (Span::from_millis(1), at(60)));
        assert_eq!(of(100_000_000, &PATH).target, at(160));
    }

    #[test]
    fn a_stamp_from_the_future_counts_as_its_arrival() {
        let found = of(-5, &PATH);
        assert_eq!((found.target, found.acted, found.limit), (at(100), at(0), RewindLimit::Arrival));
        assert_eq!(found.moved, Span::from_millis(-5));
    }

    #[test]
    fn nobody_goes_further_back_than_the_game_allows() {
        let strict = RewindPath { max_rewind: Span::from_millis(120), ..PATH };
        assert_eq!(of(20, &strict).limit, RewindLimit::None);
        let found = of(21, &strict);
        assert_eq!((found.target, found.limit), (at(120), RewindLimit::MaxRewind));
        assert_eq!(found.moved, Span::from_millis(1));
        // The event itself keeps its time, because the limit only applies to the rewind.
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
