//! `lab study timeline`: checks a game world's time during pauses, slow motion, hitches and travel.

pub mod command;
mod engine;
pub mod game;
mod product;
pub mod run;
pub mod score;
pub mod suite;
