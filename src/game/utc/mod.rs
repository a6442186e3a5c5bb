//! Provides the server's UTC on clients, for daily resets and scheduled events.
//!
//! A client knows the server's clock, which has an arbitrary zero. In a [`UtcClaim`], the server sends the
//! UTC at which its clock would read zero. It sends a new claim whenever this UTC changes. The claim is as
//! accurate as the UTC of the server's machine, whose time source may report an error bound.
//!
//! ```text
//!  server: utc_now ─▶ UtcPublisher ─▶ UtcClaim ──(any transport)──▶ ServerUtc ◀─ Reading of server time
//!                                                                      │
//!                                                              UTC ± bound, or nothing
//! ```
//!
//! UTC may jump in either direction whenever the claim changes, because users and time services set clocks.
//! Use UTC only for dates. Measure durations with server time, which never runs backwards within an epoch.
//! `docs/utc.md` explains leap seconds.

mod claim;
mod error;
mod message;
mod publisher;
mod reading;
mod sample;
mod view;

pub use claim::{MAX_CLAIM_BOUND, MAX_UTC, UtcClaim};
pub use error::{UtcClaimError, UtcError, UtcObserveError};
pub use message::UTC_CLAIM_SIZE;
pub use publisher::{UtcPublisher, UtcPublisherConfig};
pub use reading::{UtcChange, UtcReading};
pub use sample::{UtcSample, utc_now};
pub use view::ServerUtc;
