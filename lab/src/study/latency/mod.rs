//! Reports of changed latency, and the speed that hides it: `lab latency`.

pub mod command;
pub mod simulation;
