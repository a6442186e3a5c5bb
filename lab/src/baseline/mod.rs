//! Published clocks, reimplemented from their descriptions for comparison with NetClock.
//!
//! Each clock is a rule that computes in seconds since the first exchange, so doubles are accurate enough.
//! `anchored` turns it into an [`Estimator`](netclock_sim::measure::estimator::Estimator), which works in
//! ticks.
//!
//! A rule estimates theta = server - client, which is positive if the server is ahead. Systems with a single
//! server timestamp know `t1`, and systems whose server pushes its time know `t2`.

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
