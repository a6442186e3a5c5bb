//! What a published clock is: a rule that turns stamps into an offset.

use netclock_sim::measure::estimator::Wire;

/// The stamps of an exchange (s). `t0` and `t3` count from the sending of the first exchange, `t1` and `t2`
/// from its receipt. The offset between the two origins is added at the end of a calculation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stamps {
    /// Client: sent.
    pub(super) t0: f64,
    /// Server: received.
    pub(super) t1: f64,
    /// Server: answered.
    pub(super) t2: f64,
    /// Client: received.
    pub(super) t3: f64,
}

impl Stamps {
    /// The round trip with the time on the server, as a two-stamp system sees it.
    pub(super) fn delta(&self) -> f64 {
        self.t3 - self.t0
    }

    /// The round trip on the network.
    pub(super) fn trip(&self) -> f64 {
        self.delta() - (self.t2 - self.t1)
    }

    /// The offset, if both directions took equally long.
    pub(super) fn middle(&self) -> f64 {
        ((self.t1 - self.t0) + (self.t2 - self.t3)) / 2.0
    }
}

/// The schedule of a clock: a series of `count` probes that are `gap_s` apart, every `every_s`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Probes in a series.
    pub(super) count: u32,
    /// Time between the probes of a series (s).
    pub(super) gap_s: f64,
    /// Time from the start of one series to the start of the next (s); infinite: only one series.
    pub(super) every_s: f64,
}

impl Pace {
    /// Single probes, one every `every_s` (s).
    pub(super) const fn each(every_s: f64) -> Self {
        Self { count: 1, gap_s: 0.0, every_s }
    }
}

/// What a clock is called, when it probes, and what its messages cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Short name for tables.
    pub(super) name: &'static str,
    /// Its own schedule.
    pub(super) pace: Pace,
    /// Bytes of its messages.
    pub(super) wire: Wire,
}

impl Terms {
    /// One client stamp up; that one and a server stamp down.
    pub(super) const fn two_stamps(name: &'static str, pace: Pace) -> Self {
        Self { name, pace, wire: Wire { request: 8, reply: 16 } }
    }

    /// One client stamp up; that one and two server stamps down.
    pub(super) const fn four_stamps(name: &'static str, pace: Pace) -> Self {
        Self { name, pace, wire: FOUR_STAMPS }
    }

    /// No request; one server stamp down.
    pub(super) const fn pushed(name: &'static str, pace: Pace) -> Self {
        Self { name, pace, wire: Wire { request: 0, reply: 8 } }
    }
}

/// How a published clock turns stamps into an offset.
pub(super) trait Rule {
    /// Its name, its schedule and its messages.
    fn terms(&self) -> Terms;

    /// Learns from an exchange, at its `t3`.
    fn take(&mut self, x: &Stamps);

    /// The estimate of theta used at `now` (s, client).
    fn offset(&mut self, now: f64) -> Option<f64>;
}

/// The messages of a four-stamp exchange: one client stamp up, three stamps down.
pub(super) const FOUR_STAMPS: Wire = Wire { request: 8, reply: 24 };

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// An exchange that was sent at `t0` (s), took `forward_ms` and `reverse_ms`, and was answered at once.
    /// `theta_ms` is server minus client.
    pub(crate) fn exchange(t0: f64, forward_ms: f64, reverse_ms: f64, theta_ms: f64) -> Stamps {
        let t1 = t0 + (forward_ms + theta_ms) * 1e-3;
        Stamps { t0, t1, t2: t1, t3: t0 + (forward_ms + reverse_ms) * 1e-3 }
    }

    /// The rule's offset at `now` in ms, rounded to 1 ns.
    pub(crate) fn offset_ms(rule: &mut impl Rule, now: f64) -> f64 {
        (rule.offset(now).expect("synchronised") * 1e9).round() / 1e6
    }
}
