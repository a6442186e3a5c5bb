//! `cargo xtask fuzz` runs one fuzz target after another under libFuzzer.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use fs_err as fs;

use crate::command::{cmd, on_path, succeeds};
use crate::{file_name, listed, root, target_dir};

/// Only this target passes pointers, so no other target needs a sanitizer.
const WITH_POINTERS: &str = "abi";

/// The longest input in bytes, which is enough for a few hundred calls.
const LONGEST: &str = "4096";

pub(crate) fn fuzz(only: Option<&str>, seconds: u32) -> Result<ExitCode> {
    ensure!(on_path("cargo-fuzz"), "cargo-fuzz is missing: cargo install cargo-fuzz");
    let targets: Vec<String> = listed(&root().join("fuzz/corpus"))?.iter().map(|it| file_name(it)).collect();
    let chosen: Vec<_> = targets.iter().filter(|name| only.is_none_or(|only| only == *name)).collect();
    ensure!(!chosen.is_empty(), "there is no such target; the targets are {}", targets.join(", "));
    let (build, limit) = (target_dir()?.join("fuzz"), seconds.to_string());
    for target in chosen {
        println!("\n== {target}: {seconds} s");
        let places = [build.join("corpus"), root().join("fuzz/corpus"), root().join("fuzz/artifacts")];
        let [found, committed, failed] = places.map(|place| place.join(target));
        for dir in [&found, &committed, &failed] {
            fs::create_dir_all(dir)?;
        }
        let sanitizer = if *target == WITH_POINTERS { "address" } else { "none" };
        let mut run = cmd!(
            "cargo fuzz run --features libfuzzer --sanitizer {sanitizer} target {found} {committed} --
            -artifact_prefix={failed}/ -max_total_time={limit} -max_len={LONGEST} -print_final_stats=1
            -verbosity=0"
        );
        // With `RUSTC_BOOTSTRAP`, a stable compiler accepts the flags of cargo-fuzz.
        run.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &build);
        run.env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true").env("NETCLOCK_FUZZ", target);
        if !succeeds(run)? {
            eprintln!(
                "\n{target} failed. The input is in fuzz/artifacts/{target}. Fix the error, and add a test."
            );
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}
