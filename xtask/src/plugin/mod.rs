//! `cargo xtask plugin` installs the Unreal plugin and this machine's library into a project, or creates the
//! sample project with both. It changes only files that are in the plugin's list (see `sync`).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use crate::{Built, Destination, Platform, abi_version, listed, root};
use contents::Contents;
use sync::List;

pub(crate) mod contents;
mod sync;

/// These folders are called the same in the repository and in a project.
const PLUGIN: &str = "NetClock";
const GAS: &str = "NetClockGAS";
const SAMPLE: &str = "Sample";

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
    let mut plan = PluginFiles::default();
    let project = match (&options.project, &options.sample) {
        (Some(project), _) => project_directory(project)?,
        (None, Some(sample)) => {
            let dir = std::path::absolute(sample).with_context(|| format!("{}", sample.display()))?;
            plan.add(&dir, "--sample", Contents::of_the_plugin(&of_the_repository(SAMPLE))?)?;
            dir
        }
        (None, None) => bail!("use --project or --sample"),
    };
    let option = if options.sample.is_some() { "--sample" } else { "--project" };
    if options.gas {
        let gas = Contents::of_the_plugin(&of_the_repository(GAS))?;
        plan.add(&project.join("Plugins").join(GAS), option, gas)?;
    }
    let mut contents = Contents::of_the_plugin(&of_the_repository(PLUGIN))?;
    contents.add_headers()?;
    contents.leave_out(&options.without, &root().join("target").join("plugin"))?;
    let dir = project.join("Plugins").join(PLUGIN);
    // The build takes a long time, so we fail early.
    plan.add(&dir, option, contents)?;

    let platform = Platform::of_this_machine(abi_version()?);
    let built = Built::build(options.release)?;
    plan.last_contents()?.add_library(&platform, &built)?;
    plan.carry_out()?;

    println!("Open or build the project. Unreal compiles the plugin with it.");
    if options.gas {
        println!("Enable {GAS} in the project; it is disabled by default.");
    }
    if !options.release {
        println!("This is a barely optimised development library. Use --release before shipping.");
    }
    Ok(ExitCode::SUCCESS)
}

fn of_the_repository(folder: &str) -> PathBuf {
    root().join("unreal_plugin").join(folder)
}

/// Nothing is installed before all parts have been checked.
#[derive(Default)]
struct PluginFiles(Vec<(Destination, List, Contents)>);

impl PluginFiles {
    fn add(&mut self, dir: &Path, option: &'static str, contents: Contents) -> Result<()> {
        let list = sync::read_list(dir)?;
        sync::refuse_obstacles(dir, &list, &contents)?;
        self.0.push((Destination { dir: dir.to_owned(), option }, list, contents));
        Ok(())
    }

    fn last_contents(&mut self) -> Result<&mut Contents> {
        self.0.last_mut().map(|(_, _, contents)| contents).context("the plugin was added last")
    }

    fn carry_out(&self) -> Result<()> {
        for (destination, list, contents) in &self.0 {
            sync::sync(destination, list, contents)?;
        }
        Ok(())
    }
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
