//! The `lab` command.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use netclock_lab::cmd;

/// NetClock's workbench.
#[derive(Parser)]
#[command(name = "lab", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(cmd::bench::Args),
    Replay(cmd::replay::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Bench(args) => cmd::bench::run(&args),
        Command::Replay(args) => cmd::replay::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(cmd::BAD_USAGE)
    })
}
