//! Tests the C ABI and its headers with complete C and C++ programs.

mod abi;
mod examples;
mod header;
mod lossy;
mod programs;
mod stack;

#[expect(dead_code, reason = "only the plugin's tests select a compiler by name")]
#[path = "../support/compiler.rs"]
mod compiler;
#[path = "../support/abi.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod abi_data;
#[expect(dead_code, reason = "only the plugin's tests need the build profile")]
#[path = "../support/library.rs"]
mod library;
#[path = "../support/parallel.rs"]
mod parallel;
#[path = "../support/tools.rs"]
mod tools;

pub(crate) fn committed() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("include/netclock")
}
