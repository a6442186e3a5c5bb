//! A chore as a list of Cargo commands.

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
    /// It runs while the step before it runs, with its output after that one's.
    pub(crate) is_beside: bool,
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

/// How one step went.
struct Ended {
    tally: Tally,
    succeeded: bool,
    seconds: f64,
}

/// Runs the steps, with a heading for each, and prints a table of where the time went. Errors are about starting Cargo;
/// a step that fails is an outcome.
pub(crate) fn run(steps: &[Step]) -> Result<Outcome> {
    let mut tally = Tally::default();
    let mut times = Vec::new();
    let mut failed = Vec::new();
    let begun = Instant::now();
    for group in steps.chunk_by(|_, next| next.is_beside) {
        for (step, ended) in group.iter().zip(run_together(group, times.len(), steps.len())?) {
            times.push((step.title, ended.seconds));
            tally.passed += ended.tally.passed;
            tally.failed += ended.tally.failed;
            if !ended.succeeded {
                if ended.tally.failed == 0 {
                    // The step failed outside its tests: a total without failures would mislead.
                    tally.failed += 1;
                }
                failed.push(step);
            }
        }
        if failed.iter().any(|step| step.is_needed) {
            break;
        }
    }
    println!();
    for (title, seconds) in times.into_iter().chain([("all of it", begun.elapsed().as_secs_f64())]) {
        println!("{title:28}{seconds:8.1} s");
    }
    for step in &failed {
        eprintln!("\n{} failed. {}", step.title, step.advice);
    }
    Ok(Outcome { tally, succeeded: failed.is_empty() })
}

/// Runs these steps side by side. The first one's output is passed on as it comes, the others' one after the other.
fn run_together(steps: &[Step], before: usize, count: usize) -> Result<Vec<Ended>> {
    let heading = |at: usize, step: &Step| {
        println!("\n== {}/{count} {}: cargo {}", before + at + 1, step.title, step.args.join(" "));
    };
    let Some((first, beside)) = steps.split_first() else { return Ok(Vec::new()) };
    std::thread::scope(|scope| {
        let run_aside = |step| {
            let mut said = Vec::new();
            run_step(step, &mut said).map(|ended| (ended, said))
        };
        let threads: Vec<_> = beside.iter().map(|step| scope.spawn(move || run_aside(step))).collect();
        heading(0, first);
        let mut all = vec![run_step(first, &mut std::io::stdout())?];
        for (at, (step, thread)) in beside.iter().zip(threads).enumerate() {
            heading(at + 1, step);
            let (ended, said) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            std::io::stdout().write_all(&said).context("passing on what cargo prints")?;
            all.push(ended);
        }
        Ok(all)
    })
}

/// Passes the output on line by line and counts the test results in it.
fn run_step(step: &Step, out: &mut impl Write) -> Result<Ended> {
    let start = Instant::now();
    let mut command = cargo();
    command.args(step.args).envs(step.env.iter().copied());
    let mut child = command.stdout(Stdio::piped()).spawn().context("cargo could not be started")?;
    let output = child.stdout.take().context("cargo was started without its output")?;

    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    let mut tally = Tally::default();
    while output.read_until(b'\n', &mut line).context("reading what cargo prints")? > 0 {
        out.write_all(&line).context("passing on what cargo prints")?;
        tally.add_line(&String::from_utf8_lossy(&line));
        line.clear();
    }
    let status = child.wait().context("waiting for cargo")?;
    Ok(Ended { tally, succeeded: status.success(), seconds: start.elapsed().as_secs_f64() })
}
