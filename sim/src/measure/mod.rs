//! Runs clocks that learn from exchanges, and scores what they show.
//!
//! ```text
//! Stream of Exchange -> Estimator -> Read -> Score
//! ```

pub mod account;
pub mod estimator;
pub mod metrics;
pub mod product;
pub mod run;

pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns the nearest-rank index of the quantile `q` (0 to 1) in `count` sorted values. At least a share `q`
/// of the values is at or before this index.
pub fn place(count: u64, q: f64) -> u64 {
    ((q * count as f64).ceil() as u64).saturating_sub(1)
}

/// Returns the nearest-rank quantile `q` (0 to 1), or `None` if there are no values.
pub fn nearest_rank(sorted: &[f64], q: f64) -> Option<f64> {
    sorted.get(place(sorted.len() as u64, q) as usize).copied()
}

/// For an even number of values, returns the larger of the middle two.
pub fn upper_median(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len() / 2).copied()
}

/// Like [`nearest_rank`], but reorders unsorted values. Returns infinity if there are no values.
pub fn quantile(values: &mut [f32], q: f64) -> f64 {
    if values.is_empty() {
        return f64::INFINITY;
    }
    let place = (place(values.len() as u64, q) as usize).min(values.len() - 1);
    f64::from(*values.select_nth_unstable_by(place, f32::total_cmp).1)
}
