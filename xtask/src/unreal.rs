//! `cargo xtask unreal`: the plugin as games ship it and as Windows runs it. It takes minutes, so it is no
//! part of `test`.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::cargo::target_dir;
use crate::dist;
use crate::step::{Step, run, step};

const STEP: Step = step(
    "The plugin, shipped and on Windows",
    &["test", "--workspace", "--test", "unreal", "--", "--ignored"],
    "One of them runs alone with `cargo test --test unreal <part of its name> -- --ignored`.",
);

pub(crate) fn unreal() -> Result<ExitCode> {
    // Where the test looks for it.
    let dir = target_dir()?.join("unreal-windows");
    if let Err(reason) = dist::windows_library(&dir) {
        if std::env::var("NETCLOCK_REQUIRE_TOOLS").is_ok_and(|value| value == "1") {
            bail!("{reason:#}, and NETCLOCK_REQUIRE_TOOLS is 1");
        }
        println!("skipped: the library for Windows. {reason:#}");
    }
    let outcome = run(&[STEP])?;
    println!("{} passed, {} failed", outcome.tally.passed, outcome.tally.failed);
    Ok(outcome.exit_code())
}
