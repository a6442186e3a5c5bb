//! The measurement of whatever turns exchanges into a clock.
//!
//! ```text
//! Stream of Exchange -> Estimator -> Read -> Score
//! ```

pub mod estimator;
pub mod figures;
pub mod metrics;
pub mod product;
pub mod run;
pub mod session;
pub mod stream;
