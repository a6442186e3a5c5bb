//! The delays of about the last half minute, sorted. Any quantile takes one step, and the memory is fixed.

use crate::clock::for_parts::OutOfMemory;
use crate::clock::for_parts::memory;

/// Number of delays to keep. It is enough for a 99th percentile below the largest delay.
const CAPACITY: usize = 256;
/// Age at which a delay is dropped (ms) ...
const OLDEST: u32 = 60_000;
/// ... as long as more than this many remain. With fewer a quantile would mean nothing.
const LEAST: usize = 64;

const TICKS_PER_MS: i64 = 10_000;

/// How fast a quantile beyond the largest delay grows with its rank, in distances from the largest delay to
/// the median.
const BEYOND: f64 = 10.0;

/// A ring of delays, and the same delays sorted.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// When they arrived (ms, from 0 again after 49 days).
    at: Box<[u32]>,
    delays: Box<[i32]>,
    sorted: Box<[i32]>,
    /// Index of the oldest, and how many there are.
    oldest: usize,
    len: usize,
}

impl Window {
    pub(super) fn new() -> Result<Self, OutOfMemory> {
        let (at, delays) = (memory::filled(0, CAPACITY)?, memory::filled(0, CAPACITY)?);
        Ok(Window { at, delays, sorted: memory::filled(0, CAPACITY)?, oldest: 0, len: 0 })
    }

    pub(super) fn clear(&mut self) {
        (self.oldest, self.len) = (0, 0);
    }

    /// Adds the delay (ticks) of a message that arrived at `at` (ticks), and drops delays that are too old.
    pub(super) fn add(&mut self, at: i64, delay: i32) {
        let at = at.div_euclid(TICKS_PER_MS) as u32;
        while self.len == CAPACITY || (self.len > LEAST && at.wrapping_sub(self.at[self.oldest]) > OLDEST) {
            self.drop_oldest();
        }
        let place = (self.oldest + self.len) % CAPACITY;
        self.at[place] = at;
        self.delays[place] = delay;
        let rank = self.sorted().partition_point(|&other| other < delay);
        self.sorted.copy_within(rank..self.len, rank + 1);
        self.sorted[rank] = delay;
        self.len += 1;
    }

    fn drop_oldest(&mut self) {
        let delay = self.delays[self.oldest];
        let rank = self.sorted().partition_point(|&other| other < delay);
        self.sorted.copy_within(rank + 1..self.len, rank);
        self.oldest = (self.oldest + 1) % CAPACITY;
        self.len -= 1;
    }

    /// In ascending order.
    pub(super) fn sorted(&self) -> &[i32] {
        &self.sorted[..self.len]
    }

    /// The delay (ticks) that the next one does not exceed with probability `level`, if the order of delays
    /// does not matter. Of `n` delays it is the one of rank `level (n + 1)`. A higher rank adds up to the
    /// distance from the median to the largest. None if the window is empty.
    pub(super) fn quantile(&self, level: f64) -> Option<f64> {
        let sorted = self.sorted();
        let (&largest, count) = (sorted.last()?, sorted.len());
        let rank = level * (count + 1) as f64;
        Some(match sorted.get((rank.ceil() as usize).saturating_sub(1)) {
            Some(&delay) => f64::from(delay),
            None => {
                let spread = f64::from(largest) - f64::from(sorted[count / 2]);
                f64::from(largest) + spread * (BEYOND * (rank / count as f64 - 1.0)).min(1.0)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 10_000_000;

    /// Shuffled numbers: a permutation of 0 to 256, by a multiplier that is prime to 257.
    fn shuffled(index: usize) -> i32 {
        (index * 101 % 257) as i32
    }

    #[test]
    fn the_sorted_delays_are_those_of_the_ring() {
        let mut window = Window::new().expect("there is memory");
        for index in 0..1000 {
            window.add(index as i64, shuffled(index) / 3);
            let mut newest: Vec<i32> =
                (index.saturating_sub(CAPACITY - 1)..=index).map(|index| shuffled(index) / 3).collect();
            newest.sort_unstable();
            assert_eq!(window.sorted(), newest);
        }
    }

    #[test]
    fn quantiles_are_ranks_of_one_more() {
        let mut window = Window::new().expect("there is memory");
        assert_eq!(window.quantile(0.5), None);
        for index in 0..99 {
            window.add(0, index + 1);
        }
        assert_eq!(window.quantile(0.95), Some(95.0));
        assert_eq!(window.quantile(0.0), Some(1.0));
        assert_eq!(window.quantile(0.99), Some(99.0));
        let beyond = window.quantile(0.995).expect("not empty") - 99.0;
        assert!((beyond - 49.0 * 10.0 * (99.5 / 99.0 - 1.0)).abs() < 1e-9, "{beyond}");
        assert_eq!(window.quantile(7.0), Some(99.0 + 49.0));
    }

    #[test]
    fn the_old_is_forgotten_while_enough_is_left() {
        let mut window = Window::new().expect("there is memory");
        for index in 0..200 {
            window.add(index * SECOND, 1);
        }
        assert_eq!(window.sorted().len(), LEAST + 1);
        window.add(10_000 * SECOND, 2);
        assert_eq!(window.sorted().len(), LEAST + 1);
        window.add(i64::MAX, 3);
        window.add(i64::MIN, 4);
        assert_eq!(window.sorted().last(), Some(&4));
    }
}
