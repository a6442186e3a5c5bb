//! How far a version may leap. One forged segment with a high version must not lock all genuine ones out.

use super::segment::Segment;
use crate::clock::TICKS_PER_SECOND;

/// Versions that may be missing between two segments, however short the time between them.
const MISSING: u32 = 64;
/// More versions than a publisher makes in a second: one in each of its frames at most.
const A_SECOND: i64 = 1_000;

/// Whether `segment`, which is newer, has a version that no publisher reaches in the time between the two.
pub(super) fn is_too_far(newest: &Segment, segment: &Segment) -> bool {
    let leap = segment.version.wrapping_sub(newest.version);
    let elapsed = (segment.real - newest.real).ticks().max(0) / (TICKS_PER_SECOND / A_SECOND);
    i64::from(leap) > i64::from(MISSING).saturating_add(elapsed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{ServerTime, Span, WorldTime};
    use crate::game::timeline::Rate;

    fn segment(version: u32, seconds: i64) -> Segment {
        let real = ServerTime::from_ticks(seconds * TICKS_PER_SECOND);
        let (world, tolerance) = (WorldTime::from_ticks(0), Span::ZERO);
        let (server_epoch, instance, since, rate, through) = (1, 1, real, Rate::ONE, None);
        Segment { server_epoch, instance, version, since, real, world, rate, tolerance, through }
    }

    #[test]
    fn time_allows_for_versions() {
        for newest in [5, u32::MAX - 10] {
            let leaps = |by: u32, seconds: i64| {
                is_too_far(&segment(newest, 0), &segment(newest.wrapping_add(by), seconds))
            };
            assert!(!leaps(64, 0) && leaps(65, 0) && leaps(65, -9));
            assert!(!leaps(10_064, 10) && leaps(10_065, 10));
            assert!(!leaps((1 << 31) - 1, 1 << 22), "after weeks");
        }
    }
}
