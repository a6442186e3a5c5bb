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
        title: "Clippy, without sockets",
        args: &["clippy", "--package", "netclock", "--lib", "--no-default-features", "--", "-D", "warnings"],
        env: &[],
        is_needed: true,
        advice: "Sockets and threads are for src/net/, behind the feature `net`.",
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
