use crate::clock::{Config, Earlier, RateHint, SAVED_SIZE};
use crate::ffi::base::prelude::*;

/// The size of a saved state, in bytes.
pub const NETCLOCK_SAVED_SIZE: usize = 60;

const _: () = assert!(NETCLOCK_SAVED_SIZE == SAVED_SIZE);

/// Client settings. Set `struct_size` to `sizeof(netclock_config)`. A zero field selects its default.
/// Durations are in ticks of 100 ns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockConfig {
    /// `sizeof(netclock_config)` in the caller's program.
    pub struct_size: u32,
    /// The number of requests in a burst. The client sends a burst at the start of a session and after a
    /// discontinuity. (count, 2 to 64, default 10)
    pub burst_count: u32,
    /// The largest rate error of the client's clock that the error bound covers. Crystals and
    /// `netclock_monotonic_now` are off by less than 50 ppm. For other clocks, add the largest slew of the
    /// time service: 500 ppm for ntpd and `adjtime`, and `maxslewrate` for chrony (83333 ppm by default).
    /// (ppm, 0.5 to 100000, default 50)
    pub client_drift_ppm: f64,
    /// The largest rate error of the server's clock that the bound covers. (ppm, 0.5 to 100000, default 50)
    pub server_drift_ppm: f64,
    /// The largest slew rate, that is, how much faster or slower the shown clock may run during a correction.
    /// The skew between the clocks counts towards this limit, so choose a value larger than the skew. Audio
    /// and broadcast applications tolerate 100 to 500 ppm. With such a low limit, call
    /// `netclock_client_make_step` after joining, because slewing 10 ms at 100 ppm takes 100 s. (fraction of
    /// real time, 0.0001 to 0.5, default 0.05)
    pub max_slew: f64,
    /// If a forward correction is larger than this, the client steps the clock and reports an event. In the
    /// first second, the client also steps the clock for corrections above 50 ms in either direction that
    /// would take longer than a second to slew. (ticks, 1 ms to 1 h, default 250 ms)
    pub step_threshold: i64,
    /// The client rejects replies with a longer round-trip time. (ticks, 10 ms to 60 s, default 5 s)
    pub max_round_trip: i64,
    /// The mean time between the requests of a burst. (ticks, 1 ms to 1 s, default 20 ms)
    pub burst_interval: i64,
    /// The mean time between requests after the burst. The client resends a lost request after about a
    /// second. The client shortens the interval, but never below `burst_interval`, if the configured drift
    /// could otherwise use up half of `target_bound`. In any ten minutes, a dishonest server can at most
    /// double the requests that an honest server receives in the first ten minutes. (ticks, 50 ms to 10 min,
    /// default 4 s)
    pub steady_interval: i64,
    /// A longer time without calls is reported as a discontinuity. (ticks, 100 ms to 1 day, default 10 s)
    pub local_gap: i64,
    /// The clock enters holdover after this time without an accepted reply. The client waits longer if packet
    /// loss could explain the unanswered requests. On a good path, the client waits for three unanswered
    /// requests in a row, so the time grows with `steady_interval`. (ticks, 1 s to 1 day, default 15 s)
    pub holdover_after: i64,
    /// A larger error bound causes an event and another burst. (ticks, 1 ms to 1 h, default 250 ms)
    pub target_bound: i64,
    /// The resolution of the client's timestamps. (ticks, 100 ns to 100 ms, default 100 ns)
    pub client_resolution: i64,
    /// The resolution of the server's timestamps. (ticks, 100 ns to 100 ms, default 100 ns)
    pub server_resolution: i64,
    /// The longest frame of the client's loop, for callers that cannot measure how long replies wait before
    /// they are timestamped (see `netclock_client_polled`). The client assumes that a reply with an unknown
    /// wait may have waited this long. If this field is zero, the client detects the frame loop from the
    /// rhythm of the timestamps. (ticks, 0 to 1 s, default 0)
    pub client_frame: i64,
    /// The longest frame of the server's loop, for replies without a `wait`. (ticks, 0 to 1 s, default 0)
    pub server_frame: i64,
    /// How much faster than true time the client's clock runs, for example as returned by
    /// `netclock_machine_hints`. Exchanges with the server correct a wrong value, and no error bound depends
    /// on it. (ppm, at most `client_drift_ppm` in either direction, default 0)
    pub client_rate_ppm: f64,
    /// The standard deviation of `client_rate_ppm`, or zero if unknown. (ppm, 0 to 1000, default 0)
    pub client_rate_doubt_ppm: f64,
    /// How much faster than true time the server's clock runs, if the server reports it. Validate values from
    /// the network first. (ppm, at most `server_drift_ppm` in either direction, default 0)
    pub server_rate_ppm: f64,
    /// The standard deviation of `server_rate_ppm`, or zero if unknown. (ppm, 0 to 1000, default 0)
    pub server_rate_doubt_ppm: f64,
    /// The target for the expected error after a burst. The client extends a burst by up to 30 requests while
    /// the expected error exceeds the target, or if the rate is already known. Later requests are then less
    /// frequent. With a burst of 10 requests and a steady interval of 4 s, the client sends at most 64
    /// messages in the first half minute. A link sends additional requests. (ticks, 10 us to 1 s, default 1
    /// ms)
    pub target_error: i64,
    /// The current time on the same calendar as in `netclock_client_save`. Only saved states need it.
    /// (seconds)
    pub saved_seconds: i64,
    /// Identifies this machine's current boot, for example as returned by `netclock_machine_hints` (0 if
    /// unknown). Some systems calibrate their clock at each boot, so a rate saved before a reboot has less
    /// weight.
    pub boot: u64,
    /// This machine's state from `netclock_client_save`. With this state, the client knows the rate of its
    /// clock from the start. If there is no saved state, set all bytes to zero. The client ignores a damaged
    /// state and a state of the wrong kind. Exchanges with the server correct a wrong rate, and no error
    /// bound depends on it.
    pub saved_machine: [u8; NETCLOCK_SAVED_SIZE],
    /// The server's state from `netclock_client_save`. The same rules apply as for `saved_machine`. The
    /// client uses this state's data about asymmetric routes only while the round-trip time is unchanged,
    /// because exchanges cannot refute such data. Peers ignore both saved states.
    pub saved_server: [u8; NETCLOCK_SAVED_SIZE],
}

