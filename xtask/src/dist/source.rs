//! Describes the commit that is built. All packed files have the commit's time.

use anyhow::{Context, Result, ensure};
use time::OffsetDateTime;

use crate::command::{cmd, run};
use crate::{VERSION, abi_version, read};

const LIBRARYS_MODULE: &str =
    "unreal_plugin/NetClock/Source/ThirdParty/NetClockLibrary/NetClockLibrary.Build.cs";

pub(super) struct Source {
    pub(super) commit: String,
    pub(super) time: OffsetDateTime,
}

impl Source {
    /// Fails if there are uncommitted changes, because nobody could reproduce the build.
    pub(super) fn read(allow_dirty: bool) -> Result<Self> {
        let advice = "Archives are made from a git checkout.";
        let changes = run(cmd!("git status --porcelain"), advice)?;
        if !changes.is_empty() {
            ensure!(
                allow_dirty,
                "the tree has uncommitted changes:\n{changes}\
                 Commit or stash them, or pass --allow-dirty for archives that will not be published"
            );
            println!("The tree has uncommitted changes. Do not publish these archives.");
        }
        let output = run(cmd!("git log -1 '--format=%H %ct'"), advice)?;
        let (commit, seconds) = output.trim().split_once(' ').context("git reports no commit")?;
        let time = OffsetDateTime::from_unix_timestamp(seconds.parse()?)?;
        Ok(Self { commit: commit.to_owned(), time })
    }

    /// Checks that all files state the same version. If `wanted` is given, the version must be `wanted`.
    pub(super) fn check_versions(&self, wanted: Option<&str>) -> Result<()> {
        if let Some(wanted) = wanted {
            let wanted = wanted.trim_start_matches('v');
            ensure!(wanted == VERSION, "Cargo.toml has version {VERSION}, not {wanted}");
        }
        for (file, line) in [
            ("include/netclock/netclock.h", format!("#define NETCLOCK_VERSION_STRING \"{VERSION}\"")),
            ("unreal_plugin/NetClock/NetClock.uplugin", format!("\"VersionName\": \"{VERSION}\"")),
            ("unreal_plugin/NetClockGAS/NetClockGAS.uplugin", format!("\"VersionName\": \"{VERSION}\"")),
            (LIBRARYS_MODULE, format!("AbiVersion = \"{}\";", abi_version()?)),
        ] {
            ensure!(
                read(file)?.contains(&line),
                "{file} does not contain {line}, but Cargo.toml has version {VERSION}"
            );
        }
        for tag in run(cmd!("git tag --points-at HEAD"), "")?.lines().filter(|tag| tag.starts_with('v')) {
            let ours = format!("v{VERSION}");
            ensure!(tag == ours, "the commit is tagged {tag}, but Cargo.toml has version {VERSION}");
        }
        Ok(())
    }
}
