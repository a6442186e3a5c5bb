//! `lab study explore`: checks small sessions for violations of the clock's guarantees.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use netclock::Config;
use netclock_sim::{explore::Explorer, explore::session::run as judge};

use crate::report::{each, verdict};

const JOB: u64 = 10_000;
const SHOWN: usize = 10;

/// Explores small sessions of the real client, with every schedule of a few exchanges and random others
///
/// Requests and replies are fast, slow, lost, duplicated or reordered, and both clocks run at their drift
/// limits. A clock steps or is slewed, the server restarts, the program hangs, and a minute of silence
/// follows. 87 million sessions cover all schedules of up to four exchanges. Exits with 1 if the shown time
/// runs backward, if a read is outside its bound although the client has the information to avoid it, or if a
/// rejected reply changes the client.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Number of sessions
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    count: u64,
    /// Seed of the exploration
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    ensure!(args.count > 1, "--count is {}; the minimum is 2", args.count);
    let explorer = Explorer::default();
    let starts: Vec<u64> = (0..args.count).step_by(JOB as usize).collect();
    let jobs = each(starts, |start| {
        let (mut reads, mut faults) = (0, Vec::new());
        for at in start..(start + JOB).min(args.count) {
            let schedule = explorer.schedule(at, args.count, args.seed);
            match judge(&schedule, Config::default()) {
                Ok(judged) => reads += u64::from(judged),
                Err(fault) => faults.push((at, fault, schedule)),
            }
        }
        (reads, faults)
    });
    let reads: u64 = jobs.iter().map(|(reads, _)| reads).sum();
    let faults: Vec<_> = jobs.into_iter().flat_map(|(_, faults)| faults).collect();
    for (at, fault, schedule) in faults.iter().take(SHOWN) {
        println!("session {at}, at {:.4} s: {}, by {:.1} us", fault.at_s, fault.promise, fault.by_us);
        println!("  {schedule:?}\n  {:?}", fault.reading);
    }
    let (sessions, seed) = (args.count, args.seed);
    println!("{sessions} sessions, {reads} reads, {} violations (seed {seed})", faults.len());
    Ok(verdict(faults.is_empty()))
}
