//! `lab child netns`: the processes that `lab study netns` starts.

use std::process::ExitCode;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::plan::ProcessConfig;
use super::{clocks, host};
pub use crate::net::child::Args;

/// The end of the path at which a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum End {
    /// The clocks under test.
    Client,
    /// The clocks that are followed.
    Server,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let ((end, plan), stop, _) = args.begin::<(End, ProcessConfig)>()?;
    match end {
        End::Client => clocks::run(&plan, &stop)?,
        End::Server => host::run(&plan, &stop)?,
    }
    Ok(ExitCode::SUCCESS)
}
