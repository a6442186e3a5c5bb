//! `cargo xtask release --check`: everything that must hold before a version is published.
//!
//! All checks run, so that one run shows everything that is missing. Nothing is changed. The oldest Rust and
//! the dependencies are checked at every push, by `.github/workflows/ci.yml`.

use std::collections::BTreeSet;
use std::process::{Command, ExitCode};

use anyhow::{Result, ensure};
use clap::Args;

use crate::abi::{Abi, HEADERS};
use crate::cargo::{cargo, read, root};
use crate::command::{on_path, run};
use crate::dist;
use crate::library::VERSION;

#[derive(Args)]
pub(crate) struct Options {
    /// Check that this version can be published; exits with 1 if anything is missing
    #[arg(long, required = true)]
    check: bool,
    /// Fail unless this is the version, such as 0.1.0
    #[arg(long)]
    version_is: Option<String>,
}

/// What a check found.
enum Found {
    Good(String),
    /// It could not be made here, and why.
    Skipped(String),
}

type Check = Box<dyn Fn() -> Result<Found>>;

pub(crate) fn release(options: &Options) -> Result<ExitCode> {
    let wanted = options.version_is.clone();
    let checks: [(&str, Check); 6] = [
        ("versions", Box::new(move || versions(wanted.as_deref()))),
        ("changelog", Box::new(changelog)),
        ("C ABI", Box::new(abi)),
        ("Rust API", Box::new(rust_api)),
        ("package", Box::new(package)),
        ("owner", Box::new(|| dist::owner().map(|()| Found::Good("the plugins' addresses".to_owned())))),
    ];
    let mut failed = 0;
    for (name, check) in checks {
        let (word, detail) = match check() {
            Ok(Found::Good(detail)) => ("ok", detail),
            Ok(Found::Skipped(why)) => ("not checked", why),
            Err(error) => {
                failed += 1;
                ("FAILED", format!("{error:#}"))
            }
        };
        println!("{name:>12}  {word}: {detail}");
    }
    if failed > 0 {
        eprintln!("error: {VERSION} cannot be published: {failed} checks failed");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn versions(wanted: Option<&str>) -> Result<Found> {
    dist::check_versions(wanted)?;
    Ok(Found::Good(format!("{VERSION} in Cargo.toml, netclock.h and NetClock.uplugin")))
}

fn changelog() -> Result<Found> {
    let lines = entry(&read("CHANGELOG.md")?, VERSION)?;
    Ok(Found::Good(format!("{lines} lines about {VERSION}")))
}

/// How many lines the entry of a version has.
fn entry(changelog: &str, version: &str) -> Result<usize> {
    let title = format!("## {version}");
    let is_title = |line: &&str| **line == title || line.starts_with(&format!("{title} "));
    let mut lines = changelog.lines();
    ensure!(
        lines.by_ref().any(|line| is_title(&line)),
        "CHANGELOG.md has no heading `{title}`: rename `## Unreleased` to it"
    );
    let entry = lines.take_while(|line| !line.starts_with("## "));
    let count = entry.filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count();
    ensure!(count > 0, "CHANGELOG.md says nothing under `{title}`");
    Ok(count)
}

/// Programs that were compiled with the headers of the last release still run.
fn abi() -> Result<Found> {
    let git = |arguments: &[&str]| run(Command::new("git").current_dir(root()).args(arguments), "");
    let Ok(tag) = git(&["describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^"]) else {
        return Ok(Found::Skipped("nothing has been released to compare with".to_owned()));
    };
    let (tag, mut text) = (tag.trim(), String::new());
    for path in git(&["ls-tree", "--name-only", tag, &format!("{HEADERS}/")])?.lines() {
        if path.ends_with(".h") {
            text += &git(&["show", &format!("{tag}:{path}")])?;
        }
    }
    let (last, now) = (Abi::parse(&text)?, Abi::of_the_headers()?);
    let lines: BTreeSet<String> = now.lines().into_iter().collect();
    let gone: Vec<String> = last.lines().into_iter().filter(|line| !lines.contains(line)).collect();
    ensure!(
        gone.is_empty() || now.constant("ABI_VERSION")? > last.constant("ABI_VERSION")?,
        "programs compiled for {tag} need these, which are gone or changed: {gone:#?}\n\
         Restore them, or raise NETCLOCK_ABI_VERSION"
    );
    Ok(Found::Good(format!("all that programs compiled for {tag} need is there")))
}

fn rust_api() -> Result<Found> {
    if !on_path("cargo-semver-checks") {
        return Ok(Found::Skipped("there is no cargo-semver-checks here: cargo install it".to_owned()));
    }
    run(cargo().args(["semver-checks", "--package", "netclock"]), "")?;
    Ok(Found::Good("cargo semver-checks".to_owned()))
}

fn package() -> Result<Found> {
    run(cargo().args(["publish", "--dry-run", "--package", "netclock", "--locked"]), "")?;
    Ok(Found::Good("cargo publish --dry-run".to_owned()))
}
