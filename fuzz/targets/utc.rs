//! libFuzzer's entry to `netclock_fuzz::utc`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::utc::run(bytes));
