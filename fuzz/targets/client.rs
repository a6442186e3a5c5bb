//! libFuzzer's entry to `netclock_fuzz::client`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::client::run(bytes));
