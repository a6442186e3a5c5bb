//! NetClock's chores: `cargo xtask test`, `cargo xtask lint`, `cargo xtask header`.
//!
//! They need Rust and a C/C++ compiler and nothing else, on Linux, Windows and macOS alike.
//! This package must not grow integration tests: Cargo would have to replace the running
//! `xtask` for them, which Windows refuses.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod cargo;
mod header;
mod lint;
mod loom;
mod step;
mod tally;
mod test;

/// NetClock's chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run every test of the workspace, the C programs and the documentation's examples included
    Test {
        /// Unit tests only
        #[arg(long)]
        quick: bool,
    },
    /// Check the format, clippy and the documentation; any warning fails
    Lint,
    /// Check the wait-free publication in every order of its steps; part of `test`
    Loom,
    /// Write include/netclock.h from src/ffi
    Header {
        /// Write nothing; fail when the committed header is not up to date
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().chore {
        Chore::Test { quick } => test::test(quick),
        Chore::Lint => lint::lint(),
        Chore::Loom => loom::loom(),
        Chore::Header { check } => header::header(check),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
