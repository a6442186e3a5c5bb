//! The server's watch over its players' clocks: `lab watch`.

pub mod command;
pub mod player;
