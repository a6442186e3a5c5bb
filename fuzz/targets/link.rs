//! libFuzzer's entry to `netclock_fuzz::link`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::link::run(bytes));
