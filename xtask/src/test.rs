//! `cargo xtask test` runs all tests and then lists the failures, the skipped tests and the totals. `cargo
//! xtask tables` updates the tables that tests compute, and the code blocks on pages. `cargo xtask unreal`
//! tests the plugin in shipping builds and on Windows, which takes minutes.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use crate::programs::{Built, Program};
use crate::step::{Course, Ended, Step, Tally, run, step};
use crate::{blocks, dist, header, skip, target_dir};

/// The slowest programs start first, so that they do not run alone at the end.
const LONG: &[&str] =
    &["unreal", "c", "lab/studies", "lab/processes", "tests/models/netclock_models (lib)", "netclock (lib)"];

/// The first program builds the library, so no program that links the library may run at the same time. The
/// second program does not link the library.
const LAST: [&str; 2] = ["tools", "lab/netclock_lab (lib)"];

const ADVICE: &str = "A failing test runs alone with `cargo test <part of its name>`; a scenario prints the \
                      seed that repeats it.";

const QUICK: &str = "Correct the errors above. A failing test runs alone with `cargo test --lib <part of its \
                     name>`.";

pub(crate) fn test(quick: bool) -> Result<ExitCode> {
    // Model checks of the publication code take longer than all other tests together.
    let units = "test --workspace --exclude netclock-models --lib --no-fail-fast";
    summed_up(if quick { run(&[step("Unit tests", units, QUICK)])? } else { full()? })
}

pub(crate) fn unreal() -> Result<ExitCode> {
    if let Err(reason) = dist::windows_library(&target_dir()?.join("unreal-windows")) {
        skip(&format!("the library for Windows. {reason:#}"))?;
    }
    summed_up(run(&[step(
        "The plugin, shipped and on Windows",
        "test --workspace --test unreal -- --ignored",
        "One of them runs alone with `cargo test --test unreal <part of its name> -- --ignored`.",
    )])?)
}

pub(crate) fn tables() -> Result<ExitCode> {
    blocks(false)?;
    let step = step(
        "docs/c-abi-bad-input.md, tests/c_abi/pins.c",
        "test --package netclock --lib ffi::tests",
        "A call does not do what src/ffi/tests/bad_input expects. Correct one of them.",
    );
    Ok(run(&[Step { env: &[("NETCLOCK_WRITE_TABLES", "1")], ..step }])?.exit_code())
}

fn summed_up(course: Course) -> Result<ExitCode> {
    println!("\n{}", course.tally.summary());
    Ok(course.exit_code())
}

fn full() -> Result<Course> {
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
    course.print();
    Ok(course)
}
