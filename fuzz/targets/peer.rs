//! libFuzzer's entry to `netclock_fuzz::peer`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::peer::run(bytes));
