//! Starts that are scheduled for many clients: `lab start`.

pub mod command;
pub mod plan;
pub mod simulation;
