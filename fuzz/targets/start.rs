//! libFuzzer's entry to `netclock_fuzz::start`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::start::run(bytes));
