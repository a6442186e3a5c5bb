//! libFuzzer's entry to `netclock_fuzz::order`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::order::run(bytes));
