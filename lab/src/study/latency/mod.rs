//! Is a changed latency found, how soon, and how often wrongly? `lab latency`.

pub mod command;
pub mod simulation;
