use crate::clock::for_parts::range::number;
use crate::clock::{Config, Direction};
use crate::ffi::base::prelude::*;
use crate::ffi::clock::keys::keyed::{NETCLOCK_TO_CLIENT, NETCLOCK_TO_SERVER};
use crate::game::latency::Hide;
use crate::session::{GuestConfig, HostConfig};

/// `set!(config.world, self: tolerance = world_tolerance)` sets a field of the Rust configuration, unless the
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
    /// How far a world's clock may deviate from its segment before the host sends a new segment. (world
    /// ticks, 10 us to 1 s, default 0.5 ms)
    pub world_tolerance: i64,
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
    /// The time between repetitions of an announcement. (ticks, 5 ms to 1 s, default 50 ms)
    pub start_interval: i64,
    /// The longest frame in the server's and the clients' loops. Messages are sent and handled at frame
    /// boundaries, so long frames delay them. See `client_frame` in `netclock_config`. (ticks, 1 to 1 s,
    /// default 1/30 s)
    pub start_frame: i64,
    /// The minimum fraction of lost messages to assume. (0.01 to 0.9, default 0.2)
    pub start_loss: f64,
    /// The largest skew between two honest clocks. (ppm, 1 to 10000, default 200)
    pub watch_max_drift_ppm: f64,
    /// The assumed limit on message delays. Delays may exceed this limit for less than 16 s at a time.
    /// (ticks, 100 ms to 60 s, default 5 s)
    pub watch_max_delay: i64,
}

impl NetclockHostConfig {
    pub(super) fn to_config(self) -> Outcome<HostConfig> {
        reserved(self.reserved, "config")?;
        let mut config = HostConfig::default();
        set!(config, self: capacity = capacity, utc_drift_ppm = utc_drift_ppm);
        set!(config.world, self: tolerance = world_tolerance, read_lag = world_read_lag,
            resolution = world_resolution, max_per_second = world_max_per_second);
        set!(config.start, self: capacity = start_capacity, patience = start_patience,
            max_expected_error = start_max_expected_error, interval = start_interval, frame = start_frame,
            loss = start_loss);
        set!(config.watch, self: max_drift_ppm = watch_max_drift_ppm, max_delay = watch_max_delay);
        Ok(config)
    }
}

/// Guest settings, except for those of the guest's clock. Set `struct_size` to
/// `sizeof(netclock_guest_config)`. A zero field selects its default.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockGuestConfig {
    /// `sizeof(netclock_guest_config)` in the caller's program.
    pub struct_size: u32,
    /// The number of segments to store per world. (count, 16 to 4096, default 64)
    pub world_segments: u32,
    /// How much the rate of the shown time may differ from the world's rate while the guest slews to a change
    /// that arrived late. The value is a fraction of real time, or of the world's rate if that is greater.
    /// (fraction, 0.001 to 1, default 0.25)
    pub world_max_slew: f64,
    /// If the shown time is behind the world by more than this value, the shown time steps forward once. If
    /// it is ahead by more, it stops until the difference is within this value. (world ticks, 1 ms to 1 h,
    /// default 250 ms)
    pub world_step_threshold: i64,
    /// The highest rate that a world may have had since the server's latest update. This setting affects only
    /// the error bound. (world ticks per real tick, 1e-4 to 100, default 1)
    pub world_max_rate: f64,
    /// The fraction of messages that should reach the server in time (see `handled_by` in
    /// `netclock_connection_report`). (fraction, 0.5 to 0.99, default 0.95)
    pub lead_quantile: f64,
    /// The server's frame period if the server timestamps requests on arrival but handles messages once per
    /// frame. Otherwise zero. (ticks, 0 to 1 s, default 0)
    pub lead_server_frame: i64,
    /// The client's frame period if the client timestamps replies on arrival but handles messages once per
    /// frame. Otherwise zero. (ticks, 0 to 1 s, default 0)
    pub lead_client_frame: i64,
    /// The interval between state updates from the server. (ticks, 0 to 10 s, default 0)
    pub lead_send_interval: i64,
    /// The latency whose changes the playback speed hides. Zero selects the sum of both directions, and
    /// `NETCLOCK_TO_SERVER` or `NETCLOCK_TO_CLIENT` selects one direction.
    pub latency_hide: i32,
    /// Reserved, must be zero.
    pub reserved: u32,
    /// The guest does not report latency changes smaller than this. (ticks, 1 ms to 1 s, default 10 ms)
    pub latency_least_change: i64,
    /// The largest deviation of the playback speed from 1. (fraction, 0.001 to 0.5, default 0.1)
    pub latency_max_speed_change: f64,
    /// How long the playback speed takes to change from 1 to its largest deviation. (ticks, 10 ms to 10 s,
    /// default 250 ms)
    pub latency_ramp: i64,
    /// The mean time between false reports on an unchanging path. (hours, 0.1 to 10000, default 100)
    pub latency_hours_per_false_alarm: f64,
}

growable! { NetclockHostConfig: 104, NetclockGuestConfig: 104 }

impl NetclockGuestConfig {
    pub(super) fn to_config(self, clock: Config) -> Outcome<GuestConfig> {
        reserved(self.reserved, "config")?;
        number("latency_hide", f64::from(self.latency_hide), 0.0, 2.0, "")?;
        let mut config = GuestConfig { clock, ..GuestConfig::default() };
        set!(config.world, self: max_slew = world_max_slew, step_threshold = world_step_threshold,
            max_rate = world_max_rate, segments = world_segments);
        set!(config.lead, self: quantile = lead_quantile, server_frame = lead_server_frame,
            client_frame = lead_client_frame, send_interval = lead_send_interval);
        set!(config.latency, self: least_change = latency_least_change,
            max_speed_change = latency_max_speed_change, ramp = latency_ramp,
            hours_per_false_alarm = latency_hours_per_false_alarm);
        config.latency.hide = match self.latency_hide {
            NETCLOCK_TO_SERVER => Hide::OneWay(Direction::ToServer),
            NETCLOCK_TO_CLIENT => Hide::OneWay(Direction::ToClient),
            _ => Hide::RoundTrip,
        };
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
