//! What the studies simulate: clocks, the network between client and server, frame loops, and their randomness.
//!
//! ```text
//! NetworkConfig -> Network -> Exchange
//! ```
//!
//! Time is simulated too, so a run depends only on its configuration and its seed.

pub(crate) mod agenda;
pub mod case;
pub mod clock;
pub mod frames;
pub mod leg;
pub mod network;
pub mod random;
pub mod scenario;
pub mod slew;
pub mod trace;
