//! Evaluates a session in hindsight, and presents the evaluation in words and charts. `lab report`, `lab
//! doctor` and `lab export` all use the same evaluation.
//!
//! A recording or a simulation is passed to a new client (`rerun`). The result is compared with the truth, or
//! with the best estimate in hindsight (`reference`), and turned into numbers (`evaluation`). The numbers are
//! judged ([`verdict`]) and shown (`charts`).

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
