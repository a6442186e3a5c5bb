//! `cargo xtask lint`: format, clippy and documentation, every warning an error.

use std::process::ExitCode;

use anyhow::Result;

use crate::step::{Step, run};

const STEPS: &[Step] = &[
    Step {
        title: "Format",
        args: &["fmt", "--all", "--check"],
        env: &[],
        is_needed: true,
        advice: "Run `cargo fmt --all`; if Cargo knows no fmt, `rustup component add rustfmt`.",
    },
    Step {
        title: "Clippy",
        args: &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        env: &[],
        is_needed: true,
        advice: "Mend what it names, or expect the lint with a reason; if Cargo knows no clippy, \
                 `rustup component add clippy`.",
    },
    Step {
        title: "Clippy, the clock alone",
        args: &["clippy", "--package", "netclock", "--lib", "--no-default-features", "--", "-D", "warnings"],
        env: &[],
        is_needed: true,
        advice: "The clock uses neither the link nor the games' uses of it.",
    },
    Step {
        title: "Clippy, with the link alone",
        args: &[
            "clippy",
            "--package",
            "netclock",
            "--lib",
            "--no-default-features",
            "--features",
            "link",
            "--",
            "-D",
            "warnings",
        ],
        env: &[],
        is_needed: true,
        advice: "The link uses none of the games' uses of the clock.",
    },
    Step {
        title: "Clippy, with the games' uses alone",
        args: &[
            "clippy",
            "--package",
            "netclock",
            "--lib",
            "--no-default-features",
            "--features",
            "game",
            "--",
            "-D",
            "warnings",
        ],
        env: &[],
        is_needed: true,
        advice: "The games' uses of the clock need no link.",
    },
    Step {
        title: "Documentation",
        args: &["doc", "--no-deps", "--workspace"],
        env: &[("RUSTDOCFLAGS", "-D warnings")],
        is_needed: true,
        advice: "Mend the doc comments named above.",
    },
];

pub(crate) fn lint() -> Result<ExitCode> {
    Ok(run(STEPS)?.exit_code())
}
