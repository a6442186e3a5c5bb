//! Finds the interval that must contain the true time even if some participants lie.
//!
//! Every honest interval contains the true time. If at most `f` of `n` participants lie, at least `n - f`
//! intervals cover it, so the smallest interval that contains all points covered that often also contains the
//! true time (K. Marzullo, "Maintaining the Time in a Distributed System", Stanford 1984). With `n >= 2f +
//! 1`, each such point lies in an honest interval, so liars cannot move the result beyond the widest honest
//! bound.

/// Maximum number of intervals: one for each of the 64 participants and one for the host. Their endpoints are
/// sorted on the stack.
pub(super) const MOST: usize = 65;

/// Returns the smallest interval (lower, upper) that contains all points covered by at least `needed` of
/// `intervals`, or `None` if there is no such point. Intervals are closed. Only the first [`MOST`] are used.
pub(super) fn covered(intervals: impl Iterator<Item = (i64, i64)>, needed: usize) -> Option<(i64, i64)> {
    // Beginnings sort before ends at the same point, so that touching intervals overlap.
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
