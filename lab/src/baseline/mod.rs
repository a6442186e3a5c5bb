//! Published clocks, re-implemented from their descriptions, to be measured beside the product.
//!
//! Each is a rule: seconds as doubles, taken relative to the first exchange so that nothing is lost to
//! rounding. `anchored` turns a rule into an
//! [`Estimator`](crate::measure::estimator::Estimator) on ticks.
//!
//! Notation, as everywhere: theta = server - client (positive: server ahead); a rule's offset estimates theta.
//! Systems that stamp only once on the server know `t1` (stamped on handling), pushes know `t2`.

mod anchored;
mod beatsync;
mod engine_average;
mod engine_push;
mod fade;
mod ircam;
mod learner;
mod lightyear;
mod list;
mod max_margin_hull;
mod median;
mod min_per_leg;
mod min_rtt_forever;
mod netfox;
mod one_shot;
mod oracle;
mod rule;
mod sendspin;
mod smallest_trip;
#[cfg(test)]
mod tests;
mod trimmed_mean;
mod vorixo;
mod window;

pub use learner::LEARNER;
pub use list::{Maker, PUBLISHED, TEXTBOOK, learner, oracle};
pub use oracle::ORACLE;
