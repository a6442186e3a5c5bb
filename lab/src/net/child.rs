//! Child processes: copies of this program that communicate in lines and end with their parent.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child as Process, ChildStdin, Command, Stdio};
use std::sync::mpsc::Receiver;
use std::thread;

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::lifetime::{Stop, die_with_parent, input_lines};

/// A process of another command, which starts it
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The plan, in JSON
    plan: String,
}

impl Args {
    /// Begins a child. Returns its plan, its stop flag, and its parent's lines.
    pub(crate) fn begin<P: DeserializeOwned>(&self) -> Result<(P, Stop, Receiver<String>)> {
        let stop = Stop::on_ctrl_c()?;
        die_with_parent();
        let lines = input_lines(&stop, true);
        Ok((serde_json::from_str(&self.plan).context("unreadable plan")?, stop, lines))
    }
}

/// The arguments of a child of this kind with this plan.
pub(crate) fn arguments(kind: &str, plan: &impl Serialize) -> Result<[String; 3]> {
    Ok(["child".to_owned(), kind.to_owned(), serde_json::to_string(plan)?])
}

/// Sends a line of JSON to the parent.
pub(crate) fn say(what: &impl Serialize) -> Result<()> {
    writeln!(io::stdout().lock(), "{}", serde_json::to_string(what)?).context("the parent has ended")
}

/// A running child. Dropping it kills it.
pub(crate) struct Child {
    process: Process,
    input: ChildStdin,
}

impl Child {
    /// Starts this program as a child with `arguments`. `hear` gets each line of its output, and `None` at
    /// its end, and returns whether it wants more.
    pub(crate) fn start(
        arguments: &[String],
        mut hear: impl FnMut(Option<String>) -> bool + Send + 'static,
    ) -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program to start it again")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `lab {}`", arguments.join(" ")))?;
        let pipes = (process.stdin.take(), process.stdout.take());
        let (Some(input), Some(output)) = pipes else {
            return Err(anyhow!("a process was started without pipes"));
        };
        thread::spawn(move || {
            let mut lines = BufReader::new(output).lines().map_while(Result::ok);
            if lines.all(|line| hear(Some(line))) {
                hear(None);
            }
        });
        Ok(Child { process, input })
    }

    /// Writes a line to its input, without effect if the child has ended.
    pub(crate) fn write_line(&mut self, line: &str) {
        let _ = writeln!(self.input, "{line}");
    }

    /// Stops or continues the process, whatever it is doing. Returns false if the system cannot do that.
    #[cfg(unix)]
    pub(crate) fn freeze(&self, is_frozen: bool) -> bool {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        let signal = if is_frozen { Signal::SIGSTOP } else { Signal::SIGCONT };
        i32::try_from(self.process.id()).is_ok_and(|id| kill(Pid::from_raw(id), signal).is_ok())
    }

    #[cfg(not(unix))]
    pub(crate) fn freeze(&self, _is_frozen: bool) -> bool {
        false
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It fails only if the child has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
