//! How often is a report right? `lab study verdicts`.

pub mod command;
pub mod sessions;
