use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};

use anyhow::{Context, Result};
use netclock::Span;

use super::clock::{self, MachineTime};

/// Options that determine when a program ends.
#[derive(clap::Args, Debug)]
pub(crate) struct Lifetime {
    /// End after this many seconds
    #[arg(long, value_name = "N")]
    seconds: Option<u32>,
    /// End when standard input closes
    #[arg(long, hide = true)]
    with_parent: bool,
}

impl Lifetime {
    /// Listens for Ctrl-C and, with `with_parent`, for the end of the parent. Call this once per process.
    /// Standard input is read only with `with_parent`, because the system stops background programs that read
    /// from the terminal.
    pub(crate) fn begin(&self) -> Result<(Stop, Option<Receiver<String>>)> {
        let stop = Stop::on_ctrl_c()?;
        let lines = self.with_parent.then(|| {
            die_with_parent();
            input_lines(&stop, true)
        });
        Ok((stop, lines))
    }

    pub(crate) fn is_over(&self, start: MachineTime) -> bool {
        self.seconds.is_some_and(|seconds| clock::now() - start >= Span::from_secs(seconds.into()))
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens for Ctrl-C, SIGTERM and SIGHUP. Call this once per process.
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

/// If `ends_with_input` is true, the end of standard input sets `stop`, so that a child process ends with its
/// parent.
pub(crate) fn input_lines(stop: &Stop, ends_with_input: bool) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let stop = stop.clone();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            // Sending fails if the receiver was dropped, but we keep reading to detect the end of the input.
            let _ = sender.send(line);
        }
        if ends_with_input {
            stop.set();
        }
    });
    receiver
}

/// Kills this process when its parent dies (Linux only). A process stopped by a signal would not notice that
/// its input has ended.
pub(crate) fn die_with_parent() {
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL) {
        eprintln!("lab: cannot tie this process to its parent: {error}");
    }
}
