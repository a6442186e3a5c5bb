//! The client's settings, with units and ranges. The [defaults](Config::default) suit games on the internet.

use crate::clock::exchange::Tolerance;
use crate::clock::ground::range::{ConfigError, number, span};
use crate::clock::ground::time::Span;

/// The request interval is never shortened below this to reach the target bound, because the target may be
/// unreachable.
const SHORTEST_BY_TARGET: Span = Span::from_secs(1);

/// Prior knowledge of a clock's rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RateHint {
    /// The clock's rate error, which is positive if the clock runs fast. The hint must be within the
    /// configured drift. (ppm)
    pub ppm: f64,
    /// Standard deviation of `ppm`; zero means unknown. (ppm, 0..=1000)
    pub doubt_ppm: f64,
}

/// Settings of a [`Client`](crate::Client), checked when the client is created.
///
/// ```
/// # use netclock::{Client, Config, Span};
/// let config = Config { steady_interval: Span::from_secs(1), ..Config::default() };
/// let client = Client::new(config, 7)?; // use a random seed
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Largest rate error of the client's clock for which [`error_bound`](crate::Reading::error_bound) holds.
    /// Crystals, and therefore [`monotonic_now`](crate::monotonic_now), are accurate to 50 ppm. Add the
    /// largest slew of any time service. For ntpd, `adjtime` and most timesyncd settings, this is 500 ppm.
    /// For chrony, it is `maxslewrate` (83,333 ppm unless set). (ppm, 0.5..=100000, default 50)
    pub client_drift_ppm: f64,
    /// Largest rate error of the server's clock; see `client_drift_ppm`. (ppm, 0.5..=100000, default 50)
    pub server_drift_ppm: f64,
    /// Prior knowledge of the client clock's rate, for example from [`rate_hint`](crate::rate_hint). A hint
    /// improves the accuracy in the first half minute. A wrong hint is corrected by later exchanges and never
    /// affects the error bound. The hint must lie within [`client_drift_ppm`](Self::client_drift_ppm).
    /// (default: unknown)
    pub client_rate: RateHint,
    /// Prior knowledge of the server clock's rate, if the server reports it. The hint must lie within
    /// [`server_drift_ppm`](Self::server_drift_ppm), so validate values from the network first.
    pub server_rate: RateHint,
    /// Largest rate at which the shown clock may run fast or slow during a correction. The rate difference
    /// between the two clocks counts towards this limit, so choose a value well above that difference.
    /// Broadcast and audio equipment tolerates 100 to 500 ppm. With a limit of 100 ppm, call
    /// [`make_step`](crate::Client::make_step) after a join, because slewing 10 ms would take 100 s.
    /// (fraction of real time, 0.0001..=0.5, default 0.05)
    pub max_slew: f64,
    /// If a forward correction is larger than this, the clock jumps instead of slewing, and the client
    /// reports the jump. Within an epoch, the clock never jumps backward. It does not jump forward if a
    /// reader could see a backward step. In the first second of a session or after a reset, the network may
    /// have delayed the first packet. A correction above 50 ms is therefore a step if slewing it would take
    /// longer than a second. A backward step of this kind begins a new epoch. (1 ms..=1 h, default 250 ms)
    pub step_threshold: Span,
    /// Replies that take longer than this are [too slow](crate::Refusal::TooSlow). (10 ms..=60 s, default 5
    /// s)
    pub max_round_trip: Span,
    /// Number of requests in a burst, at the start or after a discontinuity. (count, 2..=64, default 10)
    pub burst_count: u32,
    /// Mean request interval in a burst; each interval is randomised by ±1/3. (1 ms..=1 s, default 20 ms)
    pub burst_interval: Span,
    /// Mean time between requests once the clock has settled. An exchange has 64 bytes of payload on the
    /// [`wire`](crate::wire), so an interval of 4 s costs 16 bytes per second. The client resends a lost
    /// request after about a second.
    ///
    /// The actual interval is shorter if the configured drift could otherwise use up half of
    /// [`target_bound`](Self::target_bound) between requests. It is never shorter than
    /// [`burst_interval`](Self::burst_interval). Even with a dishonest server, the traffic in any ten minutes
    /// is at most twice that of an honest server's first ten minutes. (50 ms..=10 min, default 4 s)
    pub steady_interval: Span,
    /// A longer pause between two calls is reported as a discontinuity, because the local clock may have
    /// stopped. Debuggers and suspended applications cause such pauses. (100 ms..=1 day, default 10 s)
    pub local_gap: Span,
    /// Time without an accepted reply after which the clock is reported as degraded and enters holdover. The
    /// client also waits until more consecutive requests are unanswered than the path usually loses (three on
    /// a good path). A longer [`steady_interval`](Self::steady_interval) therefore extends this time. (1
    /// s..=1 day, default 15 s)
    pub holdover_after: Span,
    /// If the hard error bound exceeds this, the clock is reported as degraded and a new burst starts. The
    /// bound can never be below half the sum of the smallest delays in both directions. (1 ms..=1 h, default
    /// 250 ms)
    pub target_bound: Span,
    /// While the expected error is above this, or if the rate is already known, a burst is extended by up to
    /// 30 requests. The client then sends later requests less often. With a burst of 10 and a steady interval
    /// of 4 s, the first half minute costs at most 64 messages. With a link, the client sends more requests
    /// in this time. (10 us..=1 s, default 1 ms)
    pub target_error: Span,
    /// Resolution of the clock that provides the client's timestamps. (1 tick..=100 ms, default 1 tick)
    pub client_resolution: Span,
    /// Resolution of the clock that provides the server's timestamps. (1 tick..=100 ms, default 1 tick)
    pub server_resolution: Span,
    /// The longest frame in the client's loop, for callers that cannot measure how long replies wait before
    /// they are timestamped (see [`Client::polled`](crate::Client::polled)). The client uses it as an upper
    /// limit on unknown waits, not as their exact value. If it is zero, the client tries to detect frame
    /// loops from the timestamps. (0..=1 s, default 0)
    pub client_frame: Span,
    /// The longest frame in the server's loop, if replies do not state how long requests waited (see
    /// [`Reply::found_after`](crate::Reply::found_after)). (0..=1 s, default 0)
    pub server_frame: Span,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            client_drift_ppm: 50.0,
            server_drift_ppm: 50.0,
            client_rate: RateHint::default(),
            server_rate: RateHint::default(),
            max_slew: 0.05,
            step_threshold: Span::from_millis(250),
            max_round_trip: Span::from_secs(5),
            burst_count: 10,
            burst_interval: Span::from_millis(20),
            steady_interval: Span::from_secs(4),
            local_gap: Span::from_secs(10),
            holdover_after: Span::from_secs(15),
            target_bound: Span::from_millis(250),
            target_error: Span::from_millis(1),
            client_resolution: Span::from_ticks(1),
            server_resolution: Span::from_ticks(1),
            client_frame: Span::ZERO,
            server_frame: Span::ZERO,
        }
    }
}

