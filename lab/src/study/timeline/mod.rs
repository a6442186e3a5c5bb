//! Is the time of a game's world right through pauses, slow motion, hitches and travel? `lab study timeline`.

pub mod command;
mod engine;
pub mod game;
mod product;
pub mod run;
pub mod score;
pub mod suite;
