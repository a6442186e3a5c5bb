//! Skips tests that lack a tool or a permission. A skipped test prints `NAME: skipped: REASON` to standard
//! error, and `cargo xtask test` repeats this line at its end.

use std::io::Write;
use std::process::Command;

/// If this variable is 1, as in CI, a missing tool is an error.
const REQUIRE: &str = "NETCLOCK_REQUIRE_TOOLS";

const PACKAGES: &str = include_str!("tools.txt");

/// Returns false and reports the running test as skipped if one of the tools cannot be started. Panics
/// instead if `NETCLOCK_REQUIRE_TOOLS` is 1.
pub(crate) fn present(tools: &[&str]) -> bool {
    !tools.iter().any(|tool| !answers(tool) && missing(&format!("no {tool}: install {}", package(tool))))
}

/// Reports that the running test skips a check because a tool is missing, and returns true. Panics if
/// `NETCLOCK_REQUIRE_TOOLS` is 1.
pub(crate) fn missing(reason: &str) -> bool {
    assert!(!std::env::var(REQUIRE).is_ok_and(|value| value == "1"), "{reason}, and {REQUIRE} is 1");
    skip(reason);
    true
}

/// Reports that the running test is skipped because of the operating system or a missing permission. This is
/// not an error even if tools are required, because installing a package would not help.
pub(crate) fn skip(reason: &str) {
    let thread = std::thread::current();
    // The test harness hides the output of `eprintln` if the test passes.
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
