//! `cargo xtask plugin` installs the Unreal plugin and this machine's library into a project, or creates the
//! sample project with both. It changes only files that are in the plugin's list (see `sync`).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use crate::tree::{Destination, Tree};
use crate::{Built, Platform, abi_version, listed};
use contents::{leave_out, library_files, of_the_repository, unreals_name_of_this_machine};
use sync::{read_list, refuse_obstacles, sync};

pub(crate) mod contents;
mod sync;

/// Destination and content.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The directory of the project's .uproject file
    #[arg(long, required_unless_present = "sample")]
    project: Option<PathBuf>,
    /// Create the sample project with the plugin in this directory
    #[arg(long, conflicts_with = "project")]
    sample: Option<PathBuf>,
    /// Add the plugin for Gameplay Abilities
    #[arg(long)]
    gas: bool,
    /// Leave a module out of the plugin; can be repeated
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Install an optimised library
    #[arg(long)]
    release: bool,
}

pub(crate) fn plugin(options: &Options) -> Result<ExitCode> {
    let mut parts: Vec<(PathBuf, Tree)> = Vec::new();
    let (project, option) = match &options.sample {
        Some(sample) => {
            let dir = std::path::absolute(sample).with_context(|| format!("{}", sample.display()))?;
            parts.push((dir.clone(), of_the_repository("Sample")?));
            (dir, "--sample")
        }
        None => {
            (project_directory(options.project.as_ref().context("use --project or --sample")?)?, "--project")
        }
    };
    if options.gas {
        parts.push((project.join("Plugins/NetClockGAS"), of_the_repository("NetClockGAS")?));
    }
    let (dir, mut plugin) = (project.join("Plugins/NetClock"), of_the_repository("NetClock")?);
    leave_out(&mut plugin, &options.without)?;
    // The build takes a long time, so we fail early. Nothing is installed before all parts have been checked.
    refuse_obstacles(&dir, &read_list(&dir)?, &plugin)?;
    for (dir, tree) in &parts {
        refuse_obstacles(dir, &read_list(dir)?, tree)?;
    }

    let platform = Platform::of_this_machine(abi_version()?);
    let built = Built::build(options.release)?;
    for (path, source) in library_files(&platform, unreals_name_of_this_machine()?)? {
        plugin.add(&path, fs::read(built.file(source)?)?);
    }
    parts.push((dir, plugin));
    for (dir, tree) in parts {
        sync(&Destination { dir, option }, &tree)?;
    }

    println!("Open or build the project. Unreal compiles the plugin with it.");
    if options.gas {
        println!("Enable NetClockGAS in the project; it is disabled by default.");
    }
    if !options.release {
        println!("This is a barely optimised development library. Use --release before shipping.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The path may be the project's directory or its .uproject file.
fn project_directory(given: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(given).with_context(|| format!("{}", given.display()))?;
    if is_project_file(&path) && path.is_file() {
        return Ok(path.parent().context("a file is in a directory")?.to_owned());
    }
    ensure!(path.is_dir(), "{} is not a directory: use the directory of an Unreal project", path.display());
    ensure!(
        listed(&path)?.iter().any(|file| is_project_file(file) && file.is_file()),
        "{} is not an Unreal project, because it contains no .uproject file",
        path.display()
    );
    Ok(path)
}

fn is_project_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("uproject"))
}
