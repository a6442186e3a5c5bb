//! `cargo xtask fuzz` runs one fuzz target after another under libFuzzer.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use crate::{cargo, file_name, listed, on_path, root, target_dir};

/// Only this target passes pointers, so only this one needs a sanitizer.
const WITH_POINTERS: &str = "abi";
const TARGET: &str = "NETCLOCK_FUZZ";

/// The longest input in bytes, which is enough for a few hundred calls.
const LONGEST: u32 = 4096;

pub(crate) fn fuzz(only: Option<&str>, seconds: u32) -> Result<ExitCode> {
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
        let sanitizer = if *target == WITH_POINTERS { "address" } else { "none" };
        let mut run = cargo();
        run.args(["fuzz", "run", "--features", "libfuzzer", "--sanitizer", sanitizer, "target"]);
        // With `RUSTC_BOOTSTRAP`, a stable compiler accepts the flags of cargo-fuzz.
        run.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", target_dir()?.join("fuzz"));
        run.env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true").env(TARGET, target);
        run.args([&found, &committed]).arg("--").arg(format!("-artifact_prefix={}/", failed.display()));
        run.args([format!("-max_total_time={seconds}"), format!("-max_len={LONGEST}")]);
        run.args(["-print_final_stats=1", "-verbosity=0"]);
        if !run.status().context("cargo-fuzz could not be started")?.success() {
            eprintln!(
                "\n{target} failed. The input is in fuzz/artifacts/{target}. Fix the error, and add a test."
            );
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}
