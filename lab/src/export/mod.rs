//! `lab export`: recorded sessions for the tools that people have.

pub mod command;
mod perfetto;
mod protobuf;
