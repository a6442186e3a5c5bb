//! Seeds start at `NETCLOCK_TEST_SEED` (default 1) and are printed so that failures can be reproduced.

use std::ops::Range;

use netclock_lab::scenario;
use netclock_sim::{Case, seed, sorted, upper_median};

pub(crate) fn case(name: &str) -> Case {
    scenario::find(name).expect("built in")
}

pub(crate) fn seeds(count: u64) -> Range<u64> {
    let first = seed(1);
    first..first + count
}

#[track_caller]
pub(crate) fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    upper_median(&sorted(values)).unwrap_or(f64::INFINITY)
}
