//! `cargo xtask plugin` installs the Unreal plugin and this machine's library into a project, or creates the
//! sample project with both. It replaces only files that it has installed.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use crate::tree::{Entry, Tree, place};
use crate::{Built, Platform, abi_version, listed};
use contents::{
    LIBRARIES, LOADED, leave_out, library_files, of_the_repository, unreals_name_of_this_machine,
};

pub(crate) mod contents;

/// The names of the installed files, one per line. The command replaces and removes only these.
const LIST: &str = ".netclock-installed";

/// Destination and content.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The directory of the project's .uproject file; edits of installed files are lost
    #[arg(long, required_unless_present = "sample")]
    project: Option<PathBuf>,
    /// Create the sample project with the plugin in this directory, which must be empty
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
    let project = match (&options.sample, &options.project) {
        (Some(sample), _) => empty_directory(sample)?,
        (None, Some(project)) => project_directory(project)?,
        (None, None) => bail!("use --project or --sample"),
    };
    let names = if options.gas { &["NetClockGAS", "NetClock"][..] } else { &["NetClock"] };
    let mut parts = Vec::new();
    for name in names {
        let dir = project.join("Plugins").join(name);
        let tree = of_the_repository(name)?;
        refuse_obstacles(&dir, &tree)?;
        parts.push((dir, tree));
    }
    let (_, plugin) = parts.last_mut().context("NetClock is always installed")?;
    leave_out(plugin, &options.without)?;

    let platform = Platform::of_this_machine(abi_version()?);
    let built = Built::build(options.release)?;
    for (path, source) in library_files(&platform, unreals_name_of_this_machine()?)? {
        plugin.add(&path, fs::read(built.file(source)?)?);
    }
    if options.sample.is_some() {
        parts.insert(0, (project, of_the_repository("Sample")?));
    }
    for (dir, tree) in parts {
        replace(&dir, &tree)?;
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

/// Returns the names of the files that this command has installed.
fn installed(dir: &Path) -> BTreeSet<String> {
    fs::read_to_string(dir.join(LIST)).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Fails if the update would replace a file that this command has not installed.
fn refuse_obstacles(dir: &Path, tree: &Tree) -> Result<()> {
    let ours = installed(dir);
    let is_there = |name: &&String| dir.join(name).symlink_metadata().is_ok();
    let foreign = tree.entries.keys().filter(|name| !ours.contains(*name)).find(is_there);
    let foreign = foreign.map(|name| dir.join(name)).or_else(|| dir.is_symlink().then(|| dir.to_owned()));
    ensure!(
        foreign.is_none(),
        "{} was not installed by this command: move or delete it, and run this again",
        foreign.unwrap_or_default().display()
    );
    Ok(())
}

/// Does not rewrite unchanged files, because Unreal would compile them again. Removes the files of an older
/// plugin, but keeps libraries that other machines have installed for their platforms.
fn replace(dir: &Path, tree: &Tree) -> Result<()> {
    let ours = installed(dir);
    let is_kept = |name: &&String| name.starts_with(LIBRARIES) || name.starts_with(LOADED);
    let (kept, old): (Vec<_>, Vec<_>) =
        ours.iter().filter(|name| !tree.entries.contains_key(*name)).partition(is_kept);
    let mut written = 0;
    for (name, entry) in &tree.entries {
        let path = dir.join(name);
        if fs::read(&path).ok().as_deref() != Some(entry.content()) {
            place(&path, entry)?;
            written += 1;
        }
    }
    for name in old {
        // Users may have edited the list, so its paths may leave this directory.
        if Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
            println!("  {name} (removed: from an older plugin)");
            let _gone_already = fs::remove_file(dir.join(name));
        }
    }
    let names: String = tree.entries.keys().chain(kept).map(|name| format!("{name}\n")).collect();
    place(&dir.join(LIST), &Entry::File(names.into_bytes()))?;
    println!("{written} files written in {}", dir.display());
    Ok(())
}

fn empty_directory(given: &Path) -> Result<PathBuf> {
    let dir = std::path::absolute(given).with_context(|| format!("{}", given.display()))?;
    let is_empty = || fs::read_dir(&dir).is_ok_and(|mut entries| entries.next().is_none());
    ensure!(!dir.exists() || is_empty(), "{} is not empty: choose another --sample", dir.display());
    Ok(dir)
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
