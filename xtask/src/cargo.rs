//! The Cargo that runs this, at the root of the workspace.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The directory of the workspace's `Cargo.toml`.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// `cargo`, by the path of the one that started us: another toolchain's would rebuild all.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    command
}
