//! Quantiles and medians.

/// The values in increasing order.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The zero-based position of the quantile `q` (0 to 1) in this many sorted values, by nearest rank: the
/// first position at which a share of at least `q` is no larger.
pub fn place(count: u64, q: f64) -> u64 {
    ((q * count as f64).ceil() as u64).saturating_sub(1)
}

/// The quantile `q` (0 to 1) of sorted values by nearest rank, or `None` without values.
pub fn nearest_rank(sorted: &[f64], q: f64) -> Option<f64> {
    sorted.get(place(sorted.len() as u64, q) as usize).copied()
}

/// The median of sorted values, or `None` without values. If there are two middle values, it is the upper
/// one.
pub fn upper_median(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len() / 2).copied()
}

/// Like [`nearest_rank`], for values in any order, which it reorders; infinite without values.
pub fn quantile(values: &mut [f32], q: f64) -> f64 {
    if values.is_empty() {
        return f64::INFINITY;
    }
    let place = (place(values.len() as u64, q) as usize).min(values.len() - 1);
    f64::from(*values.select_nth_unstable_by(place, f32::total_cmp).1)
}
