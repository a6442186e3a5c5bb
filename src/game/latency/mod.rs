//! Detects latency changes in each direction, and computes a playback speed for the local avatar that hides
//! them.
//!
//! ```
//! use netclock::latency::{LatencyConfig, LatencyWatch};
//! # use netclock::{Client, Config, LocalTime};
//! # fn frame(client: &Client, watch: &mut LatencyWatch, now: LocalTime, mut play_at: impl FnMut(f64)) {
//! // after each reply passed to the client:
//! let _ = watch.follow(client);
//! while let Some(change) = watch.next_change() {
//!     println!("{:?}: {} -> {}", change.direction, change.before, change.after);
//! }
//! // every frame:
//! play_at(watch.speed(now).scale);
//! # }
//! # let client = Client::new(Config::default(), 7).unwrap();
//! # let mut watch = LatencyWatch::new(&LatencyConfig::default()).unwrap();
//! # frame(&client, &mut watch, LocalTime::from_ticks(0), |scale| assert_eq!(scale, 1.0));
//! ```

mod config;
mod error;
mod evidence;
mod level;
mod report;
mod speed;
mod watch;

pub use config::{Hide, LatencyConfig};
pub use error::LatencyError;
pub use report::LatencyChange;
pub use speed::Speed;
pub use watch::LatencyWatch;
