//! Is a change in latency found, how soon, and how often falsely? `lab study latency`.

pub mod command;
pub mod simulation;
