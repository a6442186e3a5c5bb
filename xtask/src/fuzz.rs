//! `cargo xtask fuzz` runs the fuzz targets under libFuzzer, one after another.

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::{cargo, file_name, listed, on_path, root, target_dir};

/// Target that passes pointers and needs a sanitizer.
const WITH_POINTERS: &str = "abi";
const TARGET: &str = "NETCLOCK_FUZZ";

/// Longest input in bytes, which is a few hundred calls.
const LONGEST: u32 = 4096;

/// Fuzzes `only`, or every target in turn, for `seconds` each. New inputs go to the target directory.
/// `minimize` also writes the smallest set with the same coverage.
pub(crate) fn fuzz(only: Option<&str>, seconds: u32, minimize: bool) -> Result<ExitCode> {
    ensure!(on_path("cargo-fuzz"), "cargo-fuzz is missing: cargo install cargo-fuzz");
    let targets: Vec<String> = listed(&root().join("fuzz/corpus"))?.iter().map(|it| file_name(it)).collect();
    let chosen: Vec<_> = targets.iter().filter(|name| only.is_none_or(|only| only == *name)).collect();
    ensure!(!chosen.is_empty(), "there is no such target; the targets are {}", targets.join(", "));
    for target in chosen {
        println!("\n== {target}: {seconds} s");
        let found = target_dir()?.join("fuzz").join("corpus").join(target);
        let committed = root().join("fuzz/corpus").join(target);
        let failed = root().join("fuzz/artifacts").join(target);
        for dir in [&found, &committed, &failed] {
            fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
        }
        let mut run = fuzzer(target)?;
        run.args([&found, &committed]).arg("--").arg(format!("-artifact_prefix={}/", failed.display()));
        run.args([format!("-max_total_time={seconds}"), format!("-max_len={LONGEST}")]);
        run.args(["-print_final_stats=1", "-verbosity=0"]);
        if !run.status().context("cargo-fuzz could not be started")?.success() {
            eprintln!(
                "\n{target} failed. The input is in fuzz/artifacts/{target}. Fix the error, and add a test."
            );
            return Ok(ExitCode::FAILURE);
        }
        if minimize {
            let minimal = target_dir()?.join("fuzz").join("minimal").join(target);
            let _not_there_yet = fs::remove_dir_all(&minimal);
            fs::create_dir_all(&minimal).with_context(|| format!("creating {}", minimal.display()))?;
            let mut merge = fuzzer(target)?;
            merge.args([&minimal, &committed, &found]).args(["--", "-merge=1"]);
            merge.arg(format!("-max_len={LONGEST}"));
            let status = merge.status().context("cargo-fuzz could not be started")?;
            ensure!(status.success(), "could not minimize the corpus");
            println!("wrote the smallest corpus to {}", minimal.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns `cargo fuzz` for a target. `RUSTC_BOOTSTRAP` makes a stable compiler accept its flags.
fn fuzzer(target: &str) -> Result<Command> {
    let sanitizer = if target == WITH_POINTERS { "address" } else { "none" };
    let mut fuzz = cargo();
    fuzz.args(["fuzz", "run", "--features", "libfuzzer", "--sanitizer", sanitizer, "target"]);
    fuzz.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", target_dir()?.join("fuzz"));
    fuzz.env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true").env(TARGET, target);
    Ok(fuzz)
}
