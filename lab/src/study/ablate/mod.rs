//! Measures how much each mechanism and constant of the estimator contributes.

pub mod command;
mod runs;
