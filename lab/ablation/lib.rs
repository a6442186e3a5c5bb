//! A copy of the clock with a switch for each mechanism of its estimator, and a factor for each constant.
//!
//! The build script edits a copy of `src/clock/estimate`, so the shipped sources contain no switches.

// The copy lacks the features that the tests and examples of `src/clock` need. The library runs these.
#![cfg(not(any(test, doctest)))]

include!(concat!(env!("OUT_DIR"), "/clock.rs"));

pub use clock::{
    Client, Config, CreateError, Earlier, LocalTime, RateHint, Reply, RequestId, ServerTime, Span, State,
};
pub use switches::{CONSTANTS, Constant, MECHANISMS, Mechanism, Variation};

pub mod switches;
