//! A start at one instant of the server's time, and the beats that are counted from it.
//!
//! ```text
//!  organiser (server)                                     participant (client)
//!    admit, leave out      ◀──── readiness, 4 a second ─────   how good its clock is
//!    propose: T, or who
//!      holds it up         ───── start (version, T) ───────▶   fires once, in the first
//!    cancel                ───── cancel (version) ─────────▶   frame at or after T
//!      repeats until       ◀──── acknowledgement ──────────
//!    outcome: the spread   ◀──── result: when it fired ────
//! ```
//!
//! What a participant says is a claim. It can keep the others waiting for as long as the organiser's patience, never
//! longer, and is named meanwhile.

mod beat;
mod config;
mod error;
mod message;
mod need;
mod organiser;
mod participant;
mod proposal;
mod seat;
mod stepper;

pub use beat::Beat;
pub use config::OrganiserConfig;
pub use error::StartError;
pub use organiser::Organiser;
pub use participant::{Participant, Progress, Stage};
pub use proposal::{Outcome, Proposal};
pub use seat::{HoldUp, Participation};
pub use stepper::{Stepper, Steps};
