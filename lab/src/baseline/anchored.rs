//! From ticks of any origin to small seconds, and back.

use crate::measure::estimator::{Estimator, Wire};
use crate::sim::clock::TICKS_PER_S;
use crate::sim::network::Exchange;

/// While unsynchronised, a lost request is repeated after this (s): what reliable delivery does.
const RETRY_S: f64 = 0.5;

/// The stamps of an exchange in seconds: `t0`, `t3` since the first exchange was sent, `t1`, `t2` since it was
/// received. The offset between the two origins is left out of every calculation and added at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stamps {
    /// Client: sent.
    pub t0: f64,
    /// Server: received.
    pub t1: f64,
    /// Server: answered.
    pub t2: f64,
    /// Client: received.
    pub t3: f64,
}

impl Stamps {
    /// Round trip as a two-stamp system sees it: server time included.
    pub fn delta(&self) -> f64 {
        self.t3 - self.t0
    }

    /// Round trip on the network alone.
    pub fn trip(&self) -> f64 {
        self.delta() - (self.t2 - self.t1)
    }

    /// The offset if both directions took equally long.
    pub fn middle(&self) -> f64 {
        ((self.t1 - self.t0) + (self.t2 - self.t3)) / 2.0
    }
}

/// When a clock probes on its own schedule: series of `count` probes `gap_s` apart, one series each `every_s`.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Probes in a series.
    pub count: u32,
    /// Time between the probes of a series (s).
    pub gap_s: f64,
    /// Time from the start of one series to the start of the next (s); infinite: there is only one.
    pub every_s: f64,
}

impl Pace {
    /// Single probes.
    pub const fn each(every_s: f64) -> Self {
        Self { count: 1, gap_s: 0.0, every_s }
    }
}

/// How a published clock turns stamps into an offset.
pub trait Rule {
    /// Short name for tables.
    fn name(&self) -> &'static str;

    /// Learns from an exchange, at its `t3`.
    fn take(&mut self, x: &Stamps);

    /// The estimate of theta used at `now` (s, client).
    fn offset(&mut self, now: f64) -> Option<f64>;

    /// Its own schedule.
    fn pace(&self) -> Pace;

    /// Bytes of its messages: by default one client stamp up, that and one server stamp down.
    fn wire(&self) -> Wire {
        Wire { request: 8, reply: 16 }
    }
}

/// A rule as an estimator.
pub struct Anchored<R> {
    rule: R,
    /// First `t0` and `t1` (ticks).
    origin: Option<(i64, i64)>,
    sent_in_series: u32,
    series_began: Option<i64>,
    last_sent: i64,
}

impl<R: Rule + 'static> Anchored<R> {
    /// Wraps a rule.
    pub fn boxed(rule: R) -> Box<dyn Estimator> {
        Box::new(Self { rule, origin: None, sent_in_series: 0, series_began: None, last_sent: 0 })
    }

    fn offset(&mut self, local: i64) -> Option<(i64, f64)> {
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
        self.rule.name()
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
        let pace = self.rule.pace();
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
        self.rule.wire()
    }
}

/// Bytes of a four-stamp exchange: one client stamp up, three stamps down.
pub(super) const FOUR_STAMPS: Wire = Wire { request: 8, reply: 24 };

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// An exchange sent at `t0` (s) that took `forward_ms` and `reverse_ms`, with `theta_ms` = server - client
    /// and an immediate answer.
    pub(crate) fn exchange(t0: f64, forward_ms: f64, reverse_ms: f64, theta_ms: f64) -> Stamps {
        let t1 = t0 + (forward_ms + theta_ms) * 1e-3;
        Stamps { t0, t1, t2: t1, t3: t0 + (forward_ms + reverse_ms) * 1e-3 }
    }

    /// The rule's offset at `now` in ms, rounded to 1 ns.
    pub(crate) fn offset_ms(rule: &mut impl Rule, now: f64) -> f64 {
        (rule.offset(now).expect("synchronised") * 1e9).round() / 1e6
    }
}
