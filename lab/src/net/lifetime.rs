//! When to stop: Ctrl-C, the end of the time asked for, or the end of the parent process.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};

use anyhow::{Context, Result};
use netclock::Span;

use super::clock::{self, MachineTime};

/// How long a program runs.
#[derive(clap::Args, Debug)]
pub(crate) struct Lifetime {
    /// End after this many seconds
    #[arg(long, value_name = "N")]
    seconds: Option<u32>,
    /// End when the standard input closes
    #[arg(long, hide = true)]
    with_parent: bool,
}

impl Lifetime {
    /// Begins to listen for Ctrl-C and, if there is a parent, for its end. Once per process.
    pub(crate) fn begin(&self) -> Result<Stop> {
        let stop = Stop::on_ctrl_c()?;
        if self.with_parent {
            die_with_parent();
            input_lines(&stop, true);
        }
        Ok(stop)
    }

    /// As [`begin`](Self::begin), for a program that takes commands: with the lines of the standard input.
    pub(crate) fn begin_with_commands(&self) -> Result<(Stop, Receiver<String>)> {
        let stop = Stop::on_ctrl_c()?;
        if self.with_parent {
            die_with_parent();
        }
        let lines = input_lines(&stop, self.with_parent);
        Ok((stop, lines))
    }

    /// Whether a program that started at `start` has run for as long as it was asked to.
    pub(crate) fn is_over(&self, start: MachineTime) -> bool {
        self.seconds.is_some_and(|seconds| clock::now() - start >= Span::from_secs(seconds.into()))
    }
}

/// Set once, from anywhere; asked often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Set by Ctrl-C (and by SIGTERM and SIGHUP where they exist). Once per process.
    pub(crate) fn on_ctrl_c() -> Result<Self> {
        let stop = Stop::default();
        let asked = stop.clone();
        ctrlc::set_handler(move || asked.set()).context("cannot listen for Ctrl-C")?;
        Ok(stop)
    }

    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Lines of the standard input, as they come. If it `ends_with_input`, `stop` is set when the input closes:
/// that is how a child process learns that its parent is gone.
pub(crate) fn input_lines(stop: &Stop, ends_with_input: bool) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let stop = stop.clone();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            // Whoever does not listen may still want to know of the end.
            let _ = sender.send(line);
        }
        if ends_with_input {
            stop.set();
        }
    });
    receiver
}

/// Makes sure that this process does not outlive its parent even while it is stopped by a signal and cannot
/// notice its input closing. Linux only; elsewhere a stopped orphan stays until it is continued.
pub(crate) fn die_with_parent() {
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL) {
        eprintln!("lab: cannot tie this process to its parent: {error}");
    }
}
