//! Starts all clients at the same instant of server time, and counts beats from it.
//!
//! ```text
//!  organiser (server)                                     participant (client)
//!    propose: T, or who     ◀── report, 4 per second ──   quality of its clock
//!      is not ready
//!    cancel                 ─── announcement (session) ─▶ fires once, in the first
//!    result: the spread     ◀── report: when it fired ──  frame at or after T
//! ```
//!
//! A session carries the messages and repeats the announcement. Reports are claims that the organiser cannot
//! verify. A participant can delay the others by at most the organiser's `patience`. The organiser reports
//! which participant causes the delay.

mod beat;
#[cfg(feature = "session")]
mod config;
#[cfg(feature = "session")]
mod error;
#[cfg(feature = "session")]
mod member;
#[cfg(feature = "session")]
mod message;
#[cfg(feature = "session")]
mod organiser;
#[cfg(feature = "session")]
mod participant;
#[cfg(feature = "session")]
mod report;
mod stepper;
#[cfg(all(test, feature = "session"))]
mod tests;

pub use beat::Beat;
pub use stepper::{Stepper, Steps};
#[cfg(feature = "session")]
pub use {
    config::StartConfig,
    error::StartError,
    participant::{Progress, Stage},
    report::{HoldUp, Participation, Proposal, StartResult},
};
#[cfg(feature = "session")]
pub(crate) use {
    message::{Announcement, Report},
    organiser::Organiser,
    participant::Participant,
};
