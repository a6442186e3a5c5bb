//! Are messages in time for the prediction lead, and are verdicts on the order of events right?
//! `lab study lead`, `lab study order`.

pub mod arbitration;
pub mod lead;
pub mod lead_command;
pub mod order_command;
mod runs;
