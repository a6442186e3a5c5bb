//! Which blocks were measured over the same route.
//!
//! A clock moves the upper and the lower bounds together, so it leaves their distance, the round trip, alone. A
//! change of route moves the round trip. So a level change of the blocks' round trips that lasts divides the
//! session into segments: within one, the base delays are the same, and each has envelopes of its own.

use super::history::{Block, CAPACITY};

/// Blocks that have to agree before a longer round trip is a longer route and not a busy one.
const PERSISTENCE: usize = 3;

/// Level change that counts, in scales of the round trips' noise ...
const LEVEL_SCALES: f64 = 4.0;

/// ... and at least this much (s).
const SMALLEST_LEVEL: f64 = 100e-6;

/// Number of the segment each block belongs to, counted from 0, never falling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segments {
    of: [u8; CAPACITY],
    count: usize,
}

impl Segments {
    /// Divides `blocks`; bounds are compared along lines of slope `rate`.
    pub(crate) fn divide(blocks: &[Block], rate: f64) -> Self {
        let mut trips = [0.0; CAPACITY];
        for (trip, block) in trips.iter_mut().zip(blocks) {
            *trip = block.upper.intercept(rate) - block.lower.intercept(rate);
        }
        let trips = &trips[..blocks.len()];
        let level = (LEVEL_SCALES * super::frequency::local_scale(trips)).max(SMALLEST_LEVEL);
        let mut segments = Segments { of: [0; CAPACITY], count: 1 };
        let mut smallest = trips.first().copied().unwrap_or(0.0);
        for i in 1..trips.len() {
            let ahead = &trips[i..trips.len().min(i + PERSISTENCE)];
            let longer = ahead.len() == PERSISTENCE && ahead.iter().all(|&trip| trip > smallest + level);
            let shorter = trips[i] < smallest - level;
            if longer || shorter {
                segments.count += 1;
                smallest = trips[i];
            }
            smallest = smallest.min(trips[i]);
            segments.of[i] = (segments.count - 1) as u8;
        }
        segments
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn of(&self, block: usize) -> usize {
        usize::from(self.of[block])
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::Point;
    use super::*;

    /// Segments of blocks with the given round trips (ms), 10 s apart.
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
        (0..trips.len()).map(|i| segments.of(i)).collect()
    }

    #[test]
    fn a_lasting_change_divides_and_a_busy_block_does_not() {
        assert_eq!(divided(&[50.0, 50.1, 50.0, 90.0, 50.1, 50.0, 50.2, 50.0]), [0; 8]);
        assert_eq!(divided(&[50.0, 50.1, 50.0, 90.0, 90.1, 90.0, 90.2, 90.0]), [0, 0, 0, 1, 1, 1, 1, 1]);
        assert_eq!(divided(&[50.0, 50.1, 50.0, 30.0, 30.1, 30.0, 30.2, 30.0]), [0, 0, 0, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn noise_alone_is_one_route() {
        let noisy = [50.0, 57.0, 52.0, 66.0, 51.0, 54.0, 59.0, 50.5, 61.0, 53.0, 55.0, 51.5];
        assert_eq!(divided(&noisy), [0; 12]);
    }
}
