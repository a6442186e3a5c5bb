//! `lab study start`: measures how far apart many clients start.

pub mod command;
pub mod plan;
pub mod simulation;
