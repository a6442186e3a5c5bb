//! Are messages in time for the prediction lead, and are verdicts on the order of events right? `lab lead`,
//! `lab arbitrate`.

pub mod arbitrate_command;
pub mod arbitration;
pub mod lead;
pub mod lead_command;
