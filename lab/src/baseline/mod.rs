//! Published clocks, reimplemented from their descriptions for comparison with NetClock.
//!
//! Each clock is a rule that computes with doubles in seconds since the first exchange, so rounding errors
//! are negligible. `anchored` turns a rule into an
//! [`Estimator`](netclock_sim::measure::estimator::Estimator), which works in ticks.
//!
//! The offset of a rule is an estimate of theta = server - client, which is positive if the server is ahead.
//! A system with a single server timestamp knows `t1`, and a system whose server pushes its time knows `t2`.

mod anchored;
mod faded;
mod learner;
mod list;
mod loops_learner;
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
