//! The seed of the test run.

/// `NETCLOCK_TEST_SEED`, or `usual` without it. Printed, so that a failure can be repeated.
///
/// # Panics
/// If the variable is no whole number.
pub(crate) fn seed(usual: u64) -> u64 {
    let text = std::env::var("NETCLOCK_TEST_SEED").ok();
    let seed = text.map_or(usual, |text| text.parse().expect("NETCLOCK_TEST_SEED is a whole number"));
    println!("NETCLOCK_TEST_SEED={seed}");
    seed
}
