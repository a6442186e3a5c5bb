//! Model checks that compile the library's sources with loom's atomics.
#![cfg(test)]

/// See `publish.rs`.
const TRIES: usize = 1;

mod publication;
#[path = "../../src/clock/discipline/publish.rs"]
mod publish;
#[path = "../../src/clock/ground/sync.rs"]
mod sync;
#[path = "three_tries.rs"]
mod three;

/// The library's sources expect the atomics and the range of instants at these paths.
mod clock {
    pub(crate) mod ground {
        pub(crate) use crate::sync;

        pub(crate) mod time {
            pub(crate) use netclock::MAX_INSTANT_TICKS;
        }
    }
}
