//! libFuzzer's entry to `netclock_fuzz::handover`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::handover::run(bytes));
