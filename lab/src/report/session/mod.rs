//! Evaluates sessions in hindsight for `lab report`, `lab doctor` and `lab export`.
//!
//! A recorded or simulated session is replayed to a new client (`rerun`). The client's readings are compared
//! with the truth or the best estimate in hindsight (`reference`). The resulting numbers (`evaluation`) are
//! the basis of verdicts ([`verdict`]) and charts (`charts`).

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
