//! An authority, which describes a server's clock, and the message that carries it.
//!
//! A *timescale* is the time on which a game's clocks agree. Its 64-bit identifier is the first server's
//! epoch, or a number assigned to a fleet of servers. An [`Authority`] states a server's epoch, its
//! timescale, and its dispersion. When the authority changes, clients that know both authorities hand over
//! instead of starting over.

mod claim;
mod message;

pub use claim::{Authority, AuthorityError, MAX_DISPERSION};
