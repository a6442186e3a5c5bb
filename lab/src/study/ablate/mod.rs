//! What each mechanism and each constant of the clock's estimator is worth.

pub mod command;
mod runs;
