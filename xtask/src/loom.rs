//! `cargo xtask loom`: the model check of publication in every order of its steps.

use std::process::ExitCode;

use anyhow::Result;

use crate::step::{Step, run};

/// The models are a package, `tests/models`, and so also part of `cargo xtask test`.
const STEP: Step = Step {
    title: "Model check",
    args: &["test", "--package", "netclock-models"],
    env: &[],
    is_needed: true,
    advice: "There is an order of steps in which a reader gets what it must not: loom's trace is above. Set \
             LOOM_LOG=1 and run `cargo xtask loom` to see the accesses that lead there.",
};

pub(crate) fn loom() -> Result<ExitCode> {
    let outcome = run(&[STEP])?;
    println!("{} passed, {} failed", outcome.tally.passed, outcome.tally.failed);
    Ok(outcome.exit_code())
}
