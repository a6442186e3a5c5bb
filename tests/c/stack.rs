//! Checks how much stack each function uses, because games may call them on fibres with small stacks.

use std::process::Command;

use crate::compiler::{Compiler, run};
use crate::examples::build;
use crate::library::Library;

/// The stack limit for release builds in bytes, as stated in netclock.h. The published library needs less
/// (`cargo xtask size`).
const RELEASE: &str = "10240";
/// Debug builds copy many values between stack frames, so this limit only catches gross mistakes.
const DEVELOPMENT: &str = "65536";

#[test]
fn calls_need_little_stack() {
    if cfg!(not(all(target_os = "linux", target_env = "gnu"))) {
        return crate::tools::skip("the program needs glibc's contexts");
    }
    let library = Library::get();
    let mut test = Command::new(build("tests/stack/stack.c", &Compiler::all("c99")[0], library));
    library.lead(&mut test);
    let limit = if cfg!(debug_assertions) { DEVELOPMENT } else { RELEASE };
    let printed = run(test.arg(limit)).unwrap_or_else(|failure| panic!("{failure}"));
    print!("{}", String::from_utf8_lossy(&printed.stdout));
}
