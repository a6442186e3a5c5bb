//! Quantiles and medians.

/// The values in increasing order.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The quantile `q` (0 to 1) of sorted values by nearest rank; none without values.
pub fn nearest_rank(sorted: &[f64], q: f64) -> Option<f64> {
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

/// The median of sorted values, the upper one of two; none without values.
pub fn upper_median(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len() / 2).copied()
}

/// As [`nearest_rank`], for values in any order, which it reorders; infinite without values.
pub fn quantile(values: &mut [f32], q: f64) -> f64 {
    if values.is_empty() {
        return f64::INFINITY;
    }
    let rank = ((q * values.len() as f64).ceil() as usize).clamp(1, values.len()) - 1;
    f64::from(*values.select_nth_unstable_by(rank, f32::total_cmp).1)
}
