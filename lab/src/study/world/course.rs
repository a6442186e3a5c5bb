//! The clocks that show a world's time, side by side: NetClock and others.

use anyhow::Result;

use super::engine::ByEngine;
use super::product::{ByClient, ByTimeline};
use super::run::{Course, Run};

/// The names of the clocks, in the order of the tables.
pub const CLOCKS: [&str; 4] = [NETCLOCK, DIRECT, "engine_average", "engine_push"];
/// The product: client and timeline.
pub const NETCLOCK: &str = "netclock";
/// The product's client alone, which gets the world's time in place of real time.
pub const DIRECT: &str = "world_direct";

/// Runs the clock called `name`.
///
/// # Errors
/// There is no clock of this name.
pub fn course(run: &Run<'_>, name: &str) -> Result<Course> {
    match name {
        NETCLOCK => ByTimeline::new(run)?.run(run),
        DIRECT => ByClient::new(run)?.run(run),
        _ => ByEngine::new(run, name)?.run(run),
    }
}
