//! The ABI as data, of the sources as they are here or as a release had them.

use std::process::Command;

use anyhow::{Result, anyhow};

use crate::cargo::{file_name, listed, read, root};
use crate::command::run;

#[path = "../../build/abi.rs"]
#[expect(dead_code, reason = "the build script and xtask need different parts")]
mod model;
#[path = "../../build/spelling.rs"]
mod spelling;

pub(crate) use model::{Abi, Item, Kind, Room, Signature, Type, Variable};

/// Where the headers are, here and below the prefix of an installation.
pub(crate) const HEADERS: &str = "include/netclock";

/// The names of all headers, those for C++ included. `netclock.h` is the first.
pub(crate) fn headers() -> Result<Vec<String>> {
    let names = listed(&root().join(HEADERS))?.into_iter().map(|path| file_name(&path));
    Ok(names.filter(|name| name.ends_with(".h") || name.ends_with(".hpp")).collect())
}

/// What the sources declare.
pub(crate) fn abi() -> Result<Abi> {
    Abi::of(|path| read(path).map_err(|error| format!("{error:#}")))
        .map_err(|error| anyhow!("src/ffi: {error}"))
}

/// What the sources of this commit declare.
pub(crate) fn abi_of(commit: &str) -> Result<Abi> {
    let show = |path: &str| run(Command::new("git").current_dir(root()).args(["show", path]), "");
    Abi::of(|path| show(&format!("{commit}:{}", path.display())).map_err(|error| format!("{error:#}")))
        .map_err(|error| anyhow!("src/ffi of {commit}: {error}"))
}
