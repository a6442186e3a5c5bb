//! NetClock's workbench: everything behind the `lab` command.

pub mod baseline;
pub mod cmd;
pub mod demo;
pub mod game;
pub mod net;
pub mod plot;
pub mod recording;
pub mod sim;
pub mod trace;
