//! Evaluates sessions in hindsight for `lab report`, `lab doctor` and `lab export`.
//!
//! A new client replays a recorded or simulated session (`rerun`). Its readings are compared with the truth
//! or the best estimate in hindsight (`reference`). The results (`evaluation`) are the basis of verdicts
//! ([`verdict`]) and charts (`charts`).

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
