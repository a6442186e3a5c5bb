//! Are cheats found, and honest players not? `lab watch`.

pub mod command;
pub mod player;
