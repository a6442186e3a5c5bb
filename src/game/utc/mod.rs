//! The server's UTC, for daily resets and scheduled events.
//!
//! A client knows the server's clock, but the zero of this clock is arbitrary. In a [`UtcClaim`], the server
//! sends the UTC at which its clock would read zero, and it sends a new claim whenever this UTC changes. A
//! claim is as accurate as the UTC of the server's machine, whose time source may report an error bound.
//!
//! ```text
//!  server: utc_now ─▶ Host::observe_utc ──(session)──▶ View::utc: UTC ± bound, or nothing
//! ```
//!
//! UTC may jump in either direction whenever the claim changes, because users and time services set clocks.
//! Use UTC only for dates. Measure durations with server time, which never runs backwards within an epoch.
//! `docs/utc.md` explains leap seconds.

#[cfg(feature = "session")]
mod claim;
#[cfg(feature = "session")]
mod publisher;

pub use crate::os::{UtcSample, utc_now};
#[cfg(feature = "session")]
pub use claim::{UtcClaim, UtcReading};
#[cfg(feature = "session")]
pub use publisher::UtcObserveError;
#[cfg(feature = "session")]
pub(crate) use publisher::{HOLDS, UtcPublisher};
