//! Does the clock survive its host, with liars among the clients? `lab handover`.

pub mod command;
pub mod plan;
pub mod simulation;
