//! The server's half: it answers requests, watches the clocks of its clients, and takes over the time of a server before
//! it.

mod adoption;
mod rate_watch;
mod responder;
mod session_keys;

pub use adoption::{Adopted, Adoption, AdoptionConfig, AdoptionError};
pub use rate_watch::{RateFinding, RateLevel, RateVerdict, RateWatch, RateWatchConfig, ReportError};
pub use responder::{RespondError, Responder};
pub(crate) use session_keys::Budget;
pub use session_keys::{KeyCounts, SessionKeys, SessionKeysConfig};
