//! `lab child demo`: a client of the demo, which starts it.

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::Result;
use netclock::LocalTime;

use crate::demo;
use crate::net::lifetime::{self, Stop};

/// A client of the demo, which reports to its parent
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Address of its forwarder
    server: SocketAddr,
    /// Time of its clock at the start, in ticks of 100 ns
    #[arg(long, allow_negative_numbers = true)]
    origin: i64,
    /// Rate error of its clock, in ppm; positive: fast
    #[arg(long, allow_negative_numbers = true)]
    ppm: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let stop = Stop::on_ctrl_c()?;
    lifetime::die_with_parent();
    let orders = lifetime::input_lines(&stop, true);
    demo::client::run(args.server, LocalTime::from_ticks(args.origin), args.ppm, &orders, &stop)?;
    Ok(ExitCode::SUCCESS)
}
