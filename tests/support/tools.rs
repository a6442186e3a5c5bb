//! Tools beyond Rust and a C++ compiler: some tests need them, not every machine has them.

use std::io::Write;
use std::process::Command;

/// Set to 1 where a missing tool is an error, as on CI.
const REQUIRE: &str = "NETCLOCK_REQUIRE_TOOLS";

/// True if all of them answer `--version`. If one does not, the test that asked is to end without having
/// tested: it says so, visibly among the results of the others.
///
/// # Panics
/// If one does not answer while `NETCLOCK_REQUIRE_TOOLS` is 1.
pub(crate) fn present(tools: &[&str]) -> bool {
    match tools.iter().find(|tool| !answers(tool)) {
        None => true,
        Some(missing) => {
            skip(&format!("no {missing}"));
            false
        }
    }
}

/// Says that the running test is skipped, and why.
///
/// # Panics
/// If `NETCLOCK_REQUIRE_TOOLS` is 1.
pub(crate) fn skip(reason: &str) {
    assert!(!std::env::var(REQUIRE).is_ok_and(|value| value == "1"), "{reason}, and {REQUIRE} is 1");
    let thread = std::thread::current();
    // Not by eprintln: the harness keeps what passing tests print.
    let _ = writeln!(std::io::stderr(), "{}: skipped: {reason}", thread.name().unwrap_or("a test"));
}

fn answers(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}
