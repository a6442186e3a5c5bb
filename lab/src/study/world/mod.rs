//! The time of a game's world: `lab timeline`.

pub mod command;
pub mod course;
mod engine;
pub mod game;
mod picture;
mod product;
pub mod run;
pub mod score;
pub mod suite;
