//! Child processes: copies of this program that communicate in lines of text and end with their parent.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child as Process, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use anyhow::{Context, Result};
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
    /// Starts the work of a child process. Returns its plan, its stop flag, and the lines that its parent
    /// sends.
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

/// A running child that prints lines of JSON and ends with its input. Dropping it kills it.
pub(crate) struct Child {
    process: Process,
    lines: Receiver<String>,
}

impl Child {
    /// Starts this program as a child with `arguments`.
    pub(crate) fn start(arguments: &[String]) -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program to start it again")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `lab {}`", arguments.join(" ")))?;
        let output = BufReader::new(process.stdout.take().context("a process was started without pipes")?);
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Ok(Child { process, lines })
    }

    /// Reads the next line and returns its value.
    pub(crate) fn line<T: DeserializeOwned>(&mut self) -> Result<T> {
        let line = self.lines.recv().context("a process ended without output")?;
        serde_json::from_str(&line).with_context(|| format!("unreadable line `{line}`"))
    }

    /// Discards the buffered lines, waits for the next one, and returns its value.
    pub(crate) fn latest<T: DeserializeOwned>(&mut self) -> Result<T> {
        self.lines.try_iter().for_each(drop);
        self.line()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // This fails only if the child has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
