//! Whose clock a server shows, and the messages that say so.
//!
//! A *timescale* is what a game's clocks agree on. Its name has 64 bits: the first server's epoch, or a
//! number given to a fleet of servers. An [`Authority`] is a run of a server's clock, its timescale, and how
//! far it may be off. When the authority changes, clients that know both hand over and do not start over.

mod claim;
mod message;

pub use claim::{Authority, AuthorityError, MAX_DISPERSION};
pub use message::{AdoptionReply, AdoptionRequest, AuthorityReply, AuthorityRequest};
