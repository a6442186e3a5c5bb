//! Runs the Cargo commands of a task and counts the test results.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::command::cmd;

pub(crate) struct Step {
    pub(crate) title: String,
    pub(crate) args: String,
    pub(crate) env: &'static [(&'static str, &'static str)],
    pub(crate) advice: &'static str,
}

pub(crate) fn step(title: &str, args: &str, advice: &'static str) -> Step {
    Step { title: title.to_owned(), args: args.to_owned(), env: &[], advice }
}

pub(crate) struct Ended {
    pub(crate) tally: Tally,
    pub(crate) succeeded: bool,
    pub(crate) seconds: f64,
}

/// Runs the steps until one fails, and prints how long each step took. A failed step is not returned as an
/// error.
pub(crate) fn run(steps: &[Step]) -> Result<Course> {
    let mut course = Course::default();
    for (at, step) in steps.iter().enumerate() {
        println!("\n== {}/{} {}: cargo {}", at + 1, steps.len(), step.title, step.args);
        let ended = run_step(step)?;
        let succeeded = ended.succeeded;
        course.add(&step.title, ended, step.advice);
        if !succeeded {
            break;
        }
    }
    course.print();
    Ok(course)
}

pub(crate) struct Course {
    begun: Instant,
    pub(crate) tally: Tally,
    times: Vec<(String, f64)>,
    failed: Vec<(String, &'static str)>,
}

impl Default for Course {
    fn default() -> Self {
        Self { begun: Instant::now(), tally: Tally::default(), times: Vec::new(), failed: Vec::new() }
    }
}

impl Course {
    pub(crate) fn add(&mut self, title: &str, ended: Ended, advice: &'static str) {
        self.times.push((title.to_owned(), ended.seconds));
        let failed_tests = ended.tally.failed;
        self.tally.add(ended.tally);
        if !ended.succeeded {
            if failed_tests == 0 {
                // Count this as a failure. No test has failed, so the total would otherwise show none.
                self.tally.failed += 1;
                self.tally.failures.push(title.to_owned());
            }
            self.failed.push((title.to_owned(), advice));
        }
    }

    pub(crate) fn print(&self) {
        println!();
        let all = ("total".to_owned(), self.begun.elapsed().as_secs_f64());
        for (title, seconds) in self.times.iter().chain([&all]) {
            println!("{title:28}{seconds:8.1} s");
        }
        for (title, advice) in &self.failed {
            eprintln!("\n{title} failed. {advice}");
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn run_step(step: &Step) -> Result<Ended> {
    let start = Instant::now();
    let args = step.args.split_whitespace();
    let mut command = cmd!("cargo {args...}");
    command.envs(step.env.iter().copied());
    let mut child = command.stdout(Stdio::piped()).spawn().context("cargo could not be started")?;
    let output = child.stdout.take().context("cargo was started without its output")?;

    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    let mut tally = Tally::default();
    while output.read_until(b'\n', &mut line).context("reading cargo's output")? > 0 {
        std::io::stdout().write_all(&line).context("printing cargo's output")?;
        tally.add_line("", &String::from_utf8_lossy(&line));
        line.clear();
    }
    let status = child.wait().context("waiting for cargo")?;
    Ok(Ended { tally, succeeded: status.success(), seconds: start.elapsed().as_secs_f64() })
}

/// The start of a line such as `test result: ok. 5 passed; 0 failed; 0 ignored; ...`.
const RESULT: &str = "test result: ";
/// `tests/support/tools.rs` prints this between the name of a skipped test and the reason.
const SKIPPED: &str = ": skipped: ";
/// In the reason for a skip, this word precedes the package to install.
const INSTALL: &str = "install ";

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that skipped some of their checks count as passed.
    passed: u64,
    failed: u64,
    /// Names of failed tests, and of programs that failed for another reason.
    failures: Vec<String>,
    skips: BTreeSet<String>,
}

impl Tally {
    /// Counts the test result in this line, if there is one, and prefixes the names of tests with `program`.
    pub(crate) fn add_line(&mut self, program: &str, line: &str) {
        let name = |name: &str| format!("{program} {name}").trim().to_owned();
        // If the previous test printed text without a newline, the result is not at the start of the line.
        if let Some((_, result)) = line.split_once(RESULT) {
            let mut counts = result.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
            self.passed += counts.next().unwrap_or(0);
            self.failed += counts.next().unwrap_or(0);
        } else if let Some(test) = line.trim_end().strip_suffix(" ... FAILED") {
            self.failures.push(name(test.trim_start_matches("test ")));
        } else if let Some((test, reason)) = line.split_once(SKIPPED) {
            self.skips.insert(format!("{}: {}", name(test), reason.trim_end()));
        }
    }

    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
        self.skips.extend(other.skips);
    }

    pub(crate) fn summary(&self) -> String {
        let mut lines: Vec<String> = self.failures.iter().map(|it| format!("failed: {it}")).collect();
        lines.extend(self.skips.iter().map(|it| format!("skipped: {it}")));
        let install: BTreeSet<&str> =
            self.skips.iter().filter_map(|it| Some(it.split_once(INSTALL)?.1)).collect();
        if !install.is_empty() {
            let packages = install.into_iter().collect::<Vec<_>>().join(", ");
            lines.push(format!("To skip less, install: {packages}"));
        }
        let skipped = self.skips.len() as u64;
        let passed = self.passed.saturating_sub(skipped);
        lines.push(format!("{passed} passed, {} failed, {skipped} skipped", self.failed));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_list_failures_skips_and_packages() {
        let mut tally = Tally::default();
        for line in [
            "test rooms::order ... FAILED",
            "test rooms::games ... ok",
            "packaging::builds: skipped: no cmake: install cmake",
            "packaging::links: skipped: no cmake: install cmake",
            "packaging::links: skipped: no cmake: install cmake",
            "netns::ends: skipped: needs root",
            "api::names: skipped: no stub: install PyPI's stub",
            "a test's text: test result: FAILED. 7 passed; 1 failed; 0 ignored",
        ] {
            tally.add_line("tools", line);
        }
        let expected = "failed: tools rooms::order
skipped: tools api::names: no stub: install PyPI's stub
skipped: tools netns::ends: needs root
skipped: tools packaging::builds: no cmake: install cmake
skipped: tools packaging::links: no cmake: install cmake
To skip less, install: PyPI's stub, cmake
3 passed, 1 failed, 4 skipped";
        assert_eq!(tally.summary(), expected);
    }
}
