//! Describes the commit that is built. All packed files get the commit's time.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use zip::DateTime;

use crate::command::run;
use crate::{VERSION, abi_version, root};

const LIBRARYS_MODULE: &str =
    "unreal_plugin/NetClock/Source/ThirdParty/NetClockLibrary/NetClockLibrary.Build.cs";

pub(super) struct Source {
    pub(super) commit: String,
    pub(super) time: Time,
}

pub(super) struct Time {
    pub(super) seconds: u64,
    /// This is UTC, because zip files do not store time zones.
    pub(super) for_zip: DateTime,
}

impl Source {
    /// Fails if there are uncommitted changes, because nobody could reproduce the build.
    pub(super) fn read(allow_dirty: bool) -> Result<Self> {
        let changes = git(&["status", "--porcelain"])?;
        if !changes.is_empty() {
            ensure!(
                allow_dirty,
                "the tree has uncommitted changes:\n{changes}\
                 Commit or stash them, or pass --allow-dirty for archives that will not be published"
            );
            println!("The tree has uncommitted changes. Do not publish these archives.");
        }
        let output = git(&["log", "-1", "--format=%H %ct %cd", "--date=format-local:%Y %m %d %H %M %S"])?;
        let mut words = output.split_whitespace();
        let commit = words.next().context("git reports no commit")?.to_owned();
        let numbers: Vec<u64> =
            words.map(str::parse).collect::<Result<_, _>>().context("git reports no commit time")?;
        let [seconds, year, month, day, hour, minute, second] = numbers[..] else {
            bail!("git reports an invalid commit time: {output}")
        };
        let [month, day, hour, minute, second] =
            [month, day, hour, minute, second].map(|it| u8::try_from(it).unwrap_or(0));
        let for_zip = DateTime::from_date_and_time(year.try_into()?, month, day, hour, minute, second)
            .context("the commit's time is before 1980, which zip files cannot represent")?;
        Ok(Self { commit, time: Time { seconds, for_zip } })
    }

    /// Checks that all files state the same version, which must be `wanted` if that is given.
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
            let path = root().join(file);
            let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            ensure!(
                text.contains(&line),
                "{file} does not contain {line}, but Cargo.toml has version {VERSION}"
            );
        }
        for tag in git(&["tag", "--points-at", "HEAD"])?.lines().filter(|tag| tag.starts_with('v')) {
            if tag != format!("v{VERSION}") {
                bail!("the commit is tagged {tag}, but Cargo.toml has version {VERSION}");
            }
        }
        Ok(())
    }
}

fn git(arguments: &[&str]) -> Result<String> {
    run(
        Command::new("git").current_dir(root()).env("TZ", "UTC").args(arguments),
        "Archives are made from a git checkout.",
    )
}
