//! Session keys, the messages sealed with them, and the server's table of admitted keys.

pub mod keyed;
mod session_keys;
mod window;

#[cfg(feature = "link")]
pub(crate) use session_keys::Budget;
pub use session_keys::{KeyCounts, SessionKeys, SessionKeysConfig};
