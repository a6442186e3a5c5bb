//! Peers that share a clock through a relay: `lab peer`.

pub mod command;
mod line;
pub mod simulation;
