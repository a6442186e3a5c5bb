//! Tests this machine's archive and the plugin with the repository's tests and each language's quick-start
//! program.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use super::place;
use crate::command::{cmd, run as run_command};
use crate::dist::wheel;
use crate::dist::{Archives, PLUGIN_DIRECTORY, Product};
use crate::plugin::contents::{LIBRARIES, LOADED};

/// These environment variables make tests use the unpacked archive or plugin.
const PREFIX: &str = "NETCLOCK_PREFIX";
const PLUGIN: &str = "NETCLOCK_UNREAL_PLUGIN";
/// This test compiles all sources of the plugin for the newest engine and runs them in simulated worlds.
const PROMISES: &str = "promises::the_plugin_keeps_its_promises_as_5_8";
const PROJECT: &str = "{\n\t\"FileVersion\": 3,\n\t\"EngineAssociation\": \"5.8\",\n\
    \t\"Plugins\": [ { \"Name\": \"NetClock\", \"Enabled\": true } ]\n}\n";

pub(super) fn run(archives: &Archives, product: &Product, prefix: &Path) -> Result<()> {
    // These tests build C and C++ programs with both kinds of libraries, and projects for CMake and make.
    tests("c", &["programs::", "examples::"], PREFIX, prefix)?;
    tests("tools", &["packaging::"], PREFIX, prefix)?;
    readme(prefix)?;
    follow_a_server(cmd!("{prefix}/link_client"), prefix)?;
    follow_a_server(python(archives, product)?, prefix)?;
    follow_a_server(csharp(prefix)?, prefix)
}

/// Unpacks the plugin's zip into a project and compiles it there with the engine double.
pub(super) fn project(archives: &Archives, native: &Product) -> Result<()> {
    println!("unreal: using the plugin");
    let plugins = place("project/Plugins")?;
    archives.unpack(&Archives::plugin_name(), &plugins)?;
    let project = plugins.with_file_name("Game.uproject");
    fs::write(project, PROJECT)?;
    let plugin = plugins.join(PLUGIN_DIRECTORY);
    // Unreal links the library in the first directory and loads the library in the second.
    for place in [LIBRARIES, LOADED].map(|it| plugin.join(it).join(native.platform.unreal)) {
        ensure!(place.is_dir(), "the plugin has no {}", place.display());
    }
    tests("unreal", &["--exact", PROMISES], PLUGIN, &plugin)
}

fn tests(program: &str, filters: &[&str], variable: &str, dir: &Path) -> Result<()> {
    // Use the same options as `cargo xtask test`, so that Cargo does not rebuild anything.
    let mut test = cmd!("cargo test --workspace --test {program} -- {filters...}");
    let advice = "The tests pass in the repository, so something is missing from the archive.";
    let stdout = run_command(test.env(variable, dir), advice)?;
    let passed = stdout.lines().find(|line| line.starts_with("test result: ok")).unwrap_or_default();
    // Cargo succeeds even if no test matches the filter, for example because the test has been renamed.
    ensure!(!passed.is_empty() && !passed.contains(" 0 passed"), "no test {filters:?}:\n{stdout}");
    println!("  {program} {}: {passed}", filters.join(" "));
    Ok(())
}

fn readme(prefix: &Path) -> Result<()> {
    let readme = fs::read_to_string(prefix.join("README.md"))?;
    let commands = readme.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let commands = commands.context("the archive's README.md has no commands")?;
    run_command(cmd!("sh -ec {commands}").current_dir(prefix), "").map(drop)
}

fn python(archives: &Archives, product: &Product) -> Result<Command> {
    let dir = place("python")?;
    let name = wheel::name(product.platform).context("Python runs here")?;
    fs::write(dir.join(&name), archives.get(&name)?)?;
    run_command(cmd!("python3 -m venv {dir}/venv"), "On Debian, install python3-venv.")?;
    run_command(cmd!("{dir}/venv/bin/pip install --quiet --no-index --no-deps {dir}/{name}"), "")?;
    println!("  {}", run_command(cmd!("{dir}/venv/bin/python -B tests/packaging/smoke.py"), "")?.trim());
    Ok(cmd!("{dir}/venv/bin/python -B examples/python/link_client.py"))
}

fn csharp(prefix: &Path) -> Result<Command> {
    let program = place("csharp")?.join("LinkClient.exe");
    let sources = ["csharp/NetClock.cs", "examples/csharp/LinkClient.cs"].map(|file| prefix.join(file));
    run_command(cmd!("mcs -warnaserror -out:{program} {sources...}"), "")?;
    let mut start = cmd!("mono {program}");
    start.env("LD_LIBRARY_PATH", prefix.join("lib"));
    Ok(start)
}

fn follow_a_server(mut client: Command, prefix: &Path) -> Result<()> {
    let mut server = cmd!("{prefix}/link_server 0").stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().context("it is piped")?).read_line(&mut line)?;
    let printed = run_command(client.args(["127.0.0.1", line.trim().trim_start_matches("port ")]), "");
    server.kill().and_then(|()| server.wait())?;
    println!("  {}: {}", client.get_program().to_string_lossy(), printed?.trim());
    Ok(())
}
