//! libFuzzer's entry point. The environment variable `NETCLOCK_FUZZ` selects the target.

#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<netclock_fuzz::Target> = LazyLock::new(|| {
    let wanted = std::env::var("NETCLOCK_FUZZ").unwrap_or_default();
    let found = netclock_fuzz::TARGETS.into_iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("NETCLOCK_FUZZ is `{wanted}`, which is not a target"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::run(*TARGET, bytes));
