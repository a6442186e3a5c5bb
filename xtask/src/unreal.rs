//! `cargo xtask unreal` tests the plugin in shipping builds and on Windows. This takes minutes, so `cargo
//! xtask test` does not do it.

use std::process::ExitCode;

use anyhow::Result;

use crate::dist;
use crate::step::{Step, run, step};
use crate::{skip, target_dir};

const STEP: Step = step(
    "The plugin, shipped and on Windows",
    "test --workspace --test unreal -- --ignored",
    "One of them runs alone with `cargo test --test unreal <part of its name> -- --ignored`.",
);

pub(crate) fn unreal() -> Result<ExitCode> {
    let dir = target_dir()?.join("unreal-windows");
    if let Err(reason) = dist::windows_library(&dir) {
        skip(&format!("the library for Windows. {reason:#}"))?;
    }
    let outcome = run(&[STEP])?;
    println!("{}", outcome.tally.summary());
    Ok(outcome.exit_code())
}
