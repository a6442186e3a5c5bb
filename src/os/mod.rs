//! The machine's clocks, for callers without their own. Apart from the link's sockets, only this module makes
//! system calls; the clock never does.

#![expect(unsafe_code, reason = "calls of the system")]

mod boot;
mod rate;
mod time;
#[cfg(any(target_os = "linux", target_os = "android", test))]
mod unslewed;

pub use boot::boot_id;
pub use rate::rate_hint;
#[cfg(feature = "game")]
pub use time::UtcSample;
pub use time::monotonic_now;
#[cfg(any(feature = "game", all(feature = "link", unix)))]
pub use time::utc_now;
