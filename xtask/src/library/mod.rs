//! Builds the library for users with Cargo, and defines what its files are called on each system.

use anyhow::{Result, anyhow};

use crate::abi;

mod built;
mod platform;

pub(crate) use built::Built;
pub(crate) use platform::{Platform, VERSION};

pub(crate) fn abi_version() -> Result<u32> {
    abi()?.version().map_err(|error| anyhow!(error))
}
