use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail, ensure};

pub(crate) fn command(words: &[OsString], program: Option<&Path>) -> Result<Command> {
    let program = program.map(|path| path.as_os_str().to_owned());
    let mut words = words.iter().cloned().chain(program);
    let mut command = Command::new(words.next().context("the command is empty")?);
    command.args(words);
    Ok(command)
}

pub(crate) fn run(command: &mut Command, advice: &str) -> Result<String> {
    let output = command.stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } =
        output.with_context(|| format!("{} could not be started: is it installed?", line(command)))?;
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    if !status.success() {
        bail!("{}\n{stdout}{stderr}exited with {status}. {advice}", line(command));
    }
    Ok(stdout.into_owned())
}

/// Reports that a check was skipped, which is an error if the environment requires all tools.
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
