//! What tests, fuzz targets and the lab simulate: clocks, the network between client and server, frame loops, recorded delays,
//! and their randomness. [`measure`] is the judge.
//!
//! ```text
//! NetworkConfig -> Network -> Exchange -> measure
//! ```
//!
//! Time is simulated too, so a run depends only on its configuration and its seed.

pub mod agenda;
pub mod case;
pub mod clock;
pub mod frames;
pub mod leg;
pub mod measure;
pub mod network;
pub mod pair;
pub mod peers;
pub mod random;
pub mod remote;
pub mod slew;
pub mod trace;
