//! Reads the machine's clocks for callers that do not provide their own. Outside this module, only the link
//! makes system calls.

#![expect(unsafe_code, reason = "system calls")]

mod boot;
mod rate;
#[cfg_attr(not(feature = "game"), expect(unreachable_pub, reason = "UTC is for game servers"))]
mod time;
#[cfg(any(target_os = "linux", target_os = "android", test))]
mod unslewed;

pub use boot::boot_id;
pub use rate::rate_hint;
pub use time::monotonic_now;
#[cfg(all(feature = "link", unix, not(feature = "game")))]
pub(crate) use time::utc_now;
#[cfg(feature = "game")]
pub use time::{UtcSample, utc_now};
