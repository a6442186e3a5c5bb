//! `cargo xtask lint` checks the formatting, line lengths, committed headers, code blocks on pages, clippy
//! and the documentation. Any warning is an error.

use std::process::ExitCode;

use anyhow::Result;

use crate::command::{self, cmd};
use crate::step::{Step, run, step};
use crate::{blocks, header, read};

const CLIPPY: &str = "Fix the warnings, or expect the lint with a reason. If there is no cargo clippy, \
                      run `rustup component add clippy`.";

/// Each part is checked without the parts that it must not use.
const PARTS: [(&str, &str, &str); 4] = [
    ("the clock", "", "The clock must not use the link or the game features."),
    ("with the link", "-F link", "The link must not use the game features."),
    ("with the game features", "-F game", "The game features must not use the link or the session."),
    ("with sessions", "-F session", "Sessions must not use the link."),
];

fn steps() -> Vec<Step> {
    let format = "Run `cargo fmt --all`. If there is no cargo fmt, run `rustup component add rustfmt`.";
    let part = |(name, feature, advice): (&str, &str, &'static str)| {
        let args = format!("clippy -p netclock --lib --no-default-features {feature} -- -D warnings");
        step(&format!("Clippy, {name} alone"), &args, advice)
    };
    let mut steps = vec![step("Format", "fmt --all --check", format)];
    steps.push(step("Clippy", "clippy --workspace --all-targets -- -D warnings", CLIPPY));
    steps.extend(PARTS.map(part));
    let document = step("Documentation", "doc --no-deps --workspace", "Fix the doc comments named above.");
    steps.push(Step { env: &[("RUSTDOCFLAGS", "-D warnings")], ..document });
    steps
}

/// The maximum number of columns in a hand-written line. A tab counts as four columns, as in rustfmt.
const COLUMNS: usize = 110;

pub(crate) fn lint() -> Result<ExitCode> {
    let long = long_lines()?;
    if !long.is_empty() {
        eprintln!("{}\nerror: these lines have more than {COLUMNS} columns", long.join("\n"));
        return Ok(ExitCode::FAILURE);
    }
    header(true)?;
    blocks(true)?;
    Ok(run(&steps())?.exit_code())
}

/// Returns `file:line` for each line that is too long. Only hand-written files in git are checked.
fn long_lines() -> Result<Vec<String>> {
    let git = cmd!("git ls-files *.rs *.c *.cpp *.h *.hpp *.cs");
    let mut long = Vec::new();
    for file in command::run(git, "Lint checks only files that git tracks.")?.lines() {
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