growable! { NetclockConfig: 296 }

impl NetclockConfig {
    pub(crate) fn earlier(&self) -> Earlier<'_> {
        Earlier {
            machine: &self.saved_machine,
            server: &self.saved_server,
            seconds: self.saved_seconds,
            boot: self.boot,
        }
    }
}

settings! { |config: NetclockConfig| Config {
    client_drift_ppm, server_drift_ppm, max_slew, step_threshold, max_round_trip, burst_count, burst_interval,
    steady_interval, local_gap, holdover_after, target_bound, client_resolution, server_resolution,
    client_frame, server_frame, target_error;
    client_rate: RateHint { ppm: config.client_rate_ppm, doubt_ppm: config.client_rate_doubt_ppm },
    server_rate: RateHint { ppm: config.server_rate_ppm, doubt_ppm: config.server_rate_doubt_ppm },
} }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::base::growable::Growable;

    #[test]
    fn zero_selects_the_default_and_rates_are_converted() {
        assert_eq!(NetclockConfig::zero().to_config(), Config::default());
        let in_c = NetclockConfig {
            client_rate_ppm: 25.0,
            client_rate_doubt_ppm: 26.0,
            server_rate_ppm: 27.0,
            server_rate_doubt_ppm: 28.0,
            ..NetclockConfig::zero()
        };
        let Config { client_rate, server_rate, .. } = in_c.to_config();
        assert_eq!(client_rate, RateHint { ppm: 25.0, doubt_ppm: 26.0 });
        assert_eq!(server_rate, RateHint { ppm: 27.0, doubt_ppm: 28.0 });
    }
}
