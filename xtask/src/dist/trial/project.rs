//! The plugin as a team gets it: the zip unpacked into a project, and compiled there against the engine
//! double.

use std::fs;

use anyhow::{Context, Result, ensure};

use super::Place;
use crate::cargo::cargo;
use crate::command::run as run_command;
use crate::dist::archives::{Archives, PLUGIN_DIRECTORY};
use crate::dist::product::Product;
use crate::plugin::contents::LIBRARIES;

/// By this variable the tests of the plugin take another one than the repository's.
const PLUGIN: &str = "NETCLOCK_UNREAL_PLUGIN";
/// The test that compiles every source of the plugin, as the newest engine, and runs it in simulated worlds.
const TEST: [&str; 8] = [
    "test",
    // As `cargo xtask test` builds it, so that nothing is built a second time with other features.
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
    let library = plugin.join(LIBRARIES).join(native.platform.unreal).join("libnetclock.so");
    ensure!(library.is_file(), "the plugin has no {}", library.display());
    let said = run_command(
        cargo().args(TEST).env(PLUGIN, &plugin),
        "The plugin works from the repository; look for what the zip lacks.",
    )?;
    // A test that was renamed would pass by not being there.
    ensure!(said.contains("1 passed"), "there is no test {}:\n{said}", TEST[7]);
    println!("  the plugin keeps its promises in a project, with the packed library");
    Ok(())
}
