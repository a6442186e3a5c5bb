//! Determines which of two events came first, what a client saw when it acted, and how far ahead to predict.
//! This module sends no messages, and only [`Lead`] keeps state.

mod arbitrate;
mod delays;
mod error;
mod lead;
mod rewind;
mod window;

pub use arbitrate::{Arbitration, Clocks, Order, Stamp, arbitrate};
pub use error::OrderError;
pub use lead::{Lead, LeadConfig};
pub use rewind::{Rewind, RewindLimit, RewindPath, rewind};
