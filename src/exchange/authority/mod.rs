//! Whose clock a server shows, and the messages that say so.
//!
//! A *timescale* is what a game's clocks agree on, named by 64 bits: those of the first server's epoch, or a number that
//! a fleet of servers has been given. An [`Authority`] is a run of a server's clock together with how far it may be off
//! the timescale. Clients that know this go on when the authority changes, in place of starting over.

mod claim;
mod message;

pub use claim::{Authority, AuthorityError, MAX_DISPERSION};
pub use message::{Answer, Inquiry, Question, Statement};
