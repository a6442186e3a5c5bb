//! `cargo xtask test`: all tests, with the total as the last line.

use std::process::ExitCode;

use anyhow::Result;

use crate::step::{Step, run};

const FULL: &[Step] = &[
    Step {
        title: "Library",
        args: &["build", "--workspace", "--lib"],
        env: &[],
        advice: "The C tests link this library: mend the errors above first.",
    },
    Step {
        title: "Tests",
        args: &["test", "--workspace", "--all-targets", "--no-fail-fast"],
        env: &[],
        advice: "Mend the errors above. A failing test runs alone with `cargo test <part of its name>`; \
                 a scenario prints the seed that repeats it.",
    },
    Step {
        title: "Documentation examples",
        args: &["test", "--workspace", "--doc", "--no-fail-fast"],
        env: &[],
        advice: "An example in a doc comment no longer works: mend the example or what it shows.",
    },
];

const QUICK: &[Step] = &[Step {
    title: "Unit tests",
    args: &["test", "--workspace", "--lib", "--bins", "--no-fail-fast"],
    env: &[],
    advice: "Mend the errors above. A failing test runs alone with `cargo test --lib --bins <part of its name>`.",
}];

pub(crate) fn test(quick: bool) -> Result<ExitCode> {
    let outcome = run(if quick { QUICK } else { FULL })?;
    println!("{} passed, {} failed", outcome.tally.passed, outcome.tally.failed);
    Ok(outcome.exit_code())
}
