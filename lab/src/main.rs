//! The `lab` command.

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
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
    #[command(flatten)]
    Use(Use),
    #[command(flatten)]
    BuildAgainst(BuildAgainst),
    /// Measures the clock in simulations and over bad networks, beside other clocks
    #[command(subcommand)]
    Study(Study),
    /// Runs a process of another command, which starts it
    #[command(subcommand, hide = true)]
    Child(Child),
}

#[derive(Subcommand)]
enum Use {
    Demo(demo::command::Args),
    Serve(net::serve::command::Args),
    Sync(net::sync::command::Args),
    Doctor(doctor::command::Args),
    Report(inspect::command::Args),
    Replay(replay::command::Args),
    Export(export::command::Args),
}

#[derive(Subcommand)]
enum BuildAgainst {
    Impair(net::impair::command::Args),
    Relay(net::relay::command::Args),
    Peer(study::peer::command::Args),
}

#[derive(Subcommand)]
enum Study {
    Bench(study::clock::command::Args),
    Link(net::link::command::Args),
    Chrony(net::chrony::command::Args),
    #[cfg(target_os = "linux")]
    Netns(study::netns::command::Args),
    Order(study::order::order_command::Args),
    Lead(study::order::lead_command::Args),
    Latency(study::latency::command::Args),
    Start(study::start::command::Args),
    Handover(study::handover::command::Args),
    Watch(study::watch::command::Args),
    Timeline(study::world::command::Args),
    #[cfg(feature = "ablation")]
    Ablate(study::clock::ablate_command::Args),
}

/// Processes that other commands start.
#[derive(Subcommand)]
enum Child {
    Demo(demo::client_command::Args),
    Link(net::link::child::Args),
    #[cfg(target_os = "linux")]
    Netns(study::netns::ChildArgs),
}

impl Command {
    fn run(&self) -> Result<ExitCode> {
        match self {
            Command::Use(Use::Demo(args)) => demo::command::run(args),
            Command::Use(Use::Serve(args)) => net::serve::command::run(args),
            Command::Use(Use::Sync(args)) => net::sync::command::run(args),
            Command::Use(Use::Doctor(args)) => doctor::command::run(args),
            Command::Use(Use::Report(args)) => inspect::command::run(args),
            Command::Use(Use::Replay(args)) => replay::command::run(args),
            Command::Use(Use::Export(args)) => export::command::run(args),
            Command::BuildAgainst(BuildAgainst::Impair(args)) => net::impair::command::run(args),
            Command::BuildAgainst(BuildAgainst::Relay(args)) => net::relay::command::run(args),
            Command::BuildAgainst(BuildAgainst::Peer(args)) => study::peer::command::run(args),
            Command::Study(Study::Bench(args)) => study::clock::command::run(args),
            Command::Study(Study::Link(args)) => net::link::command::run(args),
            Command::Study(Study::Chrony(args)) => net::chrony::command::run(args),
            #[cfg(target_os = "linux")]
            Command::Study(Study::Netns(args)) => study::netns::command::run(args),
            Command::Study(Study::Order(args)) => study::order::order_command::run(args),
            Command::Study(Study::Lead(args)) => study::order::lead_command::run(args),
            Command::Study(Study::Latency(args)) => study::latency::command::run(args),
            Command::Study(Study::Start(args)) => study::start::command::run(args),
            Command::Study(Study::Handover(args)) => study::handover::command::run(args),
            Command::Study(Study::Watch(args)) => study::watch::command::run(args),
            Command::Study(Study::Timeline(args)) => study::world::command::run(args),
            #[cfg(feature = "ablation")]
            Command::Study(Study::Ablate(args)) => study::clock::ablate_command::run(args),
            Command::Child(Child::Demo(args)) => demo::client_command::run(args),
            Command::Child(Child::Link(args)) => net::link::child::run(args),
            #[cfg(target_os = "linux")]
            Command::Child(Child::Netns(args)) => study::netns::run_child(args),
        }
    }
}

/// Help with the commands in groups, for which clap has no headings.
fn help(styles: &clap::builder::Styles) -> String {
    let header = styles.get_header();
    let group = |name: &str, commands: clap::Command| {
        let lines = commands.get_subcommands().map(|command| {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            format!("  {:<9} {about}\n", command.get_name())
        });
        format!("{header}{name}:{header:#}\n{}\n", lines.collect::<String>())
    };
    let none = || clap::Command::new("lab");
    let groups = group("Use", Use::augment_subcommands(none()))
        + &group("Build against", BuildAgainst::augment_subcommands(none()))
        + &group("Study (lab study NAME)", Study::augment_subcommands(none()));
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}

fn main() -> ExitCode {
    let command = Cli::command();
    let template = help(command.get_styles());
    let matches = command.help_template(template).get_matches();
    let outcome = Cli::from_arg_matches(&matches).map_err(Into::into).and_then(|cli| cli.command.run());
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(report::exit::BAD_USAGE)
    })
}
