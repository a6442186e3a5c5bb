//! `lab export`: converts recorded sessions for other tools.

pub mod command;
mod perfetto;
