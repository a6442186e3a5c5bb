//! `cargo xtask faults` checks that the tests find mistakes in the code behind both guarantees. It makes one
//! mistake at a time in a checkout of the last commit. The code's unit tests or the exploration of small
//! sessions must then fail. In the publication code, it weakens each step and memory ordering. A model check
//! or a unit test must then fail.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail, ensure};
use fs_err as fs;

use crate::command::{cmd, run};
use crate::target_dir;

/// Each line contains a name, a file, a text and its replacement, separated by tabs. `\n` stands for a
/// newline.
const FAULTS: &str = include_str!("faults.tsv");

/// The tests that must find the mistakes, by package and filter. `cargo xtask test` also runs these tests.
const TESTS: [(&str, &[&str]); 2] = [
    ("netclock", &["clock::discipline", "clock::estimate::interval", "clock::exchange", "clock::client"]),
    ("netclock-sim", &["explore"]),
];
/// In most model checks of this file, a reader makes one attempt instead of three.
const PUBLICATION: &str = "src/clock/discipline/publish.rs";
const MODELS: [(&str, &[&str]); 2] =
    [("netclock-models", &[]), ("netclock", &["clock::discipline::publish"])];

/// Makes each mistake whose name or file contains `only`, and fails if the tests miss one of these mistakes.
pub(crate) fn faults(only: &str) -> Result<ExitCode> {
    let place = target_dir()?.join("faults");
    let tree = place.join("tree");
    let remove = || run(cmd!("git worktree remove --force {tree}"), "");
    let _gone_already = remove();
    run(cmd!("git worktree add --force --detach {tree} HEAD"), "")?;
    let mut missed = Vec::new();
    ensure!(test(&tree, &place, &TESTS)?, "the tests fail without a fault");
    for fault in FAULTS.lines().filter(|fault| fault.split('\t').take(2).any(|it| it.contains(only))) {
        let fields: Vec<String> = fault.split('\t').map(|field| field.replace("\\n", "\n")).collect();
        let [name, file, text, wrong] = &fields[..] else { bail!("not four fields: {fault}") };
        let path = tree.join(file);
        let right = fs::read_to_string(&path)?;
        ensure!(right.matches(text).count() == 1, "{file} must contain this text exactly once: {text}");
        fs::write(&path, right.replace(text, wrong))?;
        let is_found = !test(&tree, &place, if file == PUBLICATION { &MODELS } else { &TESTS })?;
        fs::write(&path, right)?;
        println!("{}: {name} in {file}", if is_found { "found" } else { "MISSED" });
        missed.extend((!is_found).then(|| name.clone()));
    }
    remove()?;
    ensure!(missed.is_empty(), "the tests did not find: {}", missed.join(", "));
    Ok(ExitCode::SUCCESS)
}

/// Returns whether the tests pass, or an error if they do not build.
fn test(tree: &Path, place: &Path, tests: &[(&str, &[&str])]) -> Result<bool> {
    for &(package, filters) in tests {
        let there = |mut cargo: Command| {
            cargo.current_dir(tree).env("CARGO_TARGET_DIR", place.join("build"));
            cargo
        };
        let build = cmd!("cargo test --quiet --package {package} --lib --no-run");
        run(there(build), "Code with a fault must build.")?;
        let test = cmd!("cargo test --quiet --package {package} --lib -- {filters...}");
        if !there(test).output()?.status.success() {
            return Ok(false);
        }
    }
    Ok(true)
}
