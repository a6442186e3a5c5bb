//! `lab study timeline`: checks a game world's time during pauses, slow motion, hitches and travel.

pub mod command;
pub mod game;
pub mod run;
pub mod score;
