//! Finds the tools, and a Rust toolchain with the standard library's sources. We build the standard library
//! without backtraces, because this almost halves our library's size.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::Platform;
use crate::command::{cmd, on_path, run};
use crate::target_dir;

/// With a fixed version, all machines build the same library.
const ZIG: &str = "0.17.1";
const ENVIRONMENT: &str = "dist-tools";

const TOOLS: &str = include_str!("../../../packaging/tools.txt");

pub(super) struct Tools {
    /// The command for zig, or an empty list if no platform needs it.
    pub(super) zig: Vec<OsString>,
}

impl Tools {
    /// If packages are missing, a single error lists all of them.
    pub(super) fn find(platforms: &[&Platform]) -> Result<Self> {
        let is_needed = |of: &str| match of {
            "all" => true,
            "native" => platforms.iter().any(|platform| platform.is_this_machine()),
            name => platforms.iter().any(|platform| platform.name == name),
        };
        let mut missing = String::new();
        for line in TOOLS.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(' ').collect();
            let [of, program, package] = words[..] else { bail!("`{line}` does not have three words") };
            if is_needed(of) && !on_path(program) {
                missing += &format!("  {program}: apt-get install {package}\n");
            }
        }
        let needs_zig = platforms.iter().any(|platform| platform.is_linked_by_zig());
        let zig = if needs_zig { zig()? } else { Some(Vec::new()) };
        if zig.is_none() {
            let environment = target_dir()?.join(ENVIRONMENT).display().to_string();
            missing += &format!(
                "  zig {ZIG}: python3 -m venv {environment} && {environment}/bin/pip install ziglang=={ZIG}\n"
            );
        }
        ensure!(missing.is_empty(), "tools are missing:\n{missing}");
        Ok(Self { zig: zig.unwrap_or_default() })
    }

    pub(super) fn zigs_library(&self) -> Result<PathBuf> {
        let zig = &self.zig;
        let output = run(cmd!("env {zig...} env"), "zig does not work.")?;
        let line = output.lines().find_map(|line| line.trim().strip_prefix(".lib_dir = \""));
        let path = line.and_then(|rest| rest.split('"').next());
        path.map(PathBuf::from).context("zig does not report its location")
    }
}

fn zig() -> Result<Option<Vec<OsString>>> {
    let python = target_dir()?.join(ENVIRONMENT).join("bin/python3").into_os_string();
    let candidates = [vec!["zig".into()], vec![python, "-m".into(), "ziglang".into()]];
    Ok(candidates.into_iter().find(|words| {
        let version = run(cmd!("env {words...} version"), "");
        version.is_ok_and(|version| version.trim() == ZIG)
    }))
}

pub(super) struct Toolchain {
    pub(super) rustc: PathBuf,
    pub(super) cargo: PathBuf,
    pub(super) version: String,
}

/// Debian's package `rustc-web` installs its tools here, but rustup's tools may come first on the path.
const DEBIANS: &str = "/usr/bin";

impl Toolchain {
    /// Returns the toolchain that runs this program if it includes the standard library's sources, or else
    /// Debian's toolchain.
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
            let answer = run(cmd!("{rustc} {question...}"), "rustc does not work.")?;
            anyhow::Ok(answer.trim().to_owned())
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
