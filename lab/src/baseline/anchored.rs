use super::rule::{Pace, Rule, Stamps};
use netclock_sim::{Estimator, Exchange, TICKS_PER_S, Wire};

/// An unsynchronised clock repeats an unanswered request after this time, as TCP would.
const RETRY_S: f64 = 0.5;
pub(super) const FOUR_STAMPS: Wire = Wire { request: 8, reply: 24 };

pub(super) struct Anchored<R> {
    wire: Wire,
    pace: Pace,
    rule: R,
    /// The `t0` and `t1` of the first exchange (ticks). Rules count seconds from these times.
    origin: Option<(i64, i64)>,
    sent_in_series: u32,
    series_start: Option<i64>,
    last_sent: i64,
}

/// The reply contains the client's timestamp and a single server timestamp.
pub(super) fn two_stamps(pace: Pace, rule: impl Rule + 'static) -> Box<dyn Estimator> {
    Anchored::boxed(Wire { request: 8, reply: 16 }, pace, rule)
}

pub(super) fn four_stamps(pace: Pace, rule: impl Rule + 'static) -> Box<dyn Estimator> {
    Anchored::boxed(FOUR_STAMPS, pace, rule)
}

pub(super) fn pushed(pace: Pace, rule: impl Rule + 'static) -> Box<dyn Estimator> {
    Anchored::boxed(Wire { request: 0, reply: 8 }, pace, rule)
}

impl<R: Rule + 'static> Anchored<R> {
    fn boxed(wire: Wire, pace: Pace, rule: R) -> Box<dyn Estimator> {
        let (origin, series_start) = (None, None);
        Box::new(Self { wire, pace, rule, origin, sent_in_series: 0, series_start, last_sent: 0 })
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
    fn on_exchange(&mut self, x: &Exchange) {
        let (client, server) = *self.origin.get_or_insert((x.t0, x.t1));
        self.rule.update(&Stamps {
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
        let wants = match self.series_start {
            None => true,
            Some(_) if self.sent_in_series < pace.count => since_last >= pace.gap_s,
            Some(start) => {
                seconds(local - start) >= pace.every_s
                    || (since_last >= RETRY_S && self.offset(local).is_none())
            }
        };
        if wants {
            if self.series_start.is_none() || self.sent_in_series >= pace.count {
                self.series_start = Some(local);
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
