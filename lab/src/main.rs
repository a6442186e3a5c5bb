//! The `lab` command.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use netclock_lab::{demo, doctor, export, inspect, net, replay, report, study};

/// NetClock's workbench.
#[derive(Parser)]
#[command(name = "lab", version, about, propagate_version = true, after_help = report::exit::EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::command::Args),
    Doctor(doctor::command::Args),
    Serve(net::serve::command::Args),
    Sync(net::sync::command::Args),
    Impair(net::impair::command::Args),
    Link(net::link::command::Args),
    Chrony(net::chrony::command::Args),
    Bench(study::clock::command::Args),
    #[cfg(feature = "ablation")]
    Ablate(study::clock::ablate_command::Args),
    Timeline(study::world::command::Args),
    Replay(replay::command::Args),
    Report(inspect::command::Args),
    Export(export::command::Args),
    Watch(study::watch::command::Args),
    Latency(study::latency::command::Args),
    Lead(study::order::lead_command::Args),
    Arbitrate(study::order::order_command::Args),
    Start(study::start::command::Args),
    Handover(study::handover::command::Args),
    Relay(net::relay::command::Args),
    Peer(study::peer::command::Args),
    #[cfg(target_os = "linux")]
    Netns(study::netns::command::Args),
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    NetnsChild(study::netns::ChildArgs),
    #[command(hide = true)]
    DemoClient(demo::client_command::Args),
    #[command(hide = true)]
    LinkChild(net::link::child::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Demo(args) => demo::command::run(&args),
        Command::Doctor(args) => doctor::command::run(&args),
        Command::Serve(args) => net::serve::command::run(&args),
        Command::Sync(args) => net::sync::command::run(&args),
        Command::Impair(args) => net::impair::command::run(&args),
        Command::Link(args) => net::link::command::run(&args),
        Command::Chrony(args) => net::chrony::command::run(&args),
        Command::Bench(args) => study::clock::command::run(&args),
        #[cfg(feature = "ablation")]
        Command::Ablate(args) => study::clock::ablate_command::run(&args),
        Command::Timeline(args) => study::world::command::run(&args),
        Command::Replay(args) => replay::command::run(&args),
        Command::Report(args) => inspect::command::run(&args),
        Command::Export(args) => export::command::run(&args),
        Command::Watch(args) => study::watch::command::run(&args),
        Command::Latency(args) => study::latency::command::run(&args),
        Command::Lead(args) => study::order::lead_command::run(&args),
        Command::Arbitrate(args) => study::order::order_command::run(&args),
        Command::Start(args) => study::start::command::run(&args),
        Command::Handover(args) => study::handover::command::run(&args),
        Command::Relay(args) => net::relay::command::run(&args),
        Command::Peer(args) => study::peer::command::run(&args),
        #[cfg(target_os = "linux")]
        Command::Netns(args) => study::netns::command::run(&args),
        #[cfg(target_os = "linux")]
        Command::NetnsChild(args) => study::netns::run_child(&args),
        Command::DemoClient(args) => demo::client_command::run(&args),
        Command::LinkChild(args) => net::link::child::run(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(report::exit::BAD_USAGE)
    })
}
