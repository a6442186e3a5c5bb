//! An authority describes a server's clock, so that a game can switch servers without a clock step.
//!
//! A *timescale* is the time on which a game's clocks agree. Its 64-bit identifier is the first server's
//! epoch, or a number chosen for a fleet of servers. An [`Authority`] states a server's epoch, its timescale,
//! and its dispersion. A client that knows both the old and the new authority switches without a clock step.

mod claim;
mod message;

pub use claim::{Authority, AuthorityError, MAX_DISPERSION};
