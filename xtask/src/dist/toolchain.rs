//! The Rust that builds the libraries.
//!
//! Building the standard library without backtraces makes the library smaller by almost half. This requires
//! the standard library's sources, which are a package in Debian and a component in rustup.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::platforms::Platform;
use crate::command::run;

pub(super) struct Toolchain {
    pub(super) rustc: PathBuf,
    pub(super) cargo: PathBuf,
    /// The sources of the standard library. Without them, the toolchain's binary is used.
    pub(super) std_source: Option<PathBuf>,
    /// The output of `rustc --version`.
    pub(super) version: String,
}

/// The location of Debian's `rustc-web`, next to rustup's on the path.
const DEBIANS: &str = "/usr/bin";

impl Toolchain {
    /// The running toolchain or Debian's, whichever has the sources. If neither has them, the running one.
    pub(super) fn find() -> Result<Self> {
        let running = Self::running()?;
        if running.std_source.is_some() {
            return Ok(running);
        }
        let debians = Self::in_directory(Path::new(DEBIANS));
        Ok(debians.ok().filter(|debians| debians.std_source.is_some()).unwrap_or(running))
    }

    /// A toolchain that can build for all of these platforms.
    pub(super) fn find_for(platforms: &[&Platform]) -> Result<Self> {
        let found = Self::find()?;
        let targets = platforms.iter().flat_map(|platform| platform.targets()).map(|target| target.rust);
        let missing: Vec<&str> = targets.filter(|target| !found.has(target)).collect();
        ensure!(
            missing.is_empty(),
            "{} cannot build for {}.\nOn Debian, `cargo xtask dist --install-tools` installs Rust with the \
             sources of its standard library; with rustup, `rustup component add rust-src` or `rustup \
             target add {}` does",
            found.version,
            missing.join(", "),
            missing.join(" ")
        );
        Ok(found)
    }

    fn running() -> Result<Self> {
        let cargo = PathBuf::from(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let beside = cargo.parent().map(Path::to_owned).unwrap_or_default();
        Self::in_directory(&beside)
    }

    fn in_directory(dir: &Path) -> Result<Self> {
        let rustc = dir.join("rustc");
        let ask = |question: &[&str]| {
            let answer = run(Command::new(&rustc).args(question), "This is no working rustc.")?;
            Ok::<_, anyhow::Error>(answer.trim().to_owned())
        };
        let version = ask(&["--version"])?;
        let sysroot = PathBuf::from(ask(&["--print", "sysroot"])?);
        let source = sysroot.join("lib/rustlib/src/rust");
        // In Debian it is a link, but compilers record real paths.
        let source = source.join("library/std").is_dir().then(|| source.canonicalize()).transpose();
        let std_source = source.context("following the link to the standard library's sources")?;
        Ok(Self { cargo: dir.join("cargo"), rustc, std_source, version })
    }

    /// Its version number.
    pub(super) fn release(&self) -> &str {
        self.version.split_whitespace().nth(1).unwrap_or_default()
    }

    /// Whether it can build for a target.
    fn has(&self, target: &str) -> bool {
        let installed = || {
            let question = ["--print", "target-libdir", "--target", target];
            let said = run(Command::new(&self.rustc).args(question), "").ok()?;
            Some(Path::new(said.trim()).is_dir())
        };
        self.std_source.is_some() || installed().unwrap_or(false)
    }
}
