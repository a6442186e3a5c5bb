//! Other languages, with what was packed for this very machine: the wheel in a fresh environment, and the C#
//! source.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Place;
use crate::cargo::root;
use crate::command::run as run_command;
use crate::dist::archives::Archives;
use crate::dist::product::Product;
use crate::dist::wheel;

pub(super) fn python(archives: &Archives, product: &Product, place: &Place) -> Result<()> {
    let dir = place.directory("python")?;
    let name = wheel::name(product.platform).context("Python runs here")?;
    let file = dir.join(&name);
    let content = archives.get(&name)?;
    fs::write(&file, content).with_context(|| format!("writing {}", file.display()))?;
    let advice = "Debian's package python3-venv has what this needs.";
    run_command(Command::new("python3").args(["-m", "venv"]).arg(dir.join("venv")), advice)?;
    let mut install = Command::new(dir.join("venv/bin/pip"));
    run_command(install.args(["install", "--quiet", "--no-index", "--no-deps"]).arg(&file), "")?;
    let script = root().join("packaging/python/smoke.py");
    let said = run_command(Command::new(dir.join("venv/bin/python")).arg("-B").arg(script), "")?;
    println!("  Python, by pip install: {}", said.trim());
    Ok(())
}

pub(super) fn csharp(prefix: &Path, place: &Place) -> Result<()> {
    let program = place.directory("csharp")?.join("smoke.exe");
    let mut compile = Command::new("mcs");
    compile.arg("-warnaserror").arg(format!("-out:{}", program.display()));
    compile.arg(prefix.join("csharp/NetClock.cs")).arg(prefix.join("csharp/Smoke.cs"));
    run_command(&mut compile, "NetClock.cs is generated from the C headers by `cargo xtask dist`.")?;
    let mut start = Command::new("mono");
    let said = run_command(start.arg(&program).env("LD_LIBRARY_PATH", prefix.join("lib")), "")?;
    println!("  C#: {}", said.trim());
    Ok(())
}
