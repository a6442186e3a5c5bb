//! The `lab` command.

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use netclock_lab::{demo, doctor, export, import, net, replay, report, study};

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
    /// Compares the clock with others in simulations and on bad networks
    #[command(subcommand)]
    Study(Study),
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    NetnsEnd(study::netns::child::Args),
}

macro_rules! commands {
    ($group:ident { $($(#[$only:meta])* $name:ident: $($module:ident)::+),* $(,)? }) => {
        #[derive(Subcommand)]
        enum $group {
            $($(#[$only])* $name($($module)::+::Args),)*
        }

        impl $group {
            fn run(&self) -> Result<ExitCode> {
                match self {
                    $($(#[$only])* $group::$name(args) => $($module)::+::run(args),)*
                }
            }
        }
    };
}

commands!(Use {
    Demo: demo::command,
    Serve: net::serve::command,
    Sync: net::sync::command,
    Doctor: doctor::command,
    Keys: net::key_file,
    Report: report::command,
    Import: import::command,
    Replay: replay,
    Export: export::command,
});

commands!(BuildAgainst { Impair: net::impair::command });

commands!(Study {
    Ablate: study::ablate,
    Bench: study::bench::command,
    #[cfg(target_os = "linux")]
    Netns: study::netns::command,
    Order: study::order::arbitration,
    Lead: study::order::lead,
    Latency: study::latency,
    Start: study::start,
    Peers: study::peers,
    Watch: study::watch,
    Timeline: study::timeline::command,
    Explore: study::explore,
});

impl Command {
    fn run(&self) -> Result<ExitCode> {
        match self {
            Command::Use(command) => command.run(),
            Command::BuildAgainst(command) => command.run(),
            Command::Study(command) => command.run(),
            #[cfg(target_os = "linux")]
            Command::NetnsEnd(args) => study::netns::child::run(args),
        }
    }
}

/// Groups the commands in the help text, because clap does not support headings for commands.
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
        + &group(
            &format!("Study ({} study NAME)", report::words::program()),
            Study::augment_subcommands(none()),
        );
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\
         {header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}

fn main() -> ExitCode {
    report::exit::end_with_the_reader();
    let command = Cli::command();
    let template = help(command.get_styles());
    let command = command.bin_name(report::words::program());
    let matches = command.help_template(template).get_matches();
    let outcome = Cli::from_arg_matches(&matches).map_err(Into::into).and_then(|cli| cli.command.run());
    outcome.unwrap_or_else(|error| {
        // Errors from all other pipes have context, so an error without context is from standard output.
        if error.root_cause().downcast_ref().is_some_and(report::exit::is_closed) && error.chain().len() == 1
        {
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {error:#}");
        ExitCode::from(report::exit::BAD_USAGE)
    })
}
