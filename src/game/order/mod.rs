//! What a game does with the clock: which of two events came first, what a client saw when it acted, and how far
//! ahead of the server to predict. No function here talks to anybody; only [`Lead`] remembers anything.

mod arbitrate;
mod delays;
mod error;
mod lead;
mod rewind;
mod window;

pub use arbitrate::{Clocks, Order, Stamp, Verdict, arbitrate};
pub use error::OrderError;
pub use lead::{Lead, LeadConfig, Note};
pub use rewind::{Limit, Path, Rewind, rewind};
