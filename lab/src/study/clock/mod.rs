//! How good is the clock beside every published clock, on the same exchanges? `lab bench`.

pub mod command;
pub mod knowing;
mod markdown;
mod page;
pub mod suite;
pub mod summary;
mod tables;
