//! The server's half of an exchange, and its watch over the clocks of its clients.

mod edge;
mod rate_watch;
mod responder;
mod verdict;

pub use rate_watch::RateWatch;
pub use responder::Responder;
pub use verdict::{RateFinding, RateLevel, RateVerdict, RateWatchConfig, ReportError};
