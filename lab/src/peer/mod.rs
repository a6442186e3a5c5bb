//! Do peers agree behind a relay that holds messages? `lab peer`.

pub mod command;
mod line;
pub mod simulation;
