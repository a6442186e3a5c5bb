//! `cargo xtask release --check` checks whether a version can be published.
//!
//! After a failed check, the other checks still run, so that a single run lists everything that is missing.
//! At each push, `.github/workflows/ci.yml` also checks the oldest supported Rust version and the
//! dependencies.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;

use crate::abi::abi_of;
use crate::command::{cmd, on_path, run};
use crate::dist;
use crate::{Item, Kind, VERSION, Variable, abi, read};

#[derive(Args)]
pub(crate) struct Options {
    /// Check whether this version can be published; exits with 1 if anything is missing
    #[arg(long, required = true)]
    check: bool,
    /// Fail unless this is the version, such as 0.1.0
    #[arg(long)]
    version_is: Option<String>,
}

pub(crate) fn release(options: &Options) -> Result<ExitCode> {
    let checks = [
        ("versions", dist::check_versions(options.version_is.as_deref()).map(|()| VERSION.to_owned())),
        ("changelog", read("CHANGELOG.md").and_then(|text| entry(&text, VERSION))),
        ("C ABI", c_abi()),
        ("Rust API", rust_api()),
        ("package", run(cmd!("cargo publish --dry-run --package netclock --locked"), "")),
        ("owner", dist::check_addresses().map(|()| "the plugins' addresses".to_owned())),
    ];
    let mut failed = 0;
    for (name, check) in checks {
        match check {
            Ok(detail) => println!("{name:>12}  ok: {}", detail.trim()),
            Err(error) => {
                failed += 1;
                println!("{name:>12}  FAILED: {error:#}");
            }
        }
    }
    if failed > 0 {
        eprintln!("error: {VERSION} cannot be published: {failed} checks failed");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn entry(changelog: &str, version: &str) -> Result<String> {
    let title = format!("## {version}");
    let is_title = |line: &&str| **line == title || line.starts_with(&format!("{title} "));
    let mut lines = changelog.lines();
    ensure!(
        lines.by_ref().any(|line| is_title(&line)),
        "CHANGELOG.md has no heading `{title}`: rename `## Unreleased` to it"
    );
    let entry = lines.take_while(|line| !line.starts_with("## "));
    let count = entry.filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count();
    ensure!(count > 0, "CHANGELOG.md has no entry `{title}`");
    Ok(format!("{count} lines about {version}"))
}

/// Checks that programs compiled with the last release's headers still run.
fn c_abi() -> Result<String> {
    let Ok(tag) = run(cmd!("git describe --tags --abbrev=0 --match v* HEAD^"), "") else {
        return Ok("not checked, because there is no release to compare with".to_owned());
    };
    let tag = tag.trim();
    let (last, now) = (abi_of(tag)?, abi()?);
    let kept: BTreeSet<String> = now.items().flat_map(needed).collect();
    let gone: Vec<String> = last.items().flat_map(needed).filter(|it| !kept.contains(it)).collect();
    let versions = (last.version(), now.version());
    ensure!(
        gone.is_empty() || versions.1 > versions.0,
        "programs compiled for {tag} need these, which are missing or have changed: {gone:#?}\n\
         Restore them, or raise NETCLOCK_ABI_VERSION"
    );
    Ok(format!("programs compiled for {tag} find everything they need"))
}

/// Returns the values, types and field positions that compiled programs rely on.
fn needed(item: &Item) -> Vec<String> {
    let name = &item.name;
    match &item.kind {
        Kind::Structure(fields) => {
            let field = |(at, field): (usize, &Variable)| format!("{name}.{at}: {}", field.declared());
            fields.iter().enumerate().map(field).collect()
        }
        Kind::Function(of) | Kind::Callback(of) => {
            let kinds: Vec<&str> = of.parameters.iter().map(|it| &*it.spelled).collect();
            vec![format!("{name}({}) -> {}", kinds.join(", "), of.result.spelled)]
        }
        _ => vec![item.declaration()],
    }
}

fn rust_api() -> Result<String> {
    if !on_path("cargo-semver-checks") {
        return Ok("not checked, because it needs `cargo install cargo-semver-checks`".to_owned());
    }
    run(cmd!("cargo semver-checks --package netclock"), "")
}
