//! How far apart do many clients start? `lab start`.

pub mod command;
pub mod plan;
pub mod simulation;
