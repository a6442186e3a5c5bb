//! Runs clocks that learn from exchanges, and scores what they show.
//!
//! ```text
//! Stream of Exchange -> Estimator -> Read -> Score
//! ```

pub mod account;
pub mod estimator;
pub mod figures;
pub mod metrics;
pub mod product;
pub mod run;
