//! The commands, one module each: its `Args`, and `run`, which says how the process shall end.
//!
//! Exit codes: 0 all is well, 1 it ran but something measured is not as promised, 2 bad usage or unusable input.

pub mod bench;
mod page;
pub mod replay;
mod report;

/// Exit code for something measured that is not as promised.
pub const FAULT: u8 = 1;
/// Exit code for bad usage and unusable input.
pub const BAD_USAGE: u8 = 2;
