//! What is simulated: clocks, the network between client and server, frame loops, and the randomness of it all.
//!
//! ```text
//! NetworkConfig -> Network -> Exchange
//! ```
//!
//! Time is simulated: a run depends on its configuration and seed alone.

pub(crate) mod agenda;
pub mod case;
pub mod clock;
pub mod frames;
pub mod leg;
pub mod network;
pub mod random;
pub mod scenario;
pub mod trace;
