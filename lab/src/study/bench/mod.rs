//! `lab study bench`: compares the clock with every published clock on the same exchanges.

pub mod command;
pub mod ours;
pub mod suite;
pub mod summary;
mod tables;
