//! The ABI and the size of a release, as text: what the next release is compared with.
//!
//! A line is a function with its types, a constant, or a field of a structure with its place in it. Programs
//! that were compiled with the older header need every line of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::cargo::root;
use crate::{dist, library};

const FILE: &str = "packaging/last-release.txt";
/// How much a library may grow from one release to the next without a word about it (percent).
const GROWTH: u64 = 5;

pub(super) struct Snapshot {
    /// The version of the ABI.
    abi: u64,
    /// Code and data of the shared library for Linux, x64 (bytes); unknown where it cannot be built.
    size: Option<u64>,
    lines: BTreeSet<String>,
}

impl Snapshot {
    pub(super) fn now() -> Result<Self> {
        let lines = dist::abi_lines()?.into_iter().collect();
        let size = dist::shipped_libraries().and_then(|made| crate::size::total(&made.whole)).ok();
        Ok(Self { abi: u64::from(library::abi_version()?), size, lines })
    }

    pub(super) fn of_the_last_release() -> Result<Option<Self>> {
        let path = path();
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("in {FILE}")).map(Some)
    }

    pub(super) fn write(&self) -> Result<()> {
        ensure!(self.size.is_some(), "the library could not be built to measure it: try `cargo xtask size`");
        let (path, new) = (path(), path().with_extension("new"));
        fs::write(&new, self.text()).with_context(|| format!("writing {}", new.display()))?;
        fs::rename(&new, &path).with_context(|| format!("writing {}", path.display()))?;
        println!("wrote {FILE}: commit it");
        Ok(())
    }

    /// Fails if a program that was compiled for the older one would not run, or if the library grew much.
    pub(super) fn serves_programs_of(&self, last: &Self) -> Result<String> {
        let gone: Vec<&String> = last.lines.difference(&self.lines).collect();
        ensure!(
            gone.is_empty() || self.abi > last.abi,
            "programs compiled for the last release need these, which are gone or changed: {gone:#?}\n\
             Restore them, or raise NETCLOCK_ABI_VERSION"
        );
        if let (Some(now), Some(before)) = (self.size, last.size) {
            ensure!(
                now * 100 <= before * (100 + GROWTH),
                "the library grew from {before} to {now} bytes: explain it in docs/cost.md and \
                 CHANGELOG.md, and store the \
                 new size in {FILE}"
            );
        }
        let new = self.lines.difference(&last.lines).count();
        Ok(format!(
            "all {} lines of the last release's ABI are there, {new} are new",
            last.lines.len() - gone.len()
        ))
    }

    fn text(&self) -> String {
        let size = self.size.map(|size| format!("size {size}\n")).unwrap_or_default();
        let lines: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        format!("abi {}\n{size}{lines}", self.abi)
    }

    fn parse(text: &str) -> Result<Self> {
        let number = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.parse().ok());
        let is_head = |line: &str| line.starts_with("abi ") || line.starts_with("size ");
        Ok(Self {
            abi: number("abi ").context("it does not begin with the version of the ABI")?,
            size: number("size "),
            lines: text.lines().filter(|line| !is_head(line)).map(str::to_owned).collect(),
        })
    }
}

fn path() -> PathBuf {
    root().join(FILE)
}
