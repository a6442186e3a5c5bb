use std::collections::BTreeMap;

use netclock_sim::place;

/// Values are rounded to this many binary digits, so there are at most 512 per power of two.
const DIGITS: u32 = 10;

/// A histogram of integers, which are rounded by at most 0.1 %.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Quantiles {
    counts: BTreeMap<i64, u64>,
    total: u64,
}

impl Quantiles {
    pub(crate) fn add(&mut self, value: i64) {
        *self.counts.entry(rounded(value)).or_default() += 1;
        self.total += 1;
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
    let step = 1_u64 << (u64::BITS - size.leading_zeros()).saturating_sub(DIGITS);
    let near = size.saturating_add(step / 2) / step * step;
    value.signum().saturating_mul(i64::try_from(near).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_rounded_and_take_little_memory() {
        let mut quantiles = Quantiles::default();
        assert_eq!((quantiles.count(), quantiles.share(0.5)), (0, None));
        let count = 1_000_000_i64;
        (0..count).for_each(|at| quantiles.add((at * 7_919 % count - count / 4) * 1_234_567));
        assert!(quantiles.counts.len() < 1 << 14, "{}", quantiles.counts.len());
        assert_eq!(quantiles.count(), 1_000_000);
        for share in [0.0, 0.01, 0.2, 0.5, 0.99, 1.0] {
            let exact = ((count - 1) as f64 * share - count as f64 / 4.0) * 1_234_567.0;
            let found = quantiles.share(share).map(|it| it as f64).expect("there are some");
            assert!((found - exact).abs() <= exact.abs() * 1e-3 + 1_234_567.0, "{share}: {found} {exact}");
        }
        for value in [i64::MIN, i64::MIN + 1, -1, 0, 1, 1023, 1024, i64::MAX] {
            let near = rounded(value);
            assert!((near as f64 - value as f64).abs() <= (value as f64).abs() * 1e-3, "{value} {near}");
        }
    }
}
