//! Follows a server's clock on the client, and answers requests on the server.
//!
//! Each module depends only on the modules listed before it.

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
pub use keys::keyed;
pub use responder::{RespondError, Responder};

/// Internals of the clock for the link, the game features and the C ABI.
pub(crate) mod for_parts {
    use super::client::{Client, Conductor};

    pub(crate) fn parts(client: &Client) -> &Conductor {
        &client.conductor
    }

    #[cfg(feature = "link")]
    pub(crate) fn parts_mut(client: &mut Client) -> &mut Conductor {
        &mut client.conductor
    }

    pub(crate) use super::discipline::{Published, WORDS};
    #[cfg(any(feature = "link", feature = "game"))]
    pub(crate) use super::ground::range;
    pub(crate) use super::ground::{
        memory::{self, OutOfMemory},
        time::NO_INSTANT,
    };

    #[cfg(feature = "link")]
    pub(crate) use super::{client::Asking, exchange::Path, ground::shared::Shared};

    #[cfg(feature = "game")]
    pub(crate) use super::{
        exchange::Unguessable,
        ground::bytes::{u32_at, u64_at},
    };
}
