//! `cargo xtask tables` updates the tables that tests compute, and the code blocks on pages.

use std::process::ExitCode;

use anyhow::Result;

use crate::blocks;
use crate::step::{Step, run, step};

pub(crate) fn tables() -> Result<ExitCode> {
    blocks(false)?;
    let step = step(
        "docs/c-abi-bad-input.md, tests/c_abi/pins.c",
        "test --package netclock --lib ffi::tests",
        "A call does not do what src/ffi/tests/bad_input expects. Correct one of them.",
    );
    Ok(run(&[Step { env: &[("NETCLOCK_WRITE_TABLES", "1")], ..step }])?.exit_code())
}
