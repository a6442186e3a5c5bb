//! Is a game world's time right during pauses, slow motion, hitches and travel? `lab study timeline`.

pub mod command;
mod engine;
pub mod game;
mod product;
pub mod run;
pub mod score;
pub mod suite;
