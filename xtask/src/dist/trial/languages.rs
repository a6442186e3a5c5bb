//! Tests other languages with the archive for this machine: the wheel in a fresh environment, and the C#
//! source.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::Place;
use crate::cargo::root;
use crate::command::run as run_command;
use crate::dist::archives::Archives;
use crate::dist::product::Product;
use crate::dist::wheel;

pub(super) fn python(archives: &Archives, product: &Product, prefix: &Path, place: &Place) -> Result<()> {
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
    let mut client = Command::new(dir.join("venv/bin/python"));
    follow_a_server(client.arg("-B").arg(root().join("examples/python/link_client.py")), prefix, place)
}

pub(super) fn csharp(prefix: &Path, place: &Place) -> Result<()> {
    let start = |source: &str| -> Result<Command> {
        let program = place.directory("csharp")?.join(source.replace(['/', '.'], "-")).with_extension("exe");
        let mut compile = Command::new("mcs");
        compile.arg("-warnaserror").arg(format!("-out:{}", program.display()));
        compile.arg(prefix.join("csharp/NetClock.cs")).arg(prefix.join(source));
        run_command(&mut compile, "NetClock.cs is generated from the C headers by `cargo xtask dist`.")?;
        let mut start = Command::new("mono");
        start.arg(&program).env("LD_LIBRARY_PATH", prefix.join("lib"));
        Ok(start)
    };
    println!("  C#: {}", run_command(&mut start("csharp/Smoke.cs")?, "")?.trim());
    follow_a_server(&mut start("examples/csharp/LinkClient.cs")?, prefix, place)
}

/// Runs a quick-start program with the example server that the C test has compiled.
fn follow_a_server(client: &mut Command, prefix: &Path, place: &Place) -> Result<()> {
    let mut server = Command::new(place.directory("native-examples")?.join("link_server.exe"));
    server.arg("0").env("LD_LIBRARY_PATH", prefix.join("lib")).stdout(Stdio::piped());
    let mut server = server.spawn().context("starting link_server")?;
    let mut line = String::new();
    let output = server.stdout.take().context("it was started with a pipe")?;
    let said = BufReader::new(output)
        .read_line(&mut line)
        .map_err(Into::into)
        .and_then(|_| run_command(client.arg("127.0.0.1").arg(line.trim().trim_start_matches("port ")), ""));
    let ended = server.kill().and_then(|()| server.wait());
    println!("  {}", said?.trim());
    ended.map(drop).context("ending link_server")
}
