//! The feed-forward clock of Amazon's ClockBound 3, as its crate has it: no description of ours, their code.
//!
//! It is made for servers beside their time source, asks every 16 s and compares with what it knew for hours. Here it gets the
//! exchanges of the bench.

use clock_bound::daemon::clock_sync_algorithm::FfSyncParams;
use clock_bound::daemon::clock_sync_algorithm::ff;
use clock_bound::daemon::event::{Ntp, NtpData, Stratum};
use clock_bound::daemon::time::{Duration, Instant, TscCount};

use crate::measure::estimator::{Estimator, Wire};
use crate::sim::network::Exchange;

/// Bytes of an NTP packet.
const PACKET: u64 = 48;
const NANOS_PER_TICK: i64 = 100;

/// ClockBound as an estimator. Its counter of cycles is the local clock in ns.
pub(super) struct ClockBound {
    clock: ff::Ntp,
    settings: FfSyncParams,
}

impl ClockBound {
    pub(super) fn new() -> Self {
        let settings = FfSyncParams::default();
        ClockBound { clock: ff::Ntp::new(Duration::from_secs(1), &settings, &settings.ntp), settings }
    }
}

fn counter(local: i64) -> TscCount {
    TscCount::new(local * NANOS_PER_TICK)
}

fn instant(server: i64) -> Instant {
    Instant::from_nanos(server * NANOS_PER_TICK)
}

impl Estimator for ClockBound {
    fn name(&self) -> &'static str {
        "clockbound"
    }

    fn on_exchange(&mut self, x: &Exchange) {
        let data = NtpData {
            server_recv_time: instant(x.t1),
            server_send_time: instant(x.t2),
            root_delay: Duration::from_secs(0),
            root_dispersion: Duration::from_secs(0),
            stratum: Stratum::ONE,
        };
        let event = Ntp::builder().counter_pre(counter(x.t0)).counter_post(counter(x.t3)).ntp_data(data).build();
        if let Some(event) = event {
            self.clock.feed(event);
        }
    }

    fn shown(&mut self, local: i64) -> Option<i64> {
        let parameters = self.clock.clock_parameters()?;
        Some(parameters.time_at(counter(local)).as_nanos() / NANOS_PER_TICK)
    }

    fn bound(&mut self, local: i64) -> Option<i64> {
        let parameters = self.clock.clock_parameters()?;
        let age = ((counter(local) - parameters.tsc_count) * parameters.period).as_seconds_f64();
        let bound = parameters.clock_error_bound.as_seconds_f64() + age * self.settings.max_dispersion.get();
        Some((bound * 1e7).ceil() as i64)
    }

    fn wire(&self) -> Wire {
        Wire { request: PACKET, reply: PACKET }
    }
}
