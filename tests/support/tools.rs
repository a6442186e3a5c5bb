//! Skips tests if tools or permissions are missing. Each skipped test prints `NAME: skipped: REASON` to
//! standard error, and `cargo xtask test` repeats these lines at its end.

use std::io::Write;
use std::process::Command;

/// CI sets this variable to 1 to make a missing tool an error.
const REQUIRE: &str = "NETCLOCK_REQUIRE_TOOLS";

const PACKAGES: &str = include_str!("tools.txt");

/// Returns false and reports the test as skipped if a tool cannot be started. Panics instead if
/// `NETCLOCK_REQUIRE_TOOLS` is 1.
pub(crate) fn present(tools: &[&str]) -> bool {
    !tools.iter().any(|tool| !answers(tool) && missing(&format!("no {tool}: install {}", package(tool))))
}

/// Reports what the running test skips because of a missing tool, and returns true. Panics if
/// `NETCLOCK_REQUIRE_TOOLS` is 1.
pub(crate) fn missing(reason: &str) -> bool {
    assert!(!std::env::var(REQUIRE).is_ok_and(|value| value == "1"), "{reason}, and {REQUIRE} is 1");
    skip(reason);
    true
}

/// Reports the running test as skipped because of the operating system or a missing permission. Does not
/// panic if tools are required, because installing a package would not help.
pub(crate) fn skip(reason: &str) {
    let thread = std::thread::current();
    // The test harness would capture the output of `eprintln` if the test passes.
    let _ = writeln!(std::io::stderr(), "{}: skipped: {reason}", thread.name().unwrap_or("a test"));
}

fn answers(tool: &str) -> bool {
    // `ip` accepts only the short option.
    let answers =
        |option| Command::new(tool).arg(option).output().is_ok_and(|output| output.status.success());
    answers("--version") || answers("-V")
}

fn package(tool: &str) -> &str {
    let mut lines = PACKAGES.lines().filter_map(|line| line.split_once(' '));
    lines.find(|line| line.0 == tool).map_or(tool, |line| line.1)
}
