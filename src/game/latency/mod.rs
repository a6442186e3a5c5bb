//! Detects latency changes in each direction, and computes a playback speed for the local avatar that hides
//! them.

mod evidence;
mod level;
mod speed;
mod watch;

pub use speed::Speed;
pub use watch::{LatencyChange, LatencyWatch};
