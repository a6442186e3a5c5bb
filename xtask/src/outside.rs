//! `cargo xtask outside` runs the clock in third-party programs and compares it with their own clocks.
//! `outside/` is a separate workspace, because its dependencies take minutes to build.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};
use fs_err as fs;

use crate::bindings;
use crate::command::{cmd, run, skip, succeeds};
use crate::{file_name, root, target_dir, write};

/// The path of a Python that has Panda3D.
const PYTHON: &str = "NETCLOCK_PANDA_PYTHON";
const PANDA: &str = "panda3d==1.10.16";

#[derive(Args)]
pub(crate) struct Options {
    /// Only this program (default: each in turn)
    #[arg(long)]
    only: Option<Stranger>,
    /// Run only Panda3D, for half a minute on one network
    #[arg(long, conflicts_with = "only")]
    smoke: bool,
    /// Arguments for the program itself
    #[arg(last = true, requires = "only")]
    rest: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Stranger {
    /// A game engine for Python with its own network clock
    Panda3d,
    /// A networking library for Bevy with its own timelines
    Lightyear,
}

pub(crate) fn outside(options: &Options) -> Result<ExitCode> {
    let mut succeeded = true;
    for stranger in [Stranger::Panda3d, Stranger::Lightyear] {
        if options.only.is_some_and(|only| only != stranger)
            || (options.smoke && stranger != Stranger::Panda3d)
        {
            continue;
        }
        let begun = Instant::now();
        println!("== {stranger:?}");
        let smoke = ["--seconds", "30", "--row", "TCP queue up"].map(str::to_owned);
        succeeded &= match stranger {
            Stranger::Panda3d => panda3d(if options.smoke { &smoke } else { &options.rest })?,
            Stranger::Lightyear => lightyear(&options.rest)?,
        };
        println!("{stranger:?}: {:.0} s", begun.elapsed().as_secs_f64());
    }
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn panda3d(rest: &[String]) -> Result<bool> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| OsString::from("python3"));
    if run(cmd!("{python} -c 'import direct.distributed.ClockDelta'"), "").is_err() {
        let advice = format!(
            "{} does not have Panda3D: python3 -m venv V; V/bin/pip install {PANDA}; {PYTHON}=V/bin/python",
            python.to_string_lossy()
        );
        return skip(&advice).map(|()| true);
    }
    let lab = built()?;
    let place = target_dir()?.join("outside/python");
    let library = format!("{}netclock{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let files = bindings::PYTHON.map(|file| root().join(file));
    for file in files.into_iter().chain([lab.with_file_name(library)]) {
        write(&place.join("netclock").join(file_name(&file)), fs::read(&file)?)?;
    }
    succeeds(cmd!("{python} outside/panda3d/run.py --lab {lab} {rest...}").env("PYTHONPATH", place))
}

fn lightyear(rest: &[String]) -> Result<bool> {
    let lab = built()?;
    succeeds(cmd!("cargo run --locked --manifest-path outside/Cargo.toml -- {lab} {rest...}"))
}

/// Builds the workbench and the shared library beside it, and returns the workbench's path.
fn built() -> Result<PathBuf> {
    let build = cmd!("cargo build --package netclock --package netclock-lab");
    run(build, "The programs need the library and the workbench.")?;
    Ok(target_dir()?.join("debug").join(format!("lab{}", std::env::consts::EXE_SUFFIX)))
}
