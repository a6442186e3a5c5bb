//! libFuzzer's entry to `netclock_fuzz::wire`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::wire::run(bytes));
