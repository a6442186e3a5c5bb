//! A host that dies, and another one that takes its clock over: `lab handover`.

pub mod command;
pub mod plan;
pub mod simulation;
