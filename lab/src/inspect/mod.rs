//! Sessions looked at in hindsight: what happened, in words and in charts.
//!
//! A recording (or a simulation) is given to a new client (`rerun`), compared with the truth or with the best
//! estimate in hindsight (`reference`), turned into numbers (`look`), judged ([`verdict`]) and shown
//! (`charts`).

pub(crate) mod charts;
pub mod command;
mod events;
pub(crate) mod look;
pub(crate) mod reference;
pub mod replay;
mod replayed;
pub(crate) mod rerun;
pub(crate) mod results;
pub mod simulate;
pub mod verdict;
pub(crate) mod what_if;
