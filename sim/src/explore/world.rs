//! The two clocks of a small session and their changes.

use netclock::{LocalTime, Reading, ServerTime};

use super::{Change, Incident, Schedule, Side};
use crate::{ClockConfig, Clocks, Slew, TICKS_PER_S};

/// How far a restarted server's clock is from the previous one (ticks).
const RESTARTED: i64 = 1_000_000_000;

pub(super) struct TrueClocks {
    clocks: Clocks,
    step: (Side, i64, f64),
    pub(super) changes_s: f64,
    restarts_s: f64,
}

impl TrueClocks {
    pub(super) fn of(schedule: &Schedule, sent_s: &[f64], ends_s: f64) -> Self {
        let (change, after) = schedule.change;
        let [drift_ppm, server_drift_ppm] = schedule.drift_ppm;
        let mut config = ClockConfig { drift_ppm, server_drift_ppm, ..ClockConfig::default() };
        let (mut step, mut changes_s) = ((Side::Server, 0, f64::INFINITY), sent_s[after].floor() + 1.0);
        match change {
            Change::None => changes_s = f64::INFINITY,
            Change::Step(side, by_s) => step = (side, (by_s * TICKS_PER_S) as i64, changes_s),
            Change::Slew(side, ppm, hold_s) => {
                let slew = Slew { ppm, hold_s, tail_s: 0.0, every_s: f64::INFINITY, from_s: changes_s };
                *(if side == Side::Client { &mut config.client_slew } else { &mut config.server_slew }) =
                    slew;
            }
        }
        let restarts = schedule.incident.0 == Incident::Restart;
        let restarts_s = if restarts { sent_s[schedule.incident.1] + 0.2 } else { f64::INFINITY };
        TrueClocks { clocks: Clocks::new(&config, ends_s, 1), step, changes_s, restarts_s }
    }

    pub(super) fn stepped(&self, side: Side, t: f64) -> i64 {
        let (whose, by, at_s) = self.step;
        if side == whose && t >= at_s { by } else { 0 }
    }

    pub(super) fn local(&self, t: f64) -> LocalTime {
        LocalTime::from_ticks(self.clocks.client(t) + self.stepped(Side::Client, t))
    }

    pub(super) fn epoch(&self, t: f64) -> u64 {
        1 + u64::from(t >= self.restarts_s)
    }

    pub(super) fn server(&self, epoch: u64, t: f64) -> ServerTime {
        let ahead = epoch as i64 * RESTARTED + self.stepped(Side::Server, t);
        ServerTime::from_ticks(self.clocks.server(t) + ahead)
    }

    /// Returns the shown time minus the true time (ticks).
    pub(super) fn error(&self, reading: &Reading, t: f64) -> f64 {
        let ahead = reading.server_epoch as i64 * RESTARTED + self.stepped(Side::Server, t);
        self.clocks.error(reading.server_time.ticks() - ahead, t)
    }
}
