//! Published clocks, reimplemented from their descriptions and measured beside NetClock.
//!
//! Each is a rule that calculates with seconds as doubles. The seconds count from the first exchange, so that
//! rounding loses nothing. `anchored` turns a rule into an
//! [`Estimator`](netclock_sim::measure::estimator::Estimator) that works with ticks.
//!
//! As everywhere, theta = server - client (positive: the server is ahead), and a rule's offset estimates
//! theta. A system that stamps once on the server knows `t1`; a system that pushes knows `t2`.

mod anchored;
mod faded;
mod learner;
mod list;
mod max_margin_hull;
mod oracle;
mod rule;
mod rules;
mod sendspin;
#[cfg(test)]
mod tests;

pub use learner::{HINTED_LEARNER, LEARNER};
pub(crate) use list::{BEST_ON_DEMO, BEST_RIVAL, ENGINE, RIVALS, exchange, maker};
pub use list::{Maker, PUBLISHED, all, hinted_learner, learner, oracle};
pub use oracle::ORACLE;
