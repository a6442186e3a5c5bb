//! Exit codes, and a silent exit if the reader of the output closes the pipe.

use std::io::{self, ErrorKind, Write};
use std::panic::{self, PanicHookInfo};
use std::process::{self, ExitCode};

/// A guarantee was violated.
pub const FAULT: u8 = 1;
/// Incorrect usage or unusable input.
pub const BAD_USAGE: u8 = 2;
pub const NO_SERVER: u8 = 3;

pub const EXIT_CODES: &str = "\
Exit codes:
  0  success, or the reader of the output has closed it
  1  a guarantee was violated: a read was outside its bound, or a clock ran backwards
  2  incorrect usage, unusable input, or an error of the operating system
  3  no server answered, or a client never synchronised";

/// Exits silently if the reader closes the pipe, as `head` does.
///
/// `println!` would panic, and Cargo would report an error if a signal ended the process.
pub fn end_with_the_reader() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let is_print = |panic: &PanicHookInfo| {
            let text = panic.payload().downcast_ref::<String>();
            text.is_some_and(|text| text.starts_with("failed printing to stdout"))
        };
        // The panic payload contains only the error's text, so write again to get the error itself.
        if is_print(panic) && io::stdout().write_all(b"\n").is_err_and(|error| is_closed(&error)) {
            process::exit(0);
        }
        usual(panic);
    }));
}

pub fn is_closed(error: &io::Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}

pub(crate) fn verdict(is_kept: bool) -> ExitCode {
    if is_kept { ExitCode::SUCCESS } else { ExitCode::from(FAULT) }
}
