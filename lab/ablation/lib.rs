//! A copy of the clock in which each mechanism can be switched off and each constant can be scaled.
//!
//! The build script edits a copy of `src/clock/estimate`, so the shipped sources contain no switches.

#![allow(missing_docs, reason = "internal to the lab, and most fields are self-explanatory")]
// The tests and examples of `src/clock` only run in the library, because this copy lacks the features that
// they need.
#![cfg(not(any(test, doctest)))]

include!(concat!(env!("OUT_DIR"), "/clock.rs"));

pub use clock::{
    Client, Config, CreateError, Earlier, LocalTime, RateHint, Reply, RequestId, ServerTime, Span, State,
};
pub use switches::{CONSTANTS, Constant, MECHANISMS, Mechanism, Variation};

pub mod switches;
