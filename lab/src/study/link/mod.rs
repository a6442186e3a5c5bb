//! The link in real processes: `lab study link`.

pub mod child;
pub mod command;
mod crowd;
mod flood;
mod host;
mod player;
mod usage;
