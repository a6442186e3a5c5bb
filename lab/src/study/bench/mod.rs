//! How good is the clock compared with every published clock, on the same exchanges? `lab study bench`.

pub mod command;
pub mod knowing;
pub mod linked;
pub mod suite;
pub mod summary;
mod tables;
