//! libFuzzer's entry to `netclock_fuzz::latency`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::latency::run(bytes));
