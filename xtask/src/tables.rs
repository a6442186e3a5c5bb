//! `cargo xtask tables`: writes the tables that tests derive from what the calls do.

use std::process::ExitCode;

use anyhow::Result;

use crate::step::{Step, run};

const STEPS: &[Step] = &[Step {
    title: "Bad input, docs/c-abi-bad-input.md",
    args: &["test", "--workspace", "--lib", "ffi::tests::bad_input"],
    env: &[("NETCLOCK_WRITE_TABLES", "1")],
    apart: "",
    advice: "A call did not do what src/ffi/tests/bad_input expects of it: mend one of the two.",
}];

pub(crate) fn tables() -> Result<ExitCode> {
    Ok(run(STEPS)?.exit_code())
}
