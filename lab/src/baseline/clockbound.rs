//! The feed-forward clock of Amazon's ClockBound 3, as its crate has it: no description of ours, their code.
//!
//! It is made for servers near their time source, and asks an NTP server every 16 s. Given two exchanges 50
//! ms apart, as in the burst at the begin, it takes their jitter for its rate, and its code panics. So it
//! gets one a second here, or one in 16 s.

use clock_bound::daemon::clock_sync_algorithm::FfSyncParams;
use clock_bound::daemon::clock_sync_algorithm::ff;
use clock_bound::daemon::event::{Ntp, NtpData, Stratum};
use clock_bound::daemon::time::{Duration, Instant, TscCount};

use netclock_sim::measure::estimator::{Estimator, Wire};
use netclock_sim::network::Exchange;

/// Bytes of an NTP packet.
const PACKET: u64 = 48;
const NANOS_PER_TICK: i64 = 100;

/// ClockBound as an estimator. Its counter of cycles is the local clock in ns.
pub(super) struct ClockBound {
    name: &'static str,
    /// The shortest time between two exchanges that it is given (ticks): a tenth less than between its
    /// questions.
    pace: i64,
    clock: ff::Ntp,
    settings: FfSyncParams,
    /// The first exchange, from which both times count: in ns they would be too large for its numbers.
    first: Option<(i64, i64)>,
    /// When the newest exchange that it was given was sent.
    newest: Option<i64>,
}

impl ClockBound {
    pub(super) fn new(name: &'static str, poll_s: i64) -> Self {
        let settings = FfSyncParams::default();
        let clock = ff::Ntp::new(Duration::from_secs(poll_s), &settings, &settings.ntp);
        ClockBound { name, pace: poll_s * 9_000_000, clock, settings, first: None, newest: None }
    }
}

impl Estimator for ClockBound {
    fn name(&self) -> &'static str {
        self.name
    }

    fn on_exchange(&mut self, x: &Exchange) {
        if self.newest.is_some_and(|newest| x.t0 - newest < self.pace) {
            return;
        }
        self.newest = Some(x.t0);
        let (local, server) = *self.first.get_or_insert((x.t0, x.t1));
        let counter = |at: i64| TscCount::new((at - local) * NANOS_PER_TICK);
        // A year in, so that nothing of the first seconds is before its epoch.
        let instant =
            |at: i64| Instant::from_days(365) + Duration::from_nanos((at - server) * NANOS_PER_TICK);
        let data = NtpData {
            server_recv_time: instant(x.t1),
            server_send_time: instant(x.t2),
            root_delay: Duration::from_secs(0),
            root_dispersion: Duration::from_secs(0),
            stratum: Stratum::ONE,
        };
        let event =
            Ntp::builder().counter_pre(counter(x.t0)).counter_post(counter(x.t3)).ntp_data(data).build();
        if let Some(event) = event {
            self.clock.feed(event);
        }
    }

    fn shown(&mut self, local: i64) -> Option<i64> {
        let (first, server) = self.first?;
        let parameters = self.clock.clock_parameters()?;
        let passed =
            parameters.time_at(TscCount::new((local - first) * NANOS_PER_TICK)) - Instant::from_days(365);
        Some(server + passed.as_nanos() / NANOS_PER_TICK)
    }

    fn bound(&mut self, local: i64) -> Option<i64> {
        let (first, _) = self.first?;
        let parameters = self.clock.clock_parameters()?;
        let age = ((TscCount::new((local - first) * NANOS_PER_TICK) - parameters.tsc_count)
            * parameters.period)
            .as_seconds_f64();
        let bound = parameters.clock_error_bound.as_seconds_f64() + age * self.settings.max_dispersion.get();
        Some((bound * 1e7).ceil() as i64)
    }

    fn wire(&self) -> Wire {
        Wire { request: PACKET, reply: PACKET }
    }
}
