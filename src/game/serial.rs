//! Serial number arithmetic (RFC 1982) for counters that wrap.

use crate::clock::Span;

/// How many serial numbers may be skipped between two messages, no matter how close together they are.
const MISSING: i64 = 64;

/// Returns whether serial number `a` comes after `b`. If they are 2^31 apart, neither comes after the other.
pub(crate) fn comes_after(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) > 0
}

/// Returns whether a sender of one number per `gap` could not have advanced from `b` to the newer `a` within
/// `elapsed`. This prevents a single forged number from locking out all genuine ones.
pub(crate) fn leaps_too_far(a: u32, b: u32, elapsed: Span, gap: Span) -> bool {
    i64::from(a.wrapping_sub(b)) > MISSING + elapsed.ticks().max(0) / gap.ticks()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_wrap() {
        assert!(comes_after(1, 0) && comes_after(0, u32::MAX) && comes_after(5, 0x8000_0006));
        assert!(!comes_after(0, 0) && !comes_after(0, 1) && !comes_after(u32::MAX, 0));
        assert!(!comes_after(0x8000_0000, 0) && !comes_after(0, 0x8000_0000));
        let leaps = |by: u32, seconds| {
            leaps_too_far(by.wrapping_sub(9), u32::MAX - 8, Span::from_secs(seconds), Span::from_millis(1))
        };
        assert!(!leaps(64, 0) && leaps(65, 0) && leaps(65, -9) && !leaps(65, 1));
        assert!(!leaps(10_064, 10) && leaps(10_065, 10) && !leaps((1 << 31) - 1, 1 << 22));
    }
}
