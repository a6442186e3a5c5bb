//! Published clocks, written again from their descriptions, to measure beside the product.
//!
//! Each is a rule on seconds as doubles. They count from the first exchange, so that rounding loses nothing.
//! `anchored` turns a rule into an
//! [`Estimator`](netclock_sim::measure::estimator::Estimator) on ticks.
//!
//! As everywhere, theta = server - client (positive: the server is ahead), and a rule's offset estimates
//! theta. A system that stamps once on the server knows `t1`; a system that pushes knows `t2`.

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

pub use learner::{HINTED_LEARNER, LEARNER};
pub use list::{Maker, PUBLISHED, all, hinted_learner, learner, oracle};
pub use oracle::ORACLE;
