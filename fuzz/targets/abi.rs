//! libFuzzer's entry to `netclock_fuzz::abi`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| netclock_fuzz::abi::run(bytes));
