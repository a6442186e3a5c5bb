//! Whether the latency changed, in which direction and by how much, and at which speed the local avatar hides it.
//!
//! ```
//! use netclock::latency::{LatencyConfig, LatencyWatch};
//! # use netclock::{Client, Config, LocalTime};
//! # fn frame(client: &Client, watch: &mut LatencyWatch, now: LocalTime, mut play_at: impl FnMut(f64)) {
//! // after each reply that the client was handed:
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
mod evidence;
mod level;
mod speed;
mod watch;

pub use config::{Hide, LatencyChange, LatencyConfig, LatencyError, Learnt, Level};
pub use speed::Speed;
pub use watch::LatencyWatch;
