//! libFuzzer's entry to `netclock_fuzz::timeline`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::timeline::run(bytes));
