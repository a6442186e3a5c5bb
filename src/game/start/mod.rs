//! Starts all clients at the same instant of server time, and counts beats from it.
//!
//! ```text
//!  organiser (server)                                     participant (client)
//!    admit, remove         ◀──── readiness, 4 per second ───   quality of its clock
//!    propose: T, or who
//!      is not ready        ───── start (version, T) ───────▶   fires once, in the first
//!    cancel                ───── cancel (version) ─────────▶   frame at or after T
//!      repeats until       ◀──── acknowledgement ──────────
//!    result: the spread    ◀──── result: when it fired ────
//! ```
//!
//! Participants' messages are unverified claims. A participant can delay the others by at most the
//! organiser's `patience`, and the organiser reports which participant does.

mod beat;
mod config;
mod error;
mod member;
mod message;
mod organiser;
mod participant;
mod report;
mod stepper;

pub use beat::Beat;
pub use config::OrganiserConfig;
pub use error::StartError;
pub use organiser::Organiser;
pub use participant::{Participant, Progress, Stage};
pub use report::{HoldUp, Participation, Proposal, StartResult};
pub use stepper::{Stepper, Steps};
