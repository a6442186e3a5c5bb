//! `cargo xtask outside` runs the clock in third-party programs and compares it with their own clocks.
//! `outside/` is a workspace of its own, because its dependencies take minutes to build.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::bindings;
use crate::command;
use crate::{cargo, file_name, root, target_dir};

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

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Stranger {
    /// A game engine for Python with its own network clock
    Panda3d,
    /// A networking library for Bevy with its own timelines
    Lightyear,
}

pub(crate) fn outside(options: &Options) -> Result<ExitCode> {
    let wanted = |stranger| options.only.is_none_or(|only| only == stranger);
    let mut succeeded = true;
    if wanted(Stranger::Panda3d) {
        let smoke = ["--seconds", "30", "--row", "TCP queue up"].map(str::to_owned);
        let rest = if options.smoke { &smoke } else { options.rest.as_slice() };
        succeeded &= timed("Panda3D", || panda3d(rest))?;
    }
    if wanted(Stranger::Lightyear) && !options.smoke {
        succeeded &= timed("lightyear", || lightyear(&options.rest))?;
    }
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn timed(name: &str, run: impl FnOnce() -> Result<bool>) -> Result<bool> {
    let begun = Instant::now();
    println!("== {name}");
    let succeeded = run()?;
    println!("{name}: {:.0} s", begun.elapsed().as_secs_f64());
    Ok(succeeded)
}

fn panda3d(rest: &[String]) -> Result<bool> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| OsString::from("python3"));
    let mut look = Command::new(&python);
    look.args(["-c", "import direct.distributed.ClockDelta"]);
    if command::run(&mut look, "").is_err() {
        let advice = format!(
            "{} does not have Panda3D: python3 -m venv V; V/bin/pip install {PANDA}; {PYTHON}=V/bin/python",
            python.to_string_lossy()
        );
        return command::skip(&advice).map(|()| true);
    }
    let lab = built()?;
    let place = target_dir()?.join("outside/python");
    let module = place.join("netclock");
    let library = format!("{}netclock{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    fs::create_dir_all(&module).with_context(|| format!("creating {}", module.display()))?;
    fs::copy(lab.with_file_name(&library), module.join(&library)).context("copying the shared library")?;
    for file in bindings::PYTHON.map(|file| root().join(file)) {
        fs::copy(&file, module.join(file_name(&file))).context("copying the Python module")?;
    }
    let mut run = Command::new(python);
    run.arg(root().join("outside/panda3d/run.py")).arg("--lab").arg(lab).args(rest);
    succeeds(run.env("PYTHONPATH", place))
}

fn lightyear(rest: &[String]) -> Result<bool> {
    let lab = built()?;
    let manifest = Path::new("outside").join("Cargo.toml");
    let mut run = cargo();
    run.args(["run", "--locked", "--manifest-path"]).arg(manifest).arg("--").arg(lab);
    succeeds(run.args(rest))
}

/// Builds the workbench and the shared library beside it, and returns the workbench's path.
fn built() -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--package", "netclock", "--package", "netclock-lab"]);
    command::run(&mut build, "The programs need the library and the workbench.")?;
    Ok(target_dir()?.join("debug").join(format!("lab{}", std::env::consts::EXE_SUFFIX)))
}

fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command.status();
    Ok(status.with_context(|| format!("starting {}", command.get_program().to_string_lossy()))?.success())
}
