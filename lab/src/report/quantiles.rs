use std::collections::BTreeMap;

use netclock_sim::place;

/// If there are more distinct values than this, they are rounded.
const MOST: usize = 1 << 14;
/// How many binary digits of rounded values are kept, which leaves at most 512 distinct values per power of
/// two.
const DIGITS: u32 = 10;

/// A histogram of integers. Up to 16,384 distinct values are exact. Beyond that, values are rounded by at
/// most 0.1 %.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Quantiles {
    counts: BTreeMap<i64, u64>,
    total: u64,
    is_rounded: bool,
}

impl Quantiles {
    pub(crate) fn add(&mut self, value: i64) {
        let value = if self.is_rounded { rounded(value) } else { value };
        *self.counts.entry(value).or_default() += 1;
        self.total += 1;
        if self.counts.len() > MOST && !self.is_rounded {
            self.is_rounded = true;
            for (value, count) in std::mem::take(&mut self.counts) {
                *self.counts.entry(rounded(value)).or_default() += count;
            }
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.total
    }

    pub(crate) fn share(&self, q: f64) -> Option<i64> {
        let place = place(self.total, q);
        let mut before = 0;
        let mut values = self.counts.iter();
        values.find_map(|(&value, &count)| {
            before += count;
            (place < before).then_some(value)
        })
    }
}

fn rounded(value: i64) -> i64 {
    let size = value.unsigned_abs();
    let dropped = (u64::BITS - size.leading_zeros()).saturating_sub(DIGITS);
    if dropped == 0 {
        return value;
    }
    let step = 1_u64 << dropped;
    let near = size.saturating_add(step / 2) / step * step;
    value.signum().saturating_mul(i64::try_from(near).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_distinct_values_are_exact() {
        let mut quantiles = Quantiles::default();
        assert_eq!((quantiles.count(), quantiles.share(0.5)), (0, None));
        (1..=101).rev().for_each(|value| quantiles.add(value * 1_000_003));
        let shares = [0.0, 0.5, 0.95, 1.0].map(|share| quantiles.share(share).map(|it| it / 1_000_003));
        assert_eq!(shares, [Some(1), Some(51), Some(96), Some(101)]);
    }

    #[test]
    fn many_distinct_values_are_rounded() {
        let mut quantiles = Quantiles::default();
        let count = 1_000_000_i64;
        (0..count).for_each(|at| quantiles.add((at * 7_919 % count - count / 4) * 1_234_567));
        assert!(quantiles.counts.len() < MOST, "{}", quantiles.counts.len());
        assert!(quantiles.is_rounded, "{}", quantiles.counts.len());
        assert_eq!(quantiles.count(), 1_000_000);
        for share in [0.01, 0.2, 0.5, 0.99, 1.0] {
            let exact = ((count - 1) as f64 * share - count as f64 / 4.0) * 1_234_567.0;
            let found = quantiles.share(share).map(|it| it as f64).expect("there are some");
            assert!((found - exact).abs() <= exact.abs() * 1e-3 + 1_234_567.0, "{share}: {found} {exact}");
        }
    }

    #[test]
    fn the_extremes_are_rounded_without_overflow() {
        for value in [i64::MIN, i64::MIN + 1, -1, 0, 1, 1023, 1024, i64::MAX] {
            let near = rounded(value);
            assert!((near as f64 - value as f64).abs() <= (value as f64).abs() * 1e-3, "{value} {near}");
        }
    }
}
