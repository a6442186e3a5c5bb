//! Groups the blocks by route, because base delays change with the route.
//!
//! A clock error moves the upper and lower bounds together, so the round-trip time between them stays the
//! same. A route change alters the round-trip time. A lasting change therefore starts a new segment. Base
//! delays are constant within a segment, and each segment has its own envelopes.

use core::ops::Range;

use super::history::{Block, CAPACITY, TIMER_NOISE, median, smaller};
use super::{CLEARLY, FEW};

/// A session shorter than this (s) is treated as a single route, because a queue may delay several blocks in
/// a row.
pub(super) const YOUNG: f64 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segments {
    /// Index of the first block of each segment, followed by the total number of blocks.
    bounds: [u8; CAPACITY + 1],
    pub(crate) count: usize,
}

impl Segments {
    #[inline(never)]
    pub(crate) fn divide(blocks: &[Block], rate: f64) -> Self {
        let mut trips = [0.0; CAPACITY];
        for (trip, block) in trips.iter_mut().zip(blocks) {
            *trip = block.upper.intercept(rate) - block.lower.intercept(rate);
        }
        let trips = &trips[..blocks.len()];
        let level = CLEARLY * scale(trips).max(TIMER_NOISE);
        let mut segments = Segments { bounds: [0; CAPACITY + 1], count: 1 };
        let is_young = blocks.last().is_none_or(|last| last.upper.at - blocks[0].upper.at < YOUNG);
        let mut smallest = trips.first().copied().unwrap_or(0.0);
        for i in 1..trips.len() {
            // Fewer slow blocks in a row only mean that the route is busy.
            let ahead = &trips[i..trips.len().min(i + FEW)];
            let longer = ahead.len() == FEW && ahead.iter().all(|&trip| trip > smallest + level);
            let shorter = trips[i] < smallest - level;
            if (longer || shorter) && !is_young {
                segments.bounds[segments.count] = i as u8;
                segments.count += 1;
                smallest = trips[i];
            }
            smallest = smaller(smallest, trips[i]);
        }
        segments.bounds[segments.count] = trips.len() as u8;
        debug_assert!(segments.bounds[..=segments.count].is_sorted(), "segments are in order");
        segments
    }

    pub(crate) fn newest(&self) -> Range<usize> {
        usize::from(self.bounds[self.count - 1])..usize::from(self.bounds[self.count])
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.bounds[..=self.count].windows(2).map(|pair| usize::from(pair[0])..usize::from(pair[1]))
    }
}

/// Estimates the scale of one-sided noise from each point's gap to the smallest of five neighbours. Level
/// changes therefore have no effect. For exponential noise, the median gap is 0.47 of the scale.
fn scale(points: &[f64]) -> f64 {
    let mut gaps = [0.0; CAPACITY];
    let gaps = &mut gaps[..points.len()];
    for (i, gap) in gaps.iter_mut().enumerate() {
        let near = &points[i.saturating_sub(2)..points.len().min(i + 3)];
        *gap = points[i] - near.iter().copied().fold(f64::INFINITY, smaller);
    }
    median(gaps) / 0.47
}

#[cfg(test)]
mod tests {
    use super::super::history::Point;
    use super::*;

    /// Divides blocks that have these round trips (ms) and are 10 s apart.
    fn divided(trips: &[f64]) -> Vec<usize> {
        let blocks: Vec<Block> = trips
            .iter()
            .enumerate()
            .map(|(i, trip)| {
                let at = 10.0 * i as f64;
                Block::new(Point { at, value: trip / 2000.0 }, Point { at, value: -trip / 2000.0 })
            })
            .collect();
        let segments = Segments::divide(&blocks, 0.0);
        segments.ranges().enumerate().flat_map(|(segment, range)| range.map(move |_| segment)).collect()
    }

    #[test]
    fn only_a_lasting_change_divides_a_session() {
        assert_eq!(divided(&[50.0, 50.1, 50.0, 90.0, 50.1, 50.0, 50.2, 50.0]), [0; 8]);
        assert_eq!(divided(&[50.0, 50.1, 50.0, 90.0, 90.1, 90.0, 90.2, 90.0]), [0, 0, 0, 1, 1, 1, 1, 1]);
        assert_eq!(divided(&[50.0, 50.1, 50.0, 30.0, 30.1, 30.0, 30.2, 30.0]), [0, 0, 0, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn a_young_session_is_one_route() {
        let blocks = |spacing: f64| -> Vec<Block> {
            let trips = [50.0, 50.1, 50.0, 90.0, 90.1, 90.0, 90.2, 90.0];
            let point = |i: usize, ms: f64| Point { at: spacing * i as f64, value: ms / 2e3 };
            trips.iter().enumerate().map(|(i, &ms)| Block::new(point(i, ms), point(i, -ms))).collect()
        };
        assert_eq!(Segments::divide(&blocks(1.0), 0.0).count, 1);
        assert_eq!(Segments::divide(&blocks(10.0), 0.0).count, 2);
    }

    #[test]
    fn noise_alone_is_one_route() {
        let noisy = [50.0, 57.0, 52.0, 66.0, 51.0, 54.0, 59.0, 50.5, 61.0, 53.0, 55.0, 51.5];
        assert_eq!(divided(&noisy), [0; 12]);
    }
}
