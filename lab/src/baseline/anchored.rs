//! A rule as a clock. Converts ticks of any origin to seconds near zero, and back.

use super::rule::{Pace, Rule, Stamps};
use netclock_sim::clock::TICKS_PER_S;
use netclock_sim::measure::estimator::{Estimator, Wire};
use netclock_sim::network::Exchange;

/// Until the first synchronisation, a lost request is repeated after this time (s), as reliable delivery
/// does.
const RETRY_S: f64 = 0.5;
/// The messages of an exchange with two server stamps.
pub(super) const FOUR_STAMPS: Wire = Wire { request: 8, reply: 24 };

/// A rule as a clock under test.
pub(super) struct Anchored<R> {
    name: &'static str,
    wire: Wire,
    pace: Pace,
    rule: R,
    /// First `t0` and `t1` (ticks).
    origin: Option<(i64, i64)>,
    sent_in_series: u32,
    series_began: Option<i64>,
    last_sent: i64,
}

/// A clock whose requests carry one client stamp and whose replies carry that stamp and a server stamp.
pub(super) fn two_stamps(name: &'static str, pace: Pace, rule: impl Rule + 'static) -> Box<dyn Estimator> {
    Anchored::boxed(name, Wire { request: 8, reply: 16 }, pace, rule)
}

/// A clock whose requests carry one client stamp and whose replies carry that stamp and two server stamps.
pub(super) fn four_stamps(name: &'static str, pace: Pace, rule: impl Rule + 'static) -> Box<dyn Estimator> {
    Anchored::boxed(name, FOUR_STAMPS, pace, rule)
}

/// A clock without requests: the server pushes its stamps.
pub(super) fn pushed(name: &'static str, pace: Pace, rule: impl Rule + 'static) -> Box<dyn Estimator> {
    Anchored::boxed(name, Wire { request: 0, reply: 8 }, pace, rule)
}

impl<R: Rule + 'static> Anchored<R> {
    fn boxed(name: &'static str, wire: Wire, pace: Pace, rule: R) -> Box<dyn Estimator> {
        let (origin, series_began) = (None, None);
        Box::new(Self { name, wire, pace, rule, origin, sent_in_series: 0, series_began, last_sent: 0 })
    }

    fn offset(&self, local: i64) -> Option<(i64, f64)> {
        let (client, server) = self.origin?;
        let offset = self.rule.offset(seconds(local - client))?;
        Some((server - client, offset))
    }
}

fn seconds(ticks: i64) -> f64 {
    ticks as f64 / TICKS_PER_S
}

impl<R: Rule + 'static> Estimator for Anchored<R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn on_exchange(&mut self, x: &Exchange) {
        let (client, server) = *self.origin.get_or_insert((x.t0, x.t1));
        self.rule.take(&Stamps {
            t0: seconds(x.t0 - client),
            t1: seconds(x.t1 - server),
            t2: seconds(x.t2 - server),
            t3: seconds(x.t3 - client),
        });
    }

    fn shown(&mut self, local: i64) -> Option<i64> {
        let (origin, offset) = self.offset(local)?;
        Some(local + origin + (offset * TICKS_PER_S).round() as i64)
    }

    fn wants_probe(&mut self, local: i64) -> bool {
        let pace = self.pace;
        let since_last = seconds(local - self.last_sent);
        let wants = match self.series_began {
            None => true,
            Some(_) if self.sent_in_series < pace.count => since_last >= pace.gap_s,
            Some(began) => {
                seconds(local - began) >= pace.every_s
                    || (since_last >= RETRY_S && self.offset(local).is_none())
            }
        };
        if wants {
            if self.series_began.is_none() || self.sent_in_series >= pace.count {
                self.series_began = Some(local);
                self.sent_in_series = 0;
            }
            self.sent_in_series += 1;
            self.last_sent = local;
        }
        wants
    }

    fn wire(&self) -> Wire {
        self.wire
    }
}
