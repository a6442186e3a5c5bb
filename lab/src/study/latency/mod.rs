//! Is a changed latency found, how soon, and how often wrongly? `lab study latency`.

pub mod command;
pub mod simulation;
