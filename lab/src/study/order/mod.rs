//! Messages in time for the prediction lead, and the order of events: `lab lead` and `lab arbitrate`.

pub mod arbitrate_command;
pub mod arbitration;
pub mod lead;
pub mod lead_command;
