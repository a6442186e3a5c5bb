//! How a command ends.

use std::process::ExitCode;

/// Exit code of a run in which a promise was broken.
pub const FAULT: u8 = 1;
/// Exit code for bad usage or unusable input.
pub const BAD_USAGE: u8 = 2;
/// Exit code if no server answered.
pub const NO_SERVER: u8 = 3;

/// The exit codes, for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  a promise was broken: a read was outside its bound, or a clock went backwards
  2  bad usage, unusable input, or a refusal of the system
  3  no server answered, or a client never synchronised";

/// The end of a command that checks promises.
pub(crate) fn verdict(is_kept: bool) -> ExitCode {
    if is_kept { ExitCode::SUCCESS } else { ExitCode::from(FAULT) }
}
