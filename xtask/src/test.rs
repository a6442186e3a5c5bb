//! `cargo xtask test` runs all tests and then lists the failures, the skipped tests and the totals.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use crate::header;
use crate::programs::{Built, Program};
use crate::step::{Course, Ended, Outcome, Step, Tally, run, step};

/// The slowest programs start first, so that they do not run on their own at the end.
const LONG: &[&str] =
    &["unreal", "c", "lab/studies", "lab/processes", "tests/models/netclock_models (lib)", "netclock (lib)"];

/// The first program builds the library, so no program that links the library may run at the same time. The
/// second program does not link the library.
const LAST: [&str; 2] = ["tools", "lab/netclock_lab (lib)"];

const QUICK: Step = step(
    "Unit tests",
    // Model checks of the publication code take longer than all other tests together.
    "test --workspace --exclude netclock-models --lib --no-fail-fast",
    "Correct the errors above. A failing test runs alone with `cargo test --lib <part of its name>`.",
);

const ADVICE: &str = "A failing test runs alone with `cargo test <part of its name>`; a scenario prints the \
                      seed that repeats it.";

pub(crate) fn test(quick: bool) -> Result<ExitCode> {
    let outcome = if quick { run(&[QUICK])? } else { full()? };
    println!("\n{}", outcome.tally.summary());
    Ok(outcome.exit_code())
}

fn full() -> Result<Outcome> {
    let mut course = Course::default();
    println!("== Build");
    let start = Instant::now();
    let mut built = Built::build()?;
    built.programs.sort_by_key(|it| LONG.iter().position(|name| *name == it.name).unwrap_or(LONG.len()));
    header(true)?;
    let ended = Ended { tally: Tally::default(), succeeded: true, seconds: start.elapsed().as_secs_f64() };
    course.add("Build", ended, "");

    let is_last = |it: &&Program| LAST.contains(&it.name.as_str());
    let (last, first): (Vec<_>, Vec<_>) = built.programs.iter().partition(is_last);
    for programs in [first, last] {
        for (name, ended) in built.run(&programs)? {
            course.add(&name, ended, ADVICE);
        }
    }
    Ok(course.end())
}
