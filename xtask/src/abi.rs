//! Parses the ABI from the current sources or from a release.

use anyhow::{Result, anyhow};

use crate::command::{cmd, run};
use crate::{file_name, listed, read, root};

#[path = "../../build/abi.rs"]
#[expect(dead_code, reason = "the build script and xtask need different parts")]
mod model;
#[path = "../../build/spelling.rs"]
mod spelling;

pub(crate) use model::{Abi, Item, Kind, Room, Signature, Type, Variable};

pub(crate) const HEADERS: &str = "include/netclock";

/// Returns the names of the C and C++ headers, starting with `netclock.h`.
pub(crate) fn headers() -> Result<Vec<String>> {
    let names = listed(&root().join(HEADERS))?.into_iter().map(|path| file_name(&path));
    Ok(names.filter(|name| name.ends_with(".h") || name.ends_with(".hpp")).collect())
}

pub(crate) fn abi() -> Result<Abi> {
    Abi::of(|path| read(path).map_err(|error| format!("{error:#}")))
        .map_err(|error| anyhow!("src/ffi: {error}"))
}

pub(crate) fn abi_of(commit: &str) -> Result<Abi> {
    Abi::of(|path| run(cmd!("git show {commit}:{path}"), "").map_err(|error| format!("{error:#}")))
        .map_err(|error| anyhow!("src/ffi of {commit}: {error}"))
}

pub(crate) fn abi_version() -> Result<u32> {
    abi()?.version().map_err(|error| anyhow!(error))
}
