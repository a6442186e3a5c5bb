//! Lag compensation: the instant of the server's past that a client saw when it acted.
//!
//! The client says when it acted, by its own reading of the server's time, and may lie. What the server knows without
//! believing it: the message arrived at `arrived`, and the path's round trip takes `round_trip` at least and, with its
//! jitter, `round_trip + jitter` at most. Since a clock that follows the server honestly is ahead by no more than the
//! smallest delay there, and behind by no more than the smallest delay back ([`Exchange`](crate::Exchange)), an
//! honest claim obeys
//!
//! ```text
//!   arrived - (round_trip + jitter)  <=  claimed  <=  arrived
//! ```
//!
//! A claim outside is moved to the nearer end. A liar so gains what honest clocks may err, and no more: up to half the
//! round trip plus the jitter. Round trips must be the server's own measurements; a client that delays its answers to
//! them gains what it delays, so that `max_rewind` limits everything.

use super::arbitrate::instant;
use super::error::OrderError;
use crate::range::span;
use crate::time::{ServerTime, Span};

/// Longest span that is taken for one of a path.
pub(super) const LONGEST: Span = Span::from_secs(60);

/// What the server knows of a client's path, and allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// Smallest round trip lately, as the server measured it. (0..=60 s)
    pub round_trip: Span,
    /// How much longer a message and the clock's own exchanges may take; a server that handles messages at frames
    /// adds its frame. (0..=60 s)
    pub jitter: Span,
    /// How far behind its clock the client shows others. (0..=60 s)
    pub interpolation: Span,
    /// Longest way back that the game allows, from the arrival, interpolation included. (0..=60 s, default 250 ms)
    pub max_rewind: Span,
}

impl Default for Path {
    /// Nothing known of the path, and 250 ms allowed.
    fn default() -> Self {
        Path {
            round_trip: Span::ZERO,
            jitter: Span::ZERO,
            interpolation: Span::ZERO,
            max_rewind: Span::from_millis(250),
        }
    }
}

/// What moved the instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Nothing: the claim was plausible.
    None,
    /// It was later than its own arrival.
    Arrival,
    /// It was earlier than the path can explain.
    Path,
    /// It was, plausible or not, further back than [`Path::max_rewind`].
    MaxRewind,
}

/// What [`rewind`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewind {
    /// The instant to show the server's past of.
    pub target: ServerTime,
    /// How much later that is than the client asked for; negative: earlier.
    pub moved: Span,
    /// When the client acted, as far as that is plausible: what to arbitrate by.
    pub acted: ServerTime,
    /// How far off `acted` may be if messages take no longer than `round_trip + jitter`: believes nothing of what the
    /// client says.
    pub error_bound: Span,
    /// What moved the instant.
    pub limit: Limit,
}

/// The instant that a client saw which says that it acted at `claimed`, in a message that the server received at
/// `arrived`.
///
/// # Errors
/// An instant outside the valid range, or a field of `path` out of its range.
pub fn rewind(claimed: ServerTime, arrived: ServerTime, path: &Path) -> Result<Rewind, OrderError> {
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
        Limit::Arrival
    } else if target == last && asked < last {
        Limit::MaxRewind
    } else if claimed < earliest {
        Limit::Path
    } else {
        Limit::None
    };
    let error_bound = (acted - earliest).max(arrived - acted);
    Ok(Rewind { target, moved: target - asked, acted, error_bound, limit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::MAX_INSTANT_TICKS;

    const ARRIVED: i64 = 1_000_000_000;
    const MS: i64 = 10_000;
    const PATH: Path = Path {
        round_trip: Span::from_millis(50),
        jitter: Span::from_millis(10),
        interpolation: Span::from_millis(100),
        max_rewind: Span::from_millis(200),
    };

    fn at(ago_ms: i64) -> ServerTime {
        ServerTime::from_ticks(ARRIVED - ago_ms * MS)
    }

    fn of(ago_ms: i64, path: &Path) -> Rewind {
        rewind(at(ago_ms), at(0), path).expect("good instants")
    }

    #[test]
    fn an_honest_claim_is_taken_as_it_is() {
        for ago in [0, 1, 25, 59, 60] {
            let found = of(ago, &PATH);
            assert_eq!((found.target, found.moved, found.limit), (at(ago + 100), Span::ZERO, Limit::None));
            assert_eq!(found.acted, at(ago));
            assert_eq!(found.error_bound, Span::from_millis(ago.max(60 - ago)));
        }
    }

    #[test]
    fn an_old_stamp_buys_no_more_than_the_path_explains() {
        let found = of(61, &PATH);
        assert_eq!((found.target, found.limit), (at(160), Limit::Path));
        assert_eq!(found.moved, Span::from_millis(1));
        assert_eq!(of(100_000_000, &PATH).target, at(160));
    }

    #[test]
    fn a_stamp_from_the_future_counts_as_its_arrival() {
        let found = of(-5, &PATH);
        assert_eq!((found.target, found.acted, found.limit), (at(100), at(0), Limit::Arrival));
        assert_eq!(found.moved, Span::from_millis(-5));
    }

    #[test]
    fn nobody_goes_further_back_than_the_game_allows() {
        let strict = Path { max_rewind: Span::from_millis(120), ..PATH };
        assert_eq!(of(20, &strict).limit, Limit::None);
        let found = of(21, &strict);
        assert_eq!((found.target, found.limit), (at(120), Limit::MaxRewind));
        assert_eq!(found.moved, Span::from_millis(1));
        // The event itself keeps its time: only what is shown of the past is limited.
        assert_eq!(found.acted, at(21));
        let none = Path { max_rewind: Span::ZERO, ..PATH };
        assert_eq!(of(10, &none).target, at(0));
    }

    #[test]
    fn extremes_are_clamped_and_nonsense_is_refused() {
        let ends = [-MAX_INSTANT_TICKS, MAX_INSTANT_TICKS].map(ServerTime::from_ticks);
        for (claimed, arrived) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let found = rewind(claimed, arrived, &PATH).expect("valid instants");
            assert!((arrived - found.target).abs() <= PATH.max_rewind, "{found:?}");
        }
        let beyond = ServerTime::from_ticks(MAX_INSTANT_TICKS + 1);
        assert!(rewind(beyond, at(0), &PATH).is_err() && rewind(at(0), beyond, &PATH).is_err());
        for bad in [Span::from_ticks(-1), Span::from_secs(61), Span::MAX, Span::from_ticks(i64::MIN)] {
            for path in [
                Path { round_trip: bad, ..PATH },
                Path { jitter: bad, ..PATH },
                Path { interpolation: bad, ..PATH },
                Path { max_rewind: bad, ..PATH },
            ] {
                assert!(rewind(at(0), at(0), &path).is_err(), "{path:?}");
            }
        }
    }
}
