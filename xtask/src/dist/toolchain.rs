//! Finds a Rust toolchain with the standard library's sources. We build the standard library without
//! backtraces, which almost halves the library's size.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::run;

pub(super) struct Toolchain {
    pub(super) rustc: PathBuf,
    pub(super) cargo: PathBuf,
    pub(super) version: String,
}

/// Debian's package `rustc-web` installs its tools here, but rustup's tools may come first on the path.
const DEBIANS: &str = "/usr/bin";

impl Toolchain {
    /// Returns the toolchain that runs this program if it has these sources, or else Debian's.
    pub(super) fn find() -> Result<Self> {
        let cargo = PathBuf::from(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let running = cargo.parent().unwrap_or(Path::new(""));
        Self::in_directory(running).or_else(|_| Self::in_directory(Path::new(DEBIANS))).context(
            "the sources of Rust's standard library are missing: `rustup component add rust-src`, or on \
             Debian `apt-get install rustc-web cargo-web rust-web-src`",
        )
    }

    fn in_directory(dir: &Path) -> Result<Self> {
        let (rustc, cargo) = (dir.join("rustc"), dir.join("cargo"));
        let ask = |question: &[&str]| {
            let answer = run(Command::new(&rustc).args(question), "rustc does not work.")?;
            Ok::<_, anyhow::Error>(answer.trim().to_owned())
        };
        let source = Path::new(&ask(&["--print", "sysroot"])?).join("lib/rustlib/src/rust/library/std");
        ensure!(source.is_dir(), "{} does not exist", source.display());
        let version = ask(&["--version"])?;
        Ok(Self { rustc, cargo, version })
    }

    pub(super) fn release(&self) -> &str {
        self.version.split_whitespace().nth(1).unwrap_or_default()
    }
}
