//! `cargo xtask tables`: writes the tables that tests derive from what the calls do.

use std::process::ExitCode;

use anyhow::Result;

use crate::step::{Step, run};

const STEPS: &[Step] = &[Step {
    title: "docs/c-abi-bad-input.md, tests/c_abi/pins.c",
    args: &["test", "--package", "netclock", "--lib", "ffi::tests"],
    env: &[("NETCLOCK_WRITE_TABLES", "1")],
    is_needed: true,
    advice: "A call did not do what src/ffi/tests/bad_input expects of it: mend one of the two.",
}];

pub(crate) fn tables() -> Result<ExitCode> {
    Ok(run(STEPS)?.exit_code())
}
