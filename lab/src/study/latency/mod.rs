//! `lab study latency`: measures whether and how soon latency changes are reported, and how often falsely.

pub mod command;
pub mod simulation;
