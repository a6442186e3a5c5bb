//! Does the clock survive its host, with liars among the clients? `lab study handover`.

pub mod command;
pub mod simulation;
