//! What is packed: one commit of the repository, whose time all packed files have.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::command::run;
use crate::cargo::root;
use crate::library::VERSION;

pub(super) struct Source {
    pub(super) commit: String,
    /// When it was committed (seconds since 1970).
    pub(super) time: u64,
}

impl Source {
    /// The commit that is checked out. A tree with changes is refused, because nobody could build the same
    /// from it.
    pub(super) fn read(allow_dirty: bool) -> Result<Self> {
        let changes = git(&["status", "--porcelain"])?;
        if !changes.is_empty() {
            ensure!(
                allow_dirty,
                "the tree has changes that are in no commit:\n{changes}\
                 Commit or stash them, or add --allow-dirty for archives that are not to be published"
            );
            println!("The tree has changes that are in no commit: these archives are not to be published.");
        }
        let said = git(&["log", "-1", "--format=%H %ct"])?;
        let (commit, time) = said.trim().split_once(' ').context("git names no commit")?;
        Ok(Self { commit: commit.to_owned(), time: time.parse().context("git gives no time")? })
    }

    /// Every place that states a version states the same one: `wanted`, if the caller names one.
    pub(super) fn check_versions(&self, wanted: Option<&str>) -> Result<()> {
        if let Some(wanted) = wanted {
            let wanted = wanted.trim_start_matches('v');
            ensure!(wanted == VERSION, "Cargo.toml says version {VERSION}, not {wanted}");
        }
        for (file, line) in [
            ("include/netclock/netclock.h", format!("#define NETCLOCK_VERSION_STRING \"{VERSION}\"")),
            ("unreal_plugin/NetClock/NetClock.uplugin", format!("\"VersionName\": \"{VERSION}\"")),
            ("unreal_plugin/NetClockGAS/NetClockGAS.uplugin", format!("\"VersionName\": \"{VERSION}\"")),
        ] {
            let path = root().join(file);
            let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            ensure!(text.contains(&line), "{file} does not say {line}: Cargo.toml says version {VERSION}");
        }
        for tag in git(&["tag", "--points-at", "HEAD"])?.lines().filter(|tag| tag.starts_with('v')) {
            if tag != format!("v{VERSION}") {
                bail!("the commit is tagged {tag}, but Cargo.toml says version {VERSION}");
            }
        }
        Ok(())
    }
}

fn git(arguments: &[&str]) -> Result<String> {
    run(Command::new("git").current_dir(root()).args(arguments), "Archives are made from a git checkout.")
}
