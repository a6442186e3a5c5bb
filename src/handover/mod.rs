//! A timescale outlives its servers: who says what of it, and how a new server takes it over.
//!
//! A *timescale* is what a game's clocks agree on, named by 64 bits: those of the first server's epoch, or a number that a
//! fleet of servers has been given. An [`Authority`] is a run of a server's clock together with how far it may be off the
//! timescale. Clients that are told so go on when the authority changes, in place of starting over.

mod authority;
mod message;

pub use authority::{Authority, MAX_DISPERSION};
pub use message::{Answer, Inquiry, Question, Statement};
