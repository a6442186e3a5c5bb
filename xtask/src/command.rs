use std::borrow::BorrowMut;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail, ensure};
use xshell::{Cmd, Shell};

use crate::root;

/// Returns a command that starts in the repository's root. `{name}` stands for a variable, `{names...}` for a
/// list of arguments, and the program `cargo` for the Cargo that started xtask.
macro_rules! cmd {
    ($words:tt) => {{
        let starter = $crate::command::Starter::new();
        std::process::Command::from(xshell::cmd!(starter, $words))
    }};
}
pub(crate) use cmd;

pub(crate) struct Starter(Shell);

impl Starter {
    pub(crate) fn new() -> Self {
        let shell = Shell::new().expect("the current directory exists");
        shell.change_dir(root());
        Self(shell)
    }

    /// Uses the Cargo that started xtask, because another toolchain's Cargo would rebuild everything.
    pub(crate) fn cmd(&self, program: impl AsRef<Path>) -> Cmd<'_> {
        let ours = std::env::var_os("CARGO").filter(|_| program.as_ref() == Path::new("cargo"));
        self.0.cmd(ours.map_or_else(|| program.as_ref().to_owned(), PathBuf::from))
    }
}

pub(crate) fn run(mut command: impl BorrowMut<Command>, advice: &str) -> Result<String> {
    let command = command.borrow_mut();
    let output = command.stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } =
        output.with_context(|| format!("{} could not be started: is it installed?", line(command)))?;
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    if !status.success() {
        bail!("{}\n{stdout}{stderr}exited with {status}. {advice}", line(command));
    }
    Ok(stdout.into_owned())
}

/// Runs a command without capturing its output.
pub(crate) fn succeeds(mut command: impl BorrowMut<Command>) -> Result<bool> {
    let command = command.borrow_mut();
    let status = command.status();
    Ok(status.with_context(|| format!("starting {}", command.get_program().to_string_lossy()))?.success())
}

/// Reports a skipped check. This is an error if the environment requires all tools.
pub(crate) fn skip(why: &str) -> Result<()> {
    let is_needed = std::env::var("NETCLOCK_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    ensure!(!is_needed, "{why}, and NETCLOCK_REQUIRE_TOOLS is 1");
    println!("skipped: {why}");
    Ok(())
}

pub(crate) fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
