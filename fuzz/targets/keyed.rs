//! libFuzzer's entry to `netclock_fuzz::keyed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::keyed::run(bytes));
