//! How a command ends.

use std::process::ExitCode;

/// Exit code for something measured that is not as promised.
pub const FAULT: u8 = 1;
/// Exit code for bad usage and unusable input.
pub const BAD_USAGE: u8 = 2;
/// Exit code for a server that never answered.
pub const NO_SERVER: u8 = 3;

/// The exit codes, for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  something measured is not as promised: a read outside its bound, a clock that went backwards
  2  bad usage, unusable input, or the system refused something
  3  no server answered, or a client never got synced";

/// The end of a command that measured something: all is well, or something is not as promised.
pub(crate) fn verdict(is_kept: bool) -> ExitCode {
    if is_kept { ExitCode::SUCCESS } else { ExitCode::from(FAULT) }
}
