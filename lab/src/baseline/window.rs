//! The last few values.

use std::collections::VecDeque;

/// Keeps the last `N` values.
#[derive(Clone, Debug)]
pub(super) struct Window<T, const N: usize>(VecDeque<T>);

impl<T, const N: usize> Default for Window<T, N> {
    fn default() -> Self {
        Self(VecDeque::with_capacity(N))
    }
}

impl<T, const N: usize> Window<T, N> {
    /// Adds a value, and drops the oldest if there are more than `N`.
    pub(super) fn push(&mut self, value: T) {
        if self.0.len() == N {
            self.0.pop_front();
        }
        self.0.push_back(value);
    }

    /// True if it holds `N` values.
    pub(super) fn is_full(&self) -> bool {
        self.0.len() == N
    }

    /// Oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.0.iter()
    }

    /// Drops all values.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The median of sorted values: the mean of the two middle ones if their number is even.
pub(super) fn middle(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some((sorted[half - 1] + sorted[half]) / 2.0),
    }
}

/// The mean; none without values.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
