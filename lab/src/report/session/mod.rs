//! The evaluation of a session in hindsight, and its presentation in words and charts. `lab report`, `lab
//! doctor` and `lab export` present the same evaluation.
//!
//! A recording (or a simulation) is given to a new client (`rerun`). It is compared with the truth, or with
//! the best estimate in hindsight (`reference`), and turned into numbers (`evaluation`). These are judged
//! ([`verdict`]) and shown (`charts`).

pub(crate) mod charts;
mod events;
mod foreign;
pub(crate) mod evaluation;
pub(crate) mod reference;
mod replayed;
pub(crate) mod rerun;
pub mod simulate;
pub mod verdict;
pub(crate) mod what_if;
