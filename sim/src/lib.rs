//! Simulates clocks, networks and frame loops for tests, fuzz targets and the lab, and replays recorded
//! delays. [`measure`] evaluates clocks.
//!
//! ```text
//! NetworkConfig -> Network -> Exchange -> measure
//! ```
//!
//! Time is simulated, so a run depends only on its configuration and seed.

#![allow(missing_docs, reason = "internal to this workspace, and most fields are self-explanatory")]

pub mod agenda;
pub mod case;
pub mod clock;
pub mod conversation;
pub mod drawn;
pub mod explore;
pub mod frames;
pub mod leg;
pub mod matched;
pub mod measure;
pub mod network;
pub mod pair;
pub mod peers;
pub mod random;
pub mod remote;
pub mod trace;
pub mod world;

pub use agenda::{Agenda, Queue};
pub use case::Case;
pub use clock::{ClockConfig, Clocks, Slew, TICKS_PER_MS, TICKS_PER_S};
pub use frames::{FrameConfig, Frames};
pub use leg::{BurstLoss, Leg, LegConfig, Outage, Saw, Shift};
pub use matched::{Match, MatchConfig};
pub use measure::account::{Account, Stairs};
pub use measure::estimator::{Estimator, Wire};
pub use measure::metrics::{Read, Recorder, Score};
pub use measure::product::{PRODUCT, Product, declared, told};
pub use measure::run::{Session, Stream, Watch, own_schedule};
pub use measure::{nearest_rank, place, quantile, sorted, upper_median};
pub use network::{Exchange, Loops, Network, NetworkConfig, known_waits};
pub use random::{Random, hashed_unit, seed};
pub use trace::{Split, Trace};
pub use world::{Frame, GameWorld, LONGEST_FRAME_S};

use netclock::{Reading, ServerTime, Span, State};

/// Returns the reading of a client that has just synchronised for the first time.
pub fn reading(server_epoch: u64, server_time: ServerTime, error_bound: Span) -> Reading {
    Reading {
        server_time,
        error_bound,
        expected_error: Span::from_micros(200),
        round_trip: Span::from_millis(50),
        frequency_ppm: 0.0,
        state: State::Synced,
        epoch: 1,
        server_epoch,
    }
}
