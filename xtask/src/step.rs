//! A chore as a list of Cargo commands that run in order.

use std::io::{BufRead, BufReader, Write};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::cargo::cargo;
use crate::tally::Tally;

pub(crate) struct Step {
    /// The heading.
    pub(crate) title: &'static str,
    /// What follows `cargo`.
    pub(crate) args: &'static [&'static str],
    pub(crate) env: &'static [(&'static str, &'static str)],
    /// The steps after it make no sense when it fails.
    pub(crate) is_needed: bool,
    /// What to do when it fails.
    pub(crate) advice: &'static str,
}

/// How a list of steps went.
pub(crate) struct Outcome {
    pub(crate) tally: Tally,
    pub(crate) succeeded: bool,
}

impl Outcome {
    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs the steps, with a heading for each, and prints a table of where the time went. Errors are about starting Cargo;
/// a step that fails is an outcome.
pub(crate) fn run(steps: &[Step]) -> Result<Outcome> {
    let mut tally = Tally::default();
    let mut times = Vec::new();
    let mut failed = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        println!("\n== {}/{} {}: cargo {}", index + 1, steps.len(), step.title, step.args.join(" "));
        let start = Instant::now();
        let before = tally.failed;
        let succeeded = run_step(step, &mut tally)?;
        times.push((step.title, start.elapsed().as_secs_f64()));
        if !succeeded {
            if tally.failed == before {
                // The step failed outside its tests: a total without failures would mislead.
                tally.failed += 1;
            }
            failed.push(step);
            if step.is_needed {
                break;
            }
        }
    }
    println!();
    let total = times.iter().map(|(_, seconds)| seconds).sum();
    for (title, seconds) in times.into_iter().chain([("all of it", total)]) {
        println!("{title:28}{seconds:8.1} s");
    }
    for step in &failed {
        eprintln!("\n{} failed. {}", step.title, step.advice);
    }
    Ok(Outcome { tally, succeeded: failed.is_empty() })
}

/// Passes the output on line by line and counts the test results in it.
fn run_step(step: &Step, tally: &mut Tally) -> Result<bool> {
    let mut command = cargo();
    command.args(step.args).envs(step.env.iter().copied());
    let mut child = command.stdout(Stdio::piped()).spawn().context("cargo could not be started")?;
    let output = child.stdout.take().context("cargo was started without its output")?;

    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    let mut stdout = std::io::stdout();
    while output.read_until(b'\n', &mut line).context("reading what cargo prints")? > 0 {
        stdout.write_all(&line).context("passing on what cargo prints")?;
        tally.add_line(&String::from_utf8_lossy(&line));
        line.clear();
    }
    let status = child.wait().context("waiting for cargo")?;
    Ok(status.success())
}
