//! The `lab` command.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use netclock_lab::cmd;

/// NetClock's workbench.
#[derive(Parser)]
#[command(name = "lab", version, about, propagate_version = true, after_help = cmd::EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(cmd::demo::Args),
    Serve(cmd::serve::Args),
    Sync(cmd::sync::Args),
    Impair(cmd::impair::Args),
    Bench(cmd::bench::Args),
    Timeline(cmd::timeline::Args),
    Replay(cmd::replay::Args),
    Watch(cmd::watch::Args),
    Latency(cmd::latency::Args),
    Lead(cmd::lead::Args),
    Arbitrate(cmd::arbitrate::Args),
    Start(cmd::start::Args),
    Handover(cmd::handover::Args),
    Relay(cmd::relay::Args),
    Peer(cmd::peer::Args),
    #[command(hide = true)]
    DemoClient(cmd::demo_client::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Demo(args) => cmd::demo::run(&args),
        Command::Serve(args) => cmd::serve::run(&args),
        Command::Sync(args) => cmd::sync::run(&args),
        Command::Impair(args) => cmd::impair::run(&args),
        Command::Bench(args) => cmd::bench::run(&args),
        Command::Timeline(args) => cmd::timeline::run(&args),
        Command::Replay(args) => cmd::replay::run(&args),
        Command::Watch(args) => cmd::watch::run(&args),
        Command::Latency(args) => cmd::latency::run(&args),
        Command::Lead(args) => cmd::lead::run(&args),
        Command::Arbitrate(args) => cmd::arbitrate::run(&args),
        Command::Start(args) => cmd::start::run(&args),
        Command::Handover(args) => cmd::handover::run(&args),
        Command::Relay(args) => cmd::relay::run(&args),
        Command::Peer(args) => cmd::peer::run(&args),
        Command::DemoClient(args) => cmd::demo_client::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(cmd::BAD_USAGE)
    })
}
