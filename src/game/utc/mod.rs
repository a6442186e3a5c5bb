//! The server's UTC, for daily resets and scheduled events.
//!
//! Clients know the server's clock, but its zero is arbitrary. The server therefore sends a [`UtcClaim`] with
//! the UTC at which its clock would read zero. When this UTC changes, it sends a new claim. A claim is as
//! accurate as the UTC of the server's machine, whose time source may report an error bound.
//!
//! ```text
//!  server: utc_now ─▶ Host::observe_utc ──(session)──▶ View::utc: UTC ± bound, or nothing
//! ```
//!
//! UTC may jump in either direction with each new claim, because users and time services set the server's
//! clock. Use UTC only for dates. Measure durations in server time, which never runs backwards within an
//! epoch. `docs/utc.md` explains leap seconds.

#[cfg(feature = "session")]
mod claim;

pub use crate::os::{UtcSample, utc_now};
#[cfg(feature = "session")]
pub(crate) use claim::{HOLDS, UtcPublisher};
#[cfg(feature = "session")]
pub use claim::{UtcClaim, UtcObserveError, UtcReading};
