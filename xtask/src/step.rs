//! A chore as a list of Cargo commands that run in order until one fails.

use std::io::{BufRead, BufReader, Write};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::cargo::{cargo, target_dir};
use crate::tally::Tally;

pub(crate) struct Step {
    /// The heading.
    pub(crate) title: &'static str,
    /// What follows `cargo`.
    pub(crate) args: &'static [&'static str],
    pub(crate) env: &'static [(&'static str, &'static str)],
    /// Subdirectory of the target directory, or empty for the target directory itself. A build with other flags needs
    /// its own: in the same place, each build would discard the other.
    pub(crate) apart: &'static str,
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

/// Runs the steps, with a heading and a time for each. Errors are about starting Cargo;
/// a step that fails is an outcome.
pub(crate) fn run(steps: &[Step]) -> Result<Outcome> {
    let start = Instant::now();
    let mut tally = Tally::default();
    for (index, step) in steps.iter().enumerate() {
        println!("\n== {}/{} {}: cargo {}", index + 1, steps.len(), step.title, step.args.join(" "));
        let step_start = Instant::now();
        let before = tally.failed;
        let succeeded = run_step(step, &mut tally)?;
        println!("== {} took {:.1} s", step.title, step_start.elapsed().as_secs_f64());
        if !succeeded {
            if tally.failed == before {
                // The step failed outside its tests: a total without failures would mislead.
                tally.failed += 1;
            }
            eprintln!("\n{} failed. {}", step.title, step.advice);
            return Ok(Outcome { tally, succeeded: false });
        }
    }
    println!("\nAll of it took {:.1} s", start.elapsed().as_secs_f64());
    Ok(Outcome { tally, succeeded: true })
}

/// Passes the output on line by line and counts the test results in it.
fn run_step(step: &Step, tally: &mut Tally) -> Result<bool> {
    let mut command = cargo();
    command.args(step.args).envs(step.env.iter().copied());
    if !step.apart.is_empty() {
        command.env("CARGO_TARGET_DIR", target_dir()?.join(step.apart));
    }
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