impl Config {
    /// Checks every field against its range.
    ///
    /// # Errors
    /// Returns the first field that is out of range, with its value and range. NaN counts as out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        const MS: Span = Span::from_millis(1);
        const TICK: Span = Span::from_ticks(1);
        const HOUR: Span = Span::from_secs(3600);
        const DAY: Span = Span::from_secs(86_400);

        number("client_drift_ppm", self.client_drift_ppm, 0.5, 100_000.0, "ppm")?;
        number("server_drift_ppm", self.server_drift_ppm, 0.5, 100_000.0, "ppm")?;
        let (client, server) = (self.client_drift_ppm, self.server_drift_ppm);
        number("client_rate.ppm", self.client_rate.ppm, -client, client, "ppm")?;
        number("client_rate.doubt_ppm", self.client_rate.doubt_ppm, 0.0, 1_000.0, "ppm")?;
        number("server_rate.ppm", self.server_rate.ppm, -server, server, "ppm")?;
        number("server_rate.doubt_ppm", self.server_rate.doubt_ppm, 0.0, 1_000.0, "ppm")?;
        number("max_slew", self.max_slew, 0.0001, 0.5, "of real time")?;
        span("step_threshold", self.step_threshold, MS, HOUR)?;
        span("max_round_trip", self.max_round_trip, Span::from_millis(10), Span::from_secs(60))?;
        number("burst_count", f64::from(self.burst_count), 2.0, 64.0, "requests")?;
        span("burst_interval", self.burst_interval, MS, Span::from_secs(1))?;
        span("steady_interval", self.steady_interval, Span::from_millis(50), Span::from_secs(600))?;
        span("local_gap", self.local_gap, Span::from_millis(100), DAY)?;
        span("holdover_after", self.holdover_after, Span::from_secs(1), DAY)?;
        span("target_bound", self.target_bound, MS, HOUR)?;
        span("target_error", self.target_error, Span::from_micros(10), Span::from_secs(1))?;
        span("client_resolution", self.client_resolution, TICK, Span::from_millis(100))?;
        span("server_resolution", self.server_resolution, TICK, Span::from_millis(100))?;
        span("client_frame", self.client_frame, Span::ZERO, Span::from_secs(1))?;
        span("server_frame", self.server_frame, Span::ZERO, Span::from_secs(1))
    }

    /// Returns the largest change of the offset per tick of the client's clock. The two rate errors add up,
    /// and a slow client clock counts fewer ticks.
    pub(crate) fn drift(&self) -> f64 {
        self.drift_if_slewed_by(0.0)
    }

    /// Like [`drift`](Self::drift), but also allows a time service to slew either clock by up to `beyond`. In
    /// the worst case, the client's clock runs slow.
    pub(crate) fn drift_if_slewed_by(&self, beyond: f64) -> f64 {
        let (client, server) = (self.client_drift_ppm * 1e-6, self.server_drift_ppm * 1e-6);
        (client + server + beyond) / (1.0 - client - beyond)
    }

    /// Returns the steady interval, or a shorter one if the bound would otherwise exceed its target. Half of
    /// the target is reserved for the path. Random intervals may be a third longer.
    pub(crate) fn longest_interval(&self) -> Span {
        let within_target = self.target_bound.as_secs_f64() * (0.5 * 0.75) / self.drift();
        Span::from_secs_f64(within_target).max(SHORTEST_BY_TARGET).min(self.steady_interval)
    }

    pub(crate) fn tolerance(&self) -> Tolerance {
        Tolerance {
            max_round_trip: self.max_round_trip,
            drift: self.drift(),
            resolution: self.client_resolution + self.server_resolution,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_valid() {
        assert_eq!(Config::default().validate(), Ok(()));
    }

    #[test]
    fn errors_name_the_invalid_field() {
        fn refused(change: impl FnOnce(&mut Config)) -> &'static str {
            let mut config = Config::default();
            change(&mut config);
            config.validate().map_or_else(|error| error.field, |()| "accepted")
        }
        assert_eq!(refused(|c| c.client_drift_ppm = f64::NAN), "client_drift_ppm");
        assert_eq!(refused(|c| c.server_drift_ppm = f64::INFINITY), "server_drift_ppm");
        assert_eq!(refused(|c| c.client_rate.ppm = f64::NAN), "client_rate.ppm");
        assert_eq!(refused(|c| c.client_rate.doubt_ppm = -1.0), "client_rate.doubt_ppm");
        assert_eq!(refused(|c| c.server_rate.ppm = -50.1), "server_rate.ppm", "outside the configured drift");
        assert_eq!(refused(|c| (c.client_drift_ppm, c.client_rate.ppm) = (500.0, 500.0)), "accepted");
        assert_eq!(refused(|c| c.server_rate.doubt_ppm = 1_001.0), "server_rate.doubt_ppm");
        assert_eq!(refused(|c| c.max_slew = 0.0), "max_slew");
        assert_eq!(refused(|c| c.step_threshold = Span::ZERO), "step_threshold");
        assert_eq!(refused(|c| c.max_round_trip = Span::MAX), "max_round_trip");
        assert_eq!(refused(|c| c.burst_count = 1), "burst_count");
        assert_eq!(refused(|c| c.burst_interval = Span::from_ticks(i64::MIN)), "burst_interval");
        assert_eq!(refused(|c| c.steady_interval = Span::ZERO), "steady_interval");
        assert_eq!(refused(|c| c.local_gap = Span::ZERO), "local_gap");
        assert_eq!(refused(|c| c.holdover_after = Span::ZERO), "holdover_after");
        assert_eq!(refused(|c| c.target_bound = Span::ZERO), "target_bound");
        assert_eq!(refused(|c| c.target_error = Span::from_secs(2)), "target_error");
        assert_eq!(refused(|c| c.client_resolution = Span::ZERO), "client_resolution");
        assert_eq!(refused(|c| c.server_resolution = Span::from_secs(1)), "server_resolution");
        assert_eq!(refused(|c| c.client_frame = Span::from_ticks(-1)), "client_frame");
        assert_eq!(refused(|c| c.server_frame = Span::from_secs(2)), "server_frame");
    }

    #[test]
    fn the_drift_is_for_the_worst_allowed_clocks() {
        let config = Config { client_drift_ppm: 100_000.0, server_drift_ppm: 20_000.0, ..Config::default() };
        // The server's clock counts 1.02 s while the client's clock counts 0.9 s.
        let worst: f64 = (1.02 - 0.9) / 0.9;
        assert!((config.drift() - worst).abs() < 1e-12, "{}", config.drift());
        assert!((Config::default().drift() - 100e-6).abs() < 0.01e-6);
    }

    #[test]
    fn the_error_message_contains_the_range() {
        let config = Config { max_slew: 2.0, ..Config::default() };
        let message = config.validate().map_or_else(|error| error.to_string(), |()| String::new());
        assert_eq!(message, "max_slew is 2, which is outside 0.0001..=0.5 of real time");
    }
}
