//! `lab export`: recorded sessions for other tools.

pub mod command;
mod perfetto;
