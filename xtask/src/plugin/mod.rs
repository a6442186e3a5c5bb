//! `cargo xtask plugin`: puts the Unreal plugin, with the library for this machine, into an Unreal project.
//!
//! It owns only the files that its list in the project names: see `list` and `sync`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::root;
use crate::destination::Destination;
use crate::library::{Built, Platform, abi_version};
use contents::Contents;
use list::List;

pub(crate) mod contents;
mod list;
mod sync;

/// Where the plugin goes in a project.
const PLACE: &str = "Plugins/NetClock";

pub(crate) fn plugin(project: &Path, release: bool) -> Result<ExitCode> {
    let project = project_directory(project)?;
    let dir = project.join(PLACE);
    let platform = Platform::of_this_machine(abi_version()?);
    let mut contents = Contents::of_the_plugin(&root().join("unreal_plugin/NetClock"))?;
    contents.add_header(&root().join("include/netclock/netclock.h"));
    // Checked first, because the build takes long.
    let list = List::read(&dir)?;
    sync::refuse_obstacles(&dir, &list, &contents)?;

    let built = Built::build(release)?;
    contents.add_library(&platform, &built)?;
    let destination = Destination { dir, option: "--project" };
    let report = sync::sync(&destination, &list, &contents)?;

    println!("{} in {}", report, destination.dir.display());
    println!("Open the project, or build it: Unreal compiles the plugin along.");
    if !release {
        println!("This is a library for development, hardly optimised: add --release for one to ship.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The directory of the project: the given path, or the directory of the given .uproject file.
fn project_directory(given: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(given).with_context(|| format!("{}", given.display()))?;
    if is_project_file(&path) && path.is_file() {
        return Ok(path.parent().context("a file lies in a directory")?.to_owned());
    }
    ensure!(path.is_dir(), "{} is no directory: give that of an Unreal project", path.display());
    for entry in fs::read_dir(&path).with_context(|| format!("reading {}", path.display()))? {
        let file = entry.with_context(|| format!("reading {}", path.display()))?.path();
        if is_project_file(&file) && file.is_file() {
            return Ok(path);
        }
    }
    bail!(
        "{} is no Unreal project: there is no .uproject file in it. Give the directory that has one",
        path.display()
    )
}

fn is_project_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("uproject"))
}
