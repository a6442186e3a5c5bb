//! Tests the plugin as a team gets it: the zip unpacked into a project and compiled there against the mock
//! engine.

use std::fs;

use anyhow::{Context, Result, ensure};

use super::Place;
use crate::cargo::cargo;
use crate::command::run as run_command;
use crate::dist::archives::{Archives, PLUGIN_DIRECTORY};
use crate::dist::product::Product;
use crate::plugin::contents::{LIBRARIES, LOADED};

/// The environment variable that makes the plugin's tests use a plugin other than the repository's.
const PLUGIN: &str = "NETCLOCK_UNREAL_PLUGIN";
/// The test that compiles every source of the plugin for the newest engine, and runs it in simulated worlds.
const TEST: [&str; 8] = [
    "test",
    // Uses the same options as `cargo xtask test`, so that nothing is rebuilt with different features.
    "--workspace",
    "--test",
    "unreal",
    "--",
    "--exact",
    "--nocapture",
    "promises::the_plugin_keeps_its_promises_as_5_8",
];
const PROJECT: &str = "{\n\t\"FileVersion\": 3,\n\t\"EngineAssociation\": \"5.8\",\n\
    \t\"Plugins\": [ { \"Name\": \"NetClock\", \"Enabled\": true } ]\n}\n";

pub(super) fn run(archives: &Archives, native: &Product, place: &Place) -> Result<()> {
    println!("unreal: using the plugin");
    let plugins = place.directory("project/Plugins")?;
    archives.unpack(&Archives::plugin_name(), &plugins)?;
    let project = plugins.with_file_name("Game.uproject");
    fs::write(&project, PROJECT).with_context(|| format!("writing {}", project.display()))?;
    let plugin = plugins.join(PLUGIN_DIRECTORY);
    // The test links the library in the first directory, and loads that in the second.
    for place in [LIBRARIES, LOADED].map(|it| plugin.join(it).join(native.platform.unreal)) {
        ensure!(place.is_dir(), "the plugin has no {}", place.display());
    }
    let said = run_command(
        cargo().args(TEST).env(PLUGIN, &plugin),
        "The plugin works from the repository; look for what the zip lacks.",
    )?;
    // If the test had been renamed, the run would pass because no test matches.
    ensure!(said.contains("1 passed"), "there is no test {}:\n{said}", TEST[7]);
    println!("  the plugin passes in a project with the packed library");
    Ok(())
}
