//! `lab study latency`: measures how soon latency changes are reported, and how many reports are false.

pub mod command;
pub mod simulation;
