//! `cargo xtask lint` checks the formatting, line lengths, committed headers, code blocks on pages, clippy
//! and the documentation. Any warning is an error.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::command;
use crate::step::{Step, run, step};
use crate::{blocks, header, read, root};

const CLIPPY: &str = "Fix the warnings, or expect the lint with a reason. If there is no cargo clippy, \
                      run `rustup component add clippy`.";

const STEPS: &[Step] = &[
    step(
        "Format",
        "fmt --all --check",
        "Run `cargo fmt --all`. If there is no cargo fmt, run `rustup component add rustfmt`.",
    ),
    step("Clippy", "clippy --workspace --all-targets -- -D warnings", CLIPPY),
    step(
        "Clippy, the clock alone",
        "clippy -p netclock --lib --no-default-features -- -D warnings",
        "The clock must not use the link or the game features.",
    ),
    step(
        "Clippy, with the link alone",
        "clippy -p netclock --lib --no-default-features -F link -- -D warnings",
        "The link must not use the game features.",
    ),
    step(
        "Clippy, with the game features alone",
        "clippy -p netclock --lib --no-default-features -F game -- -D warnings",
        "The game features must not use the link or the session.",
    ),
    step(
        "Clippy, with sessions alone",
        "clippy -p netclock --lib --no-default-features -F session -- -D warnings",
        "Sessions must not use the link.",
    ),
    Step {
        env: &[("RUSTDOCFLAGS", "-D warnings")],
        ..step("Documentation", "doc --no-deps --workspace", "Fix the doc comments named above.")
    },
];

/// Hand-written lines may have this many columns. Tabs count as four, as in rustfmt.
const COLUMNS: usize = 110;

pub(crate) fn lint() -> Result<ExitCode> {
    let long = long_lines()?;
    if !long.is_empty() {
        eprintln!("{}\nerror: these lines have more than {COLUMNS} columns", long.join("\n"));
        return Ok(ExitCode::FAILURE);
    }
    header(true)?;
    blocks(true)?;
    Ok(run(STEPS)?.exit_code())
}

/// Returns `file:line` for each line that is too long. Only hand-written files in git are checked.
fn long_lines() -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(root()).args(["ls-files", "*.rs", "*.c", "*.cpp", "*.h", "*.hpp", "*.cs"]);
    let mut long = Vec::new();
    for file in command::run(&mut git, "Lint checks only files that git tracks.")?.lines() {
        let text = read(file)?;
        // Only comments count, because the strings of generators also contain these words.
        let is_generated = |line: &str| {
            let is_comment = line.trim_start().starts_with(['/', '*']);
            is_comment && (line.contains("enerated from") || line.contains("enerated by"))
        };
        if text.lines().take(8).any(is_generated) {
            continue;
        }
        for (at, line) in text.lines().enumerate() {
            let columns = line.chars().map(|letter| if letter == '\t' { 4 } else { 1 }).sum::<usize>();
            if columns > COLUMNS {
                long.push(format!("{file}:{}: {columns} columns", at + 1));
            }
        }
    }
    Ok(long)
}
