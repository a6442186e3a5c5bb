//! `lab study start`: measures how far apart many clients execute a scheduled start.

pub mod command;
pub mod plan;
pub mod simulation;
