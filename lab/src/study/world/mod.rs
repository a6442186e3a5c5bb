//! The time of a game's world: `lab timeline`.

pub mod command;
pub mod course;
pub mod game;
mod picture;
pub mod score;
pub mod suite;
