//! Keeps the recent delays sorted, so looking up a quantile takes constant time.

use std::collections::VecDeque;

use crate::clock::for_parts::{OutOfMemory, memory};

/// With this many delays, the 99th percentile is below the largest delay.
const CAPACITY: usize = 256;
/// Delays older than this many ms are dropped.
const OLDEST: u32 = 180_000;
/// At least this many delays are kept regardless of their age, because a quantile of fewer delays is
/// meaningless.
const LEAST: usize = 64;

const TICKS_PER_MS: i64 = 10_000;

/// Slope per unit of relative rank for extrapolating quantiles beyond the largest delay. The slope is in
/// multiples of the distance from the median to the largest delay.
const BEYOND: f64 = 10.0;

#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The arrival times in ms, which wrap after 49 days, and the delays in ticks.
    arrived: VecDeque<(u32, i64)>,
    sorted: Vec<i64>,
}

impl Window {
    pub(super) fn new() -> Result<Self, OutOfMemory> {
        Ok(Window { arrived: memory::list(CAPACITY)?.into(), sorted: memory::list(CAPACITY)? })
    }

    pub(super) fn clear(&mut self) {
        self.arrived.clear();
        self.sorted.clear();
    }

    pub(super) fn add(&mut self, at: i64, delay: i64) {
        let at = at.div_euclid(TICKS_PER_MS) as u32;
        while let Some(&(oldest, dropped)) = self.arrived.front() {
            let len = self.arrived.len();
            if len < CAPACITY && (len <= LEAST || at.wrapping_sub(oldest) <= OLDEST) {
                break;
            }
            self.arrived.pop_front();
            self.sorted.remove(self.rank(dropped));
        }
        self.arrived.push_back((at, delay));
        self.sorted.insert(self.rank(delay), delay);
        debug_assert!(self.sorted.is_sorted() && self.sorted.len() == self.arrived.len());
    }

    fn rank(&self, delay: i64) -> usize {
        self.sorted.partition_point(|&other| other < delay)
    }

    /// Returns the delay (ticks) that the next message does not exceed with probability `level`, assuming
    /// exchangeable delays. Among `n` delays, this is the delay with rank `level (n + 1)`. Ranks above `n`
    /// are extrapolated by at most the distance from the median to the largest delay.
    pub(super) fn quantile(&self, level: f64) -> Option<f64> {
        let sorted = &self.sorted;
        let (&largest, count) = (sorted.last()?, sorted.len());
        let rank = level * (count + 1) as f64;
        Some(match sorted.get((rank.ceil() as usize).saturating_sub(1)) {
            Some(&delay) => delay as f64,
            None => {
                let spread = largest as f64 - sorted[count / 2] as f64;
                largest as f64 + spread * (BEYOND * (rank / count as f64 - 1.0)).min(1.0)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 10_000_000;

    #[test]
    fn quantiles_are_ranks_among_n_plus_one() {
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
    fn old_delays_are_discarded_if_enough_remain() {
        let mut window = Window::new().expect("there is memory");
        for index in 0..200 {
            window.add(index * SECOND, 1);
        }
        assert_eq!(window.sorted.len(), 181);
        window.add(10_000 * SECOND, 2);
        assert_eq!(window.sorted.len(), LEAST + 1);
        window.add(i64::MAX, 3);
        window.add(i64::MIN, 4);
        assert_eq!(window.sorted.last(), Some(&4));
    }
}
