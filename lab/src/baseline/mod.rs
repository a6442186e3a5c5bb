//! Published clocks, reimplemented from their descriptions for comparison with NetClock.
//!
//! Each clock is a rule that counts seconds from the first exchange, so that doubles are precise enough.
//! `anchored` wraps a rule in an [`Estimator`](netclock_sim::measure::estimator::Estimator), which works in
//! ticks.
//!
//! A rule estimates theta, the server's time minus the client's. Rules for a single server timestamp read
//! only `t1`, and rules for servers that push their time read only `t2`. In the formulas, S is the single
//! server timestamp.

mod anchored;
mod faded;
mod learner;
mod list;
mod oracle;
mod rule;
mod rules;
mod sendspin;
#[cfg(test)]
mod tests;

pub use learner::{HINTED_LEARNER, LEARNER};
pub(crate) use list::{BEST_ON_DEMO, BEST_RIVAL, ENGINE, RIVALS, exchange, maker};
pub use list::{Maker, PUBLISHED, hinted_learner, learner, oracle};
pub use oracle::ORACLE;
