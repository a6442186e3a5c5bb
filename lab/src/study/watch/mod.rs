//! `lab study watch`: checks that the server detects cheats and does not suspect honest players.

pub mod command;
pub mod player;
