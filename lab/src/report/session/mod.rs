//! Evaluates sessions in hindsight for `lab report`, `lab doctor` and `lab export`.
//!
//! A new client replays a recorded or simulated session (`rerun`). The client's readings are compared with
//! the truth or the best estimate in hindsight (`reference`). Verdicts ([`verdict`]) and charts (`charts`)
//! are based on the results (`evaluation`).

pub(crate) mod charts;
mod events;
mod foreign;
pub(crate) mod evaluation;
pub(crate) mod reference;
pub(crate) mod rerun;
pub mod simulate;
pub mod verdict;
pub(crate) mod what_if;
