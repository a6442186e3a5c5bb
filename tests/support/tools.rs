//! What some tests need of the machine: tools, which can be installed, and rights, which cannot.
//!
//! This is the only way to ask for either. A skipped test prints `NAME: skipped: REASON` on the standard
//! error, and `cargo xtask test` repeats these lines at its end.

use std::io::Write;
use std::process::Command;

/// Set to 1 where a missing tool is an error, as on CI.
const REQUIRE: &str = "NETCLOCK_REQUIRE_TOOLS";

/// Each tool with its Debian package.
const PACKAGES: &str = include_str!("tools.txt");

/// True if all these tools can be started. If not, the test is reported as skipped and has to return.
///
/// # Panics
/// If a tool is missing while `NETCLOCK_REQUIRE_TOOLS` is 1.
pub(crate) fn present(tools: &[&str]) -> bool {
    !tools.iter().any(|tool| !answers(tool) && missing(&format!("no {tool}: install {}", package(tool))))
}

/// Reports that the running test is skipped because a tool is missing. Returns true.
///
/// # Panics
/// If `NETCLOCK_REQUIRE_TOOLS` is 1.
pub(crate) fn missing(reason: &str) -> bool {
    assert!(!std::env::var(REQUIRE).is_ok_and(|value| value == "1"), "{reason}, and {REQUIRE} is 1");
    skip(reason);
    true
}

/// Reports that the running test is skipped because this machine lacks a right or a part of another system.
/// No package provides that, so the test passes even where tools are required.
pub(crate) fn skip(reason: &str) {
    let thread = std::thread::current();
    // Not by eprintln: the harness captures the output of passing tests.
    let _ = writeln!(std::io::stderr(), "{}: skipped: {reason}", thread.name().unwrap_or("a test"));
}

fn answers(tool: &str) -> bool {
    // `ip` knows only the short option.
    let answers =
        |option| Command::new(tool).arg(option).output().is_ok_and(|output| output.status.success());
    answers("--version") || answers("-V")
}

fn package(tool: &str) -> &str {
    let mut lines = PACKAGES.lines().filter_map(|line| line.split_once(' '));
    lines.find(|line| line.0 == tool).map_or(tool, |line| line.1)
}
