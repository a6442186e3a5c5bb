//! The authority of a server's clock, and the messages about it.
//!
//! A *timescale* is the time that a game's clocks agree on. Its 64-bit identifier is the first server's
//! epoch, or a number assigned to a fleet of servers. An [`Authority`] is a run of a server's clock, its
//! timescale, and its dispersion. When the authority changes, clients that know both hand over instead of
//! starting over.

mod claim;
mod message;

pub use claim::{Authority, AuthorityError, MAX_DISPERSION};
pub use message::{AdoptionReply, AdoptionRequest, AuthorityReply, AuthorityRequest};
