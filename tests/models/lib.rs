//! Compiles some of the library's sources with loom's atomics to model-check them.
#![cfg(test)]

/// The number of attempts that `publish.rs` makes. A single attempt keeps the models small.
const TRIES: usize = 1;

mod publication;
#[path = "../../src/clock/discipline/publish.rs"]
mod publish;
#[path = "../../src/clock/ground/sync.rs"]
mod sync;
#[path = "three_tries.rs"]
mod three;

/// The library's sources import atomics and the range of instants from these paths.
mod clock {
    pub(crate) mod ground {
        pub(crate) use crate::sync;

        pub(crate) mod time {
            pub(crate) use netclock::MAX_INSTANT_TICKS;
        }
    }
}
