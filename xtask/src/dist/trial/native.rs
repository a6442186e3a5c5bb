//! Tests this machine's archive and the plugin with the repository's tests and each language's quick-start
//! program.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::Place;
use crate::command::run as run_command;
use crate::dist::wheel;
use crate::dist::{Archives, PLUGIN_DIRECTORY, Product};
use crate::plugin::contents::{LIBRARIES, LOADED};
use crate::{cargo, root};

/// These environment variables make tests use the unpacked archive or plugin.
const PREFIX: &str = "NETCLOCK_PREFIX";
const PLUGIN: &str = "NETCLOCK_UNREAL_PLUGIN";
/// This test compiles all sources of the plugin for the newest engine and runs them in simulated worlds.
const PROMISES: &str = "promises::the_plugin_keeps_its_promises_as_5_8";
const PROJECT: &str = "{\n\t\"FileVersion\": 3,\n\t\"EngineAssociation\": \"5.8\",\n\
    \t\"Plugins\": [ { \"Name\": \"NetClock\", \"Enabled\": true } ]\n}\n";

pub(super) fn run(archives: &Archives, product: &Product, prefix: &Path, place: &Place) -> Result<()> {
    // These tests build C and C++ programs with both kinds of libraries, and projects for CMake and make.
    tests("c", &["programs::", "examples::"], PREFIX, prefix)?;
    tests("tools", &["packaging::"], PREFIX, prefix)?;
    readme(prefix)?;
    let follow = |mut client: Command| follow_a_server(&mut client, prefix);
    let client = |name: &str| Command::new(prefix.join(name));
    follow(client("link_client"))?;
    follow(python(archives, product, place)?)?;
    follow(csharp(prefix, place)?)
}

/// Unpacks the plugin's zip into a project and compiles it there with the engine double.
pub(super) fn project(archives: &Archives, native: &Product, place: &Place) -> Result<()> {
    println!("unreal: using the plugin");
    let plugins = place.directory("project/Plugins")?;
    archives.unpack(&Archives::plugin_name(), &plugins)?;
    let project = plugins.with_file_name("Game.uproject");
    fs::write(&project, PROJECT).with_context(|| format!("writing {}", project.display()))?;
    let plugin = plugins.join(PLUGIN_DIRECTORY);
    // Unreal links the library in the first directory and loads the one in the second.
    for place in [LIBRARIES, LOADED].map(|it| plugin.join(it).join(native.platform.unreal)) {
        ensure!(place.is_dir(), "the plugin has no {}", place.display());
    }
    tests("unreal", &["--exact", PROMISES], PLUGIN, &plugin)
}

fn tests(program: &str, filters: &[&str], variable: &str, dir: &Path) -> Result<()> {
    let mut test = cargo();
    // With the same options as `cargo xtask test`, Cargo rebuilds nothing.
    test.args(["test", "--workspace", "--test", program, "--"]).args(filters).env(variable, dir);
    let stdout = run_command(
        &mut test,
        "The tests pass in the repository, so something is missing from the archive.",
    )?;
    let passed = stdout.lines().find(|line| line.starts_with("test result: ok")).unwrap_or_default();
    // Cargo succeeds even if no test matches the filter, for example because the test has been renamed.
    ensure!(!passed.is_empty() && !passed.contains(" 0 passed"), "no test {filters:?}:\n{stdout}");
    println!("  {program} {}: {passed}", filters.join(" "));
    Ok(())
}

fn readme(prefix: &Path) -> Result<()> {
    let readme = fs::read_to_string(prefix.join("README.md")).context("reading the archive's README.md")?;
    let commands = readme.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let commands = commands.context("the archive's README.md has no commands")?;
    run_command(Command::new("sh").args(["-ec", commands]).current_dir(prefix), "").map(drop)
}

fn python(archives: &Archives, product: &Product, place: &Place) -> Result<Command> {
    let dir = place.directory("python")?;
    let name = wheel::name(product.platform).context("Python runs here")?;
    let file = dir.join(&name);
    fs::write(&file, archives.get(&name)?).with_context(|| format!("writing {}", file.display()))?;
    let advice = "On Debian, install python3-venv.";
    run_command(Command::new("python3").args(["-m", "venv"]).arg(dir.join("venv")), advice)?;
    let mut install = Command::new(dir.join("venv/bin/pip"));
    run_command(install.args(["install", "--quiet", "--no-index", "--no-deps"]).arg(&file), "")?;
    let python = |script: &str| {
        let mut python = Command::new(dir.join("venv/bin/python"));
        python.arg("-B").arg(root().join(script));
        python
    };
    println!("  {}", run_command(&mut python("tests/packaging/smoke.py"), "")?.trim());
    Ok(python("examples/python/link_client.py"))
}

fn csharp(prefix: &Path, place: &Place) -> Result<Command> {
    let program = place.directory("csharp")?.join("LinkClient.exe");
    let mut compile = Command::new("mcs");
    compile.arg("-warnaserror").arg(format!("-out:{}", program.display()));
    compile.args(["csharp/NetClock.cs", "examples/csharp/LinkClient.cs"].map(|file| prefix.join(file)));
    run_command(&mut compile, "")?;
    let mut start = Command::new("mono");
    start.arg(&program).env("LD_LIBRARY_PATH", prefix.join("lib"));
    Ok(start)
}

fn follow_a_server(client: &mut Command, prefix: &Path) -> Result<()> {
    let mut server = Command::new(prefix.join("link_server"));
    let mut server = server.arg("0").stdout(Stdio::piped()).spawn().context("starting link_server")?;
    let mut line = String::new();
    let output = server.stdout.take().context("it was started with a pipe")?;
    let stdout = BufReader::new(output)
        .read_line(&mut line)
        .map_err(Into::into)
        .and_then(|_| run_command(client.arg("127.0.0.1").arg(line.trim().trim_start_matches("port ")), ""));
    let ended = server.kill().and_then(|()| server.wait());
    println!("  {}: {}", client.get_program().to_string_lossy(), stdout?.trim());
    ended.map(drop).context("ending link_server")
}
