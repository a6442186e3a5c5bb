//! A simulated session: clocks, path, frame loops, the stream of exchanges they produce, and the measurement of
//! whatever turns that stream into a clock.
//!
//! ```text
//! WorldConfig -> World -> Stream of Exchange -> Estimator -> Read -> Score
//! ```
//!
//! Time is simulated: a run depends on its configuration and seed alone.

mod agenda;
pub mod arbitration;
pub mod clock;
pub mod estimator;
pub mod frames;
pub mod game;
pub mod handover;
pub mod latency;
pub mod lead;
pub mod leg;
pub mod metrics;
pub mod peers;
pub mod player;
pub mod product;
pub mod random;
pub mod run;
pub mod scenario;
pub mod start;
pub mod stream;
pub mod suite;
pub mod summary;
pub mod world;
pub mod worldscore;
pub mod worldsuite;
pub mod worldtime;
