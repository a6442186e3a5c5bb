//! Game features built on the clock. The feature modules do not depend on each other.

pub mod latency;
pub mod order;
pub mod peer;
mod serial;
pub mod start;
pub mod timeline;
pub mod utc;
pub mod watch;
