//! `lab study watch`: checks that cheats are found and honest players are not suspected.

pub mod command;
pub mod player;
