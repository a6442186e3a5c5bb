//! Compact representations of spans and instants. A host stores a watch for every player, so size matters.

use core::num::NonZeroU64;

use crate::clock::{ServerTime, Span};

/// A span or instant whose `Option` takes eight bytes. The smallest value is rounded up by a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Packed(NonZeroU64);

/// Flipping the sign bit makes the unsigned order equal to the signed order.
const SIGN: u64 = 1 << 63;

impl Packed {
    pub(super) fn at(time: ServerTime) -> Self {
        Span::from_ticks(time.ticks()).into()
    }
}

impl From<Span> for Packed {
    fn from(span: Span) -> Self {
        Packed(NonZeroU64::new(span.ticks() as u64 ^ SIGN).unwrap_or(NonZeroU64::MIN))
    }
}

impl From<Packed> for Span {
    fn from(packed: Packed) -> Self {
        Span::from_ticks((packed.0.get() ^ SIGN) as i64)
    }
}

/// A span in whole units of `UNIT` ticks, stored in four bytes. Spans that are too long saturate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Short<const UNIT: i64>(i32);

impl<const UNIT: i64> From<Span> for Short<UNIT> {
    fn from(span: Span) -> Self {
        let saturated = if span < Span::ZERO { i32::MIN } else { i32::MAX };
        Short(i32::try_from(span.ticks() / UNIT).unwrap_or(saturated))
    }
}

impl<const UNIT: i64> From<Short<UNIT>> for Span {
    fn from(short: Short<UNIT>) -> Self {
        Span::from_ticks(i64::from(short.0) * UNIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_keep_their_value_and_order() {
        assert_eq!((size_of::<Option<Packed>>(), size_of::<Short<1>>()), (8, 4));
        let spans = [-Span::MAX, Span::from_ticks(-1), Span::ZERO, Span::from_ticks(1), Span::MAX];
        assert!(spans.is_sorted_by(|a, b| Some(Packed::from(*a)) < Some(Packed::from(*b))));
        assert_eq!(spans.map(Packed::from).map(Span::from), spans);
        assert_eq!(Span::from(Packed::from(Span::from_ticks(i64::MIN))), -Span::MAX);
        let hours = Span::from_secs(59 * 3_600);
        assert_eq!([hours, -hours].map(Short::<1_000>::from).map(Span::from), [hours, -hours]);
        let most = Span::from_ticks(i64::from(i32::MAX) * 1_000);
        assert_eq!(Span::from(Short::<1_000>::from(Span::MAX)), most);
    }
}
