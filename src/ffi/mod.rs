//! The C ABI. This is the only room with unsafe code; it holds no logic of its own.
//!
//! | folder | has |
//! |---|---|
//! | `base` | what every entry has in common; `entries.rs` is how an entry is written |
//! | the others | the entries of one room each, its structures, and its statuses in `status.rs` |
//! | `tests` | every bad value of every argument, layouts, callbacks |
//!
//! A folder uses only those above it in the list below, which is the order of the headers. The comment of its
//! `mod.rs` names its header.
//!
//! Every entry goes through [`base::boundary`]: one panic boundary, a status for every outcome, and its
//! details in the last error.

#![expect(unsafe_code, reason = "pointers from C are dereferenced here and nowhere else")]
#![expect(unreachable_pub, reason = "what is `pub` here is exported to C, not to Rust")]

mod base;

mod clock;

#[cfg(feature = "link")]
mod link;

#[cfg(feature = "game")]
mod game;

#[cfg(feature = "session")]
mod session;

#[doc(hidden)]
/// The C ABI as C programs call it, by its symbols: for fuzz targets and benches.
pub mod c {
    use core::ffi::{c_char, c_void};
    include!(concat!(env!("OUT_DIR"), "/entries.rs"));
}

#[cfg(all(test, feature = "link", feature = "session"))]
mod tests;
