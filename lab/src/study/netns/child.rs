//! `lab netns-end`: a process of `lab study netns` that prints JSON lines and exits when its parent does.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::plan::ProcessConfig;
use super::{clocks, host};
use crate::net::lifetime::{Stop, die_with_parent, input_lines};

/// Runs one end of a path for `lab study netns`
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The plan as JSON
    plan: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum End {
    Client,
    Server,
}

pub(super) fn arguments(end: End, plan: &ProcessConfig) -> Result<[String; 2]> {
    Ok(["netns-end".to_owned(), serde_json::to_string(&(end, plan))?])
}

pub(super) fn say(what: &impl Serialize) -> Result<()> {
    writeln!(io::stdout().lock(), "{}", serde_json::to_string(what)?).context("the parent has ended")
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let stop = Stop::on_ctrl_c()?;
    die_with_parent();
    // The end of the input sets the stop flag.
    let _lines = input_lines(&stop, true);
    let (end, plan): (End, ProcessConfig) = serde_json::from_str(&args.plan).context("unreadable plan")?;
    match end {
        End::Client => clocks::run(&plan, &stop)?,
        End::Server => host::run(&plan, &stop)?,
    }
    Ok(ExitCode::SUCCESS)
}
