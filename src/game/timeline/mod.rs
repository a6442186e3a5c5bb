//! The time of the server's game world on clients.
//!
//! A world's clock pauses, runs slowly, loses time in a hitch and begins anew with each map. What is synchronised is
//! therefore real time, by a [`Client`](crate::Client); which world time belongs to it is what the server's
//! [`Publisher`] says, in [`Segment`]s, whenever that changes. A client's [`Timeline`] holds the recent ones.
//!
//! ```text
//!  server: world's clock ─▶ Publisher ─▶ Segment ──(any transport)──▶ Timeline ◀─ Reading of the server's real time
//!                                                                       │
//!                                                      world time ± bound, ages of stamps
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
mod view;

pub use config::{PublisherConfig, TimelineConfig};
pub use error::{ObserveError, SegmentError, WorldError};
pub use message::SEGMENT_SIZE;
pub use publisher::Publisher;
pub use rate::Rate;
pub use reading::{Age, RealRange, WorldReading};
pub use segment::Segment;
pub use view::Timeline;
