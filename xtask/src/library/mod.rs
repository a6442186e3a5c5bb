//! The library as users get it: built by Cargo, with the file names of each system.

use std::fs;

use anyhow::{Context, Result};

use crate::cargo::root;

mod built;
mod platform;

pub(crate) use built::Built;
pub(crate) use platform::{Platform, VERSION};

/// The version of the ABI, as the installed header states it.
pub(crate) fn abi_version() -> Result<u32> {
    const DEFINE: &str = "#define NETCLOCK_ABI_VERSION ";
    let path = root().join("include/netclock/netclock.h");
    let header = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let version = header.lines().find_map(|line| line.strip_prefix(DEFINE)).unwrap_or_default();
    version.trim().parse().with_context(|| format!("{} has no line `{DEFINE}N`", path.display()))
}
