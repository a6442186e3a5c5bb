//! Commands that end when the user interrupts this program.
//!
//! A signal only sets a flag. Code that waits for a command looks at the flag and returns an error, so that
//! destructors remove what is half done.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How often a running command is looked at.
const PACE: Duration = Duration::from_millis(20);

/// From now on Ctrl-C and the request to end become errors of [`run`] and [`check_interruption`].
pub(super) fn catch_interruption() -> Result<()> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::SeqCst))
        .context("Ctrl-C cannot be caught, so an interrupted run would leave files behind")
}

pub(super) fn check_interruption() -> Result<()> {
    if INTERRUPTED.load(Ordering::SeqCst) {
        bail!("interrupted: nothing was changed");
    }
    Ok(())
}

/// A command of these words, and then of the program if there is one.
pub(super) fn command(words: &[OsString], program: Option<&Path>) -> Result<Command> {
    let program = program.map(|path| path.as_os_str().to_owned());
    let mut words = words.iter().cloned().chain(program);
    let mut command = Command::new(words.next().context("there is nothing to start")?);
    command.args(words);
    Ok(command)
}

/// Runs a command to its end and returns what it printed. `advice` is what to do when it fails.
pub(super) fn run(command: &mut Command, advice: &str) -> Result<String> {
    let Ended { status, stdout, stderr } = end(command)?;
    if !status.success() {
        bail!("{}\n{stdout}{stderr}ended with {status}. {advice}", line(command));
    }
    Ok(stdout)
}

pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Runs a command to its end, however that is.
pub(super) fn end(command: &mut Command) -> Result<Ended> {
    check_interruption()?;
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{program} could not be started: is it installed?"))?;
    let (stdout, stderr) = (collected(child.stdout.take()), collected(child.stderr.take()));
    let status = loop {
        if let Some(status) = child.try_wait().with_context(|| format!("waiting for {program}"))? {
            break status;
        }
        end_if_interrupted(&mut child)?;
        thread::sleep(PACE);
    };
    let text = |reader: thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
    };
    check_interruption()?;
    Ok(Ended { status, stdout: text(stdout), stderr: text(stderr) })
}

fn end_if_interrupted(child: &mut Child) -> Result<()> {
    let interrupted = check_interruption();
    if interrupted.is_err() {
        // It may have ended by itself: the terminal interrupts it too.
        let _ = child.kill();
        let _ = child.wait();
    }
    interrupted
}

/// Reads all of a pipe beside the loop that waits, so that a full pipe holds up no command.
fn collected(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The command as one would type it.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
