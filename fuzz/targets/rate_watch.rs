//! libFuzzer's entry to `netclock_fuzz::rate_watch`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::rate_watch::run(bytes));
