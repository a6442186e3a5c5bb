//! Evaluates a session in hindsight, for `lab report`, `lab doctor` and `lab export`.
//!
//! A new client replays a recorded or simulated session (`rerun`). Comparing its readings with the truth or
//! the best estimate in hindsight (`reference`) yields numbers (`evaluation`), from which verdicts
//! ([`verdict`]) and charts (`charts`) are made.

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
