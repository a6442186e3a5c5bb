//! `lab child netns`: the processes that `lab study netns` starts.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::plan::Plan;
use super::{clocks, host};
use crate::net::lifetime::{self, Stop};

/// Which end of the path it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum End {
    /// The clocks.
    Client,
    /// What they follow.
    Server,
}

/// A process of `lab study netns`, which starts it
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Which end of the path it is
    #[arg(value_enum)]
    end: End,
    /// What to do, in JSON
    plan: String,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let stop = Stop::on_ctrl_c()?;
    lifetime::die_with_parent();
    lifetime::input_lines(&stop, true);
    let plan: Plan = serde_json::from_str(&args.plan).context("unreadable plan")?;
    match args.end {
        End::Client => clocks::run(&plan, &stop, say)?,
        End::Server => host::run(&plan, &stop)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a line for the parent.
fn say(value: &serde_json::Value) -> Result<()> {
    writeln!(io::stdout().lock(), "{value}").context("the parent has ended")
}
