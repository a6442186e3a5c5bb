//! The clock: everything that a client needs to show the server's time, and a server to answer.
//!
//! Each room uses only those above it in the list below.

mod ground;

mod exchange;

mod keys;

pub mod authority;

mod estimate;

mod discipline;

mod client;

mod responder;

pub use client::{
    Cause, Client, Config, Degradation, Earlier, Event, RateHint, Reader, SAVED_SIZE, Sample, Saved,
};
pub use discipline::{Reading, State};
pub use exchange::{Exchange, Refusal, Reply, Request, RequestId, WireError, wire};
pub use ground::direction::Direction;
pub use ground::memory::CreateError;
pub use ground::range::ConfigError;
pub use ground::time::{
    Local, LocalTime, MAX_INSTANT_TICKS, Server, ServerTime, Span, TICKS_PER_SECOND, Time, TimeError, Utc,
    UtcTime, World, WorldTime,
};
pub use keys::{KeyCounts, SessionKeys, SessionKeysConfig, keyed};
pub use responder::{RespondError, Responder};

/// What the link, the games' uses and the C ABI use of the clock's internals. There is no other door: the
/// rooms are private.
pub(crate) mod for_parts {
    // For the C ABI, too.
    pub(crate) use super::discipline::{Published, WORDS};
    pub(crate) use super::ground::memory::{self, OutOfMemory};
    #[cfg(any(feature = "link", feature = "game"))]
    pub(crate) use super::ground::range;

    #[cfg(feature = "link")]
    pub(crate) use super::{client::Asking, ground::shared::Shared, keys::Budget};

    #[cfg(feature = "game")]
    pub(crate) use super::{
        estimate::{Interval, Limits},
        exchange::Unguessable,
        ground::bytes::{u32_at, u64_at},
    };
}
