//! The server's UTC on clients, for daily resets and dated events.
//!
//! A client knows the server's clock, which begins anywhere. The server says what UTC that clock's zero is,
//! and again when that changes: a [`UtcClaim`]. It is a claim of the server. It is as good as the UTC of the
//! server's machine, and the machine's source of time may state how good that is.
//!
//! ```text
//!  server: utc_now ─▶ UtcPublisher ─▶ UtcClaim ──(any transport)──▶ ServerUtc ◀─ Reading of server time
//!                                                                      │
//!                                                              UTC ± bound, or nothing
//! ```
//!
//! UTC may jump, forwards and backwards, whenever the claim changes: people and time services set clocks. Use
//! it for dates. Measure durations with server time, which never goes back within an epoch. `docs/utc.md`
//! explains leap seconds.

mod claim;
mod error;
mod message;
mod publisher;
mod reading;
mod sample;
mod view;

pub use claim::{MAX_CLAIM_BOUND, MAX_UTC, UtcClaim};
pub use error::{UtcClaimError, UtcError, UtcObserveError};
pub use message::{UTC_DATAGRAM_SIZE, UtcReply, UtcRequest};
pub use publisher::{UtcPublisher, UtcPublisherConfig};
pub use reading::{UtcChange, UtcReading};
pub use sample::{UtcSample, utc_now};
pub use view::ServerUtc;
