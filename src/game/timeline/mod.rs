//! Provides the time of the server's game world on clients.
//!
//! A world's clock may pause, run slowly, lose time in a hitch, and restart with each map. Real time does
//! none of this, so a [`Client`](crate::Client) synchronises only real time. The server's [`Publisher`] maps
//! real time to world time and publishes a [`Segment`] whenever the mapping changes. A client's [`Timeline`]
//! stores the recent segments.
//!
//! ```text
//!  server: world's clock ─▶ Publisher ─▶ Segment ──(any transport)──▶ Timeline ◀─ Reading of server time
//!                                                                       │
//!                                                      world time ± bound
//! ```

mod config;
mod error;
mod fit;
mod map;
mod message;
mod publisher;
mod rate;
mod reading;
mod segment;
mod shown;
mod speed;
mod view;

pub use config::{PublisherConfig, TimelineConfig};
pub use error::{ObserveError, SegmentError, WorldError};
pub use message::SEGMENT_SIZE;
pub use publisher::Publisher;
pub use rate::Rate;
pub use reading::{RealRange, WorldReading};
pub use segment::Segment;
pub use view::Timeline;
