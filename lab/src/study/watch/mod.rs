//! Are cheats found without suspecting honest players? `lab study watch`.

pub mod command;
pub mod player;
