//! Are cheats found, and honest players not? `lab study watch`.

pub mod command;
pub mod player;
