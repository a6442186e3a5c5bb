//! libFuzzer's entry to `netclock_fuzz::saved`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::saved::run(bytes));
