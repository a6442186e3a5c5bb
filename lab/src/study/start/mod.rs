//! How far apart do many clients start? `lab study start`.

pub mod command;
pub mod plan;
pub mod simulation;
