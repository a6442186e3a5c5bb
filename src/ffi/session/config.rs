use crate::clock::Config;
use crate::ffi::base::prelude::*;
use crate::session::{GuestConfig, HostConfig};

/// `set!(config.world, self: read_lag = world_read_lag)` sets a field of the Rust configuration, unless the
/// field of the C structure is zero, which selects the default.
macro_rules! set {
    ($to:expr, $from:ident: $($field:ident = $given:ident),*) => {
        $($to.$field = or($from.$given, $to.$field);)*
    };
}

/// An instant on a game world's clock, in ticks of world time.
pub type NetclockWorldTime = i64;

/// An instant in UTC, in ticks since 1970-01-01 00:00, without leap seconds.
pub type NetclockUtcTime = i64;

/// Host settings. Set `struct_size` to `sizeof(netclock_host_config)`. A zero field selects its default.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockHostConfig {
    /// `sizeof(netclock_host_config)` in the caller's program.
    pub struct_size: u32,
    /// The maximum number of players. The host allocates memory for all of them when it is created. (count, 1
    /// to 16384, default 64)
    pub capacity: u32,
    /// The longest time between setting the world's clock and reading the real time. A lag above this value
    /// plus the tolerance immediately counts as lost time. (real ticks, 100 ns to 1 s, default 0.5 ms)
    pub world_read_lag: i64,
    /// The resolution of the world clock. (world ticks, 100 ns to 1 s, default 100 ns)
    pub world_resolution: i64,
    /// The maximum number of segments per second for each world. The host may send a quarter of these
    /// segments at once. (count, 2 to 1000, default 20)
    pub world_max_per_second: u32,
    /// The largest rate error of the server's clock relative to UTC. (ppm, 1 to 100000, default 50)
    pub utc_drift_ppm: u32,
    /// The maximum number of players who can take part in starts. (count, 1 to 1024, default 64)
    pub start_capacity: u32,
    /// Reserved, must be zero.
    pub reserved: u32,
    /// How long players may delay a start after the first proposal. (ticks, 100 ms to 10 min, default 10 s)
    pub start_patience: i64,
    /// A player is not ready while the expected error of the player's clock exceeds this value. (ticks, 100
    /// ns to 1 s, default 1 ms)
    pub start_max_expected_error: i64,
    /// The longest frame in the server's and the clients' loops. Messages are sent and handled at frame
    /// boundaries, so long frames delay them. See `client_frame` in `netclock_config`. (ticks, 1 to 1 s,
    /// default 1/30 s)
    pub start_frame: i64,
}

impl NetclockHostConfig {
    pub(super) fn to_config(self) -> Outcome<HostConfig> {
        reserved(self.reserved, "config")?;
        let mut config = HostConfig::default();
        set!(config, self: capacity = capacity, utc_drift_ppm = utc_drift_ppm);
        set!(config.world, self: read_lag = world_read_lag, resolution = world_resolution,
            max_per_second = world_max_per_second);
        set!(config.start, self: capacity = start_capacity, patience = start_patience,
            max_expected_error = start_max_expected_error, frame = start_frame);
        Ok(config)
    }
}

/// Guest settings. The settings of the guest's clock are in `netclock_config`. Set `struct_size` to
/// `sizeof(netclock_guest_config)`. A zero field selects its default.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockGuestConfig {
    /// `sizeof(netclock_guest_config)` in the caller's program.
    pub struct_size: u32,
    /// The number of segments to store per world. (count, 16 to 4096, default 64)
    pub world_segments: u32,
    /// The highest rate that a world may have had since the server's latest update. This setting affects only
    /// the error bound. (world ticks per real tick, 1e-4 to 100, default 1)
    pub world_max_rate: f64,
    /// The fraction of messages that should reach the server in time (see `handled_by` in
    /// `netclock_connection_report`). (fraction, 0.5 to 0.99, default 0.95)
    pub lead_quantile: f64,
    /// The server's frame period if the server timestamps requests on arrival but handles messages once per
    /// frame. Otherwise zero. (ticks, 0 to 1 s, default 0)
    pub lead_server_frame: i64,
    /// The guest does not report latency changes smaller than this. (ticks, 1 ms to 1 s, default 10 ms)
    pub latency_least_change: i64,
}

growable! { NetclockHostConfig: 64, NetclockGuestConfig: 40 }

impl NetclockGuestConfig {
    pub(super) fn to_config(self, clock: Config) -> Outcome<GuestConfig> {
        let mut config = GuestConfig { clock, ..GuestConfig::default() };
        set!(config.world, self: max_rate = world_max_rate, segments = world_segments);
        set!(config.lead, self: quantile = lead_quantile, server_frame = lead_server_frame);
        set!(config, self: least_latency_change = latency_least_change);
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_selects_the_default() {
        let host = NetclockHostConfig::zero().to_config();
        assert!(host.is_ok_and(|host| host == HostConfig::default()));
        let guest = NetclockGuestConfig::zero().to_config(Config::default());
        assert!(guest.is_ok_and(|guest| guest == GuestConfig::default()));
    }
}
