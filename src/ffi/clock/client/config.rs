//! The client's settings.

use crate::clock::{Config, Earlier, RateHint, SAVED_SIZE};
use crate::ffi::base::prelude::*;

/// Length of a saved state, in bytes.
pub const NETCLOCK_SAVED_SIZE: usize = 60;

const _: () = assert!(NETCLOCK_SAVED_SIZE == SAVED_SIZE);

/// Settings of a client. Set `struct_size` to `sizeof(netclock_config)`, and everything else to zero for the
/// defaults. A field that is not zero replaces its default. Durations are in ticks of 100 ns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetclockConfig {
    /// `sizeof(netclock_config)` as compiled into the caller.
    pub struct_size: u32,
    /// Requests in the burst that opens a session and follows a discontinuity. (count, 2 to 64, default 10)
    pub burst_count: u32,
    /// Largest error of the rate of the client's clock that the error bound must survive. Crystals err by
    /// less than 50 ppm, and so does `netclock_monotonic_now`. For another clock add what a time service may
    /// slew it by: 500 ppm for ntpd and `adjtime`, `maxslewrate` for chrony (83333 ppm unless it is set).
    /// (ppm, 0.5 to 100000, default 50)
    pub client_drift_ppm: f64,
    /// The same for the server's clock. (ppm, 0.5 to 100000, default 50)
    pub server_drift_ppm: f64,
    /// Largest rate at which the shown clock slews: how much it runs fast or slow during a correction. The
    /// rate between the two clocks counts, so stay above what your crystals differ by. Broadcast and audio
    /// allow 100 to 500 ppm; then call `netclock_client_make_step` after a join, since 10 ms take 100 s at
    /// 100 ppm. (fraction of real time, 0.0001 to 0.5, default 0.05)
    pub max_slew: f64,
    /// A larger correction forwards steps once, and is declared. In the first second, so does one above
    /// 50 ms in either direction that would be slewed for longer than a second. (ticks, 1 ms to 1 h, default
    /// 250 ms)
    pub step_threshold: i64,
    /// Replies that took longer are refused. (ticks, 10 ms to 60 s, default 5 s)
    pub max_round_trip: i64,
    /// Mean time between the requests of a burst. (ticks, 1 ms to 1 s, default 20 ms)
    pub burst_interval: i64,
    /// Mean time between requests once settled. Lost requests are repeated after about a second.
    /// `target_bound` wins over a longer interval, if the stated drift could use up half of it meanwhile.
    /// `burst_interval` wins over a shorter one. Whatever a server answers, ten minutes cost at most twice
    /// what the first ten cost with an honest server. (ticks, 50 ms to 10 min, default 4 s)
    pub steady_interval: i64,
    /// A longer pause between two calls is a declared discontinuity. (ticks, 100 ms to 1 day, default 10 s)
    pub local_gap: i64,
    /// Time without an accepted reply until the clock declares holdover. The client waits longer until more
    /// requests in a row are unanswered than the path is known to lose: three on a good one. So it follows a
    /// longer `steady_interval`. (ticks, 1 s to 1 day, default 15 s)
    pub holdover_after: i64,
    /// A larger error bound is declared and answered by a new burst. (ticks, 1 ms to 1 h, default 250 ms)
    pub target_bound: i64,
    /// Step of the client's clock as it is read for stamps. (ticks, 1 to 100 ms, default 1)
    pub client_resolution: i64,
    /// Step of the server's clock as it is read for stamps. (ticks, 1 to 100 ms, default 1)
    pub server_resolution: i64,
    /// The longest frame of the client's loop, if the caller cannot measure how long replies wait for their
    /// stamps: see `netclock_client_polled`. It counts for replies of which the wait is unknown, as the
    /// longest wait, not as an exact one. Zero: nothing is known, and the client looks for loops in the
    /// rhythm of the stamps. (ticks, 0 to 1 s, default 0)
    pub client_frame: i64,
    /// The same for the server's loop, if replies have no `wait`. (ticks, 0 to 1 s, default 0)
    pub server_frame: i64,
    /// How much faster than true time the client's clock is said to run, for example by `netclock_rate_hint`.
    /// If it is wrong, the exchanges overrule it; no bound depends on it. (ppm, at most `client_drift_ppm`
    /// either way, default 0)
    pub client_rate_ppm: f64,
    /// Standard deviation of `client_rate_ppm`. Zero: nothing is known. (ppm, 0 to 1000, default 0)
    pub client_rate_doubt_ppm: f64,
    /// How much faster than true time the server's clock runs, if the server states it. Check what came over
    /// the network before you pass it. (ppm, at most `server_drift_ppm` either way, default 0)
    pub server_rate_ppm: f64,
    /// Standard deviation of `server_rate_ppm`. Zero: nothing is known. (ppm, 0 to 1000, default 0)
    pub server_rate_doubt_ppm: f64,
    /// A burst goes on, by up to 30 requests, until the expected error is at most this, and where the rate is
    /// known. The later ones are rarer for it: half a minute costs 64 messages at most, with a burst of 10
    /// and a steady interval of 4 s. A link asks more often. (ticks, 10 us to 1 s, default 1 ms)
    pub target_error: i64,
    /// The time now, by the calendar of `netclock_client_save`. Only saved states need it. (seconds)
    pub saved_seconds: i64,
    /// The boot of this machine, for example by `netclock_boot_id`. Some systems measure how fast their clock
    /// runs at each boot, so a rate that was saved in another boot counts less. (0: unknown)
    pub boot: u64,
    /// What `netclock_client_save` gave for this machine, so that the rate of the clock is known from the
    /// start. All zero: none. A state that is damaged or of another kind is not used. Exchanges overrule a
    /// rate that is wrong; no bound depends on it.
    pub saved_machine: [u8; NETCLOCK_SAVED_SIZE],
    /// What it gave when it followed this server, in the same way. What it says of an unequal route counts
    /// while the round trip is the same; exchanges cannot refute it. A peer uses neither state.
    pub saved_server: [u8; NETCLOCK_SAVED_SIZE],
}

growable! { NetclockConfig: 296 }

impl NetclockConfig {
    /// What earlier sessions left.
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
    fn zero_means_default_and_rates_arrive() {
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
