//! NetClock's workbench: everything behind the `lab` command.

pub mod baseline;
pub mod demo;
pub mod game;
pub mod measure;
pub mod net;
pub mod recording;
pub mod replay;
pub mod report;
pub mod sim;
pub mod study;
