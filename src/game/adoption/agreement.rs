//! Finds the interval that is certain although some participants may lie.
//!
//! The truth is in every honest interval. If at most `f` of `n` participants lie, at least `n - f` intervals
//! cover the truth. So the smallest interval that contains all such points contains the truth (K. Marzullo,
//! "Maintaining the Time in a Distributed System", Stanford 1984). With `n >= 2f + 1` each such point is in
//! an honest interval, so liars can move the result no further than the widest honest bound.

/// Interval ends kept on the stack: two for each participant and for the host.
pub(super) const MOST: usize = 65;

/// The smallest interval (lower, upper) that contains all points covered by at least `needed` of `intervals`,
/// or `None` if there is no such point. Intervals include their ends. Only the first [`MOST`] are used.
pub(super) fn covered(intervals: impl Iterator<Item = (i64, i64)>, needed: usize) -> Option<(i64, i64)> {
    // If intervals begin and end at one point, the beginnings come first, so that they overlap.
    const BEGIN: u8 = 0;
    const END: u8 = 1;
    let mut ends = [(i64::MAX, END); 2 * MOST];
    let mut count = 0;
    for (lower, upper) in intervals.take(MOST).filter(|(lower, upper)| lower <= upper) {
        (ends[count], ends[count + 1]) = ((lower, BEGIN), (upper, END));
        count += 2;
    }
    let ends = &mut ends[..count];
    ends.sort_unstable();
    let (mut covering, mut first, mut last) = (0, None, None);
    for &(at, end) in ends.iter() {
        if end == BEGIN {
            covering += 1;
            if covering >= needed {
                first = first.or(Some(at));
            }
        } else {
            if covering >= needed {
                last = Some(at);
            }
            covering -= 1;
        }
    }
    debug_assert_eq!(covering, 0, "each interval that begins ends");
    debug_assert!(first.zip(last).is_none_or(|(first, last)| first <= last), "what is covered begins first");
    first.zip(last)
}
