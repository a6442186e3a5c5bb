//! Child processes that talk in lines and end with the demo.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child as Process, ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

use anyhow::{Context, Result, anyhow};

/// Names a child process for the parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// A server; servers are counted from 1.
    Server(usize),
    /// The forwarder of a client.
    Forwarder(usize),
    Client(usize),
}

/// A line of a child's output; none at the end of the child.
pub(crate) type Said = (Who, Option<String>);

/// A running child. Dropping it kills it.
pub(crate) struct Child {
    process: Process,
    input: ChildStdin,
}

impl Child {
    /// Starts this program as a child with `arguments`. Its output goes to `said`.
    ///
    /// # Errors
    /// The system refuses to start it.
    pub(crate) fn start(who: Who, arguments: &[String], said: &Sender<Said>) -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program to start it again")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start a process for {who:?}"))?;
        let pipes = (process.stdin.take(), process.stdout.take());
        let (Some(input), Some(output)) = pipes else {
            return Err(anyhow!("a process was started without pipes"));
        };
        let said = said.clone();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if said.send((who, Some(line))).is_err() {
                    return;
                }
            }
            // After the demo, nobody listens.
            let _ = said.send((who, None));
        });
        Ok(Child { process, input })
    }

    /// Writes a line to its input, which does nothing if the child has ended.
    pub(crate) fn write_line(&mut self, line: &str) {
        let _ = writeln!(self.input, "{line}");
    }

    /// Kills it at once.
    pub(crate) fn kill(&mut self) {
        // It fails only if the child has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// Stops the process, whatever it is doing. False if the system cannot do that.
    pub(crate) fn freeze(&self) -> bool {
        self.signal(Freeze::Stop)
    }

    /// Continues a stopped process.
    pub(crate) fn thaw(&self) -> bool {
        self.signal(Freeze::Continue)
    }

    #[cfg(unix)]
    fn signal(&self, what: Freeze) -> bool {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        let signal = match what {
            Freeze::Stop => Signal::SIGSTOP,
            Freeze::Continue => Signal::SIGCONT,
        };
        i32::try_from(self.process.id()).is_ok_and(|id| kill(Pid::from_raw(id), signal).is_ok())
    }

    #[cfg(not(unix))]
    fn signal(&self, _what: Freeze) -> bool {
        false
    }
}

enum Freeze {
    Stop,
    Continue,
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}
