//! What users of a client need to know: each event is reported once.

use crate::clock::ground::time::Span;

/// Number of events kept until they are fetched. A newer one replaces the oldest.
const KEPT: usize = 16;

/// Why the clock was reset or may have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cause {
    /// A reply named another server epoch: the server's clock was restarted.
    ServerRestart = 1,
    /// Two exchanges proved that a clock stepped: their intervals do not meet the aged one.
    ProvenStep = 2,
    /// No call for longer than [`Config::local_gap`](crate::Config::local_gap), or a call of
    /// [`Client::may_have_missed_time`](crate::Client::may_have_missed_time).
    LocalGap = 3,
    /// The local clock went back by a second or more.
    LocalStep = 4,
    /// A correction forwards above [`Config::step_threshold`](crate::Config::step_threshold); or, in the
    /// first second, one in either direction above 50 ms that would take longer than a second to slew.
    Correction = 5,
    /// The application stepped the clock with [`Client::make_step`](crate::Client::make_step).
    Requested = 6,
}

/// Why the clock is worse than it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Degradation {
    /// No reply for [`Config::holdover_after`](crate::Config::holdover_after): the clock is in holdover.
    NoReplies = 1,
    /// The hard bound exceeds [`Config::target_bound`](crate::Config::target_bound).
    BoundAboveTarget = 2,
    /// A reply contradicts the clock. The next one will decide whether a clock stepped.
    Contradiction = 3,
    /// Several servers with different clocks answer at one address, as behind a load balancer. The client
    /// follows one of them and refuses the replies of the others (see
    /// [`Refusal::SeveralServers`](crate::Refusal::SeveralServers)).
    SeveralServers = 4,
    /// The exchanges show that a clock is slewed by more than
    /// [`Config::client_drift_ppm`](crate::Config::client_drift_ppm) and the server's setting allow.
    ///
    /// The bound then allows for 550, 5,500 or 100,000 ppm in addition to these, or for nothing more: for the
    /// least that explains all replies, starting with the reply that shows it. So while a clock is slewed by
    /// up to 100,000 ppm, readings are outside the bound only until the replies contradict the highest of
    /// these limits that is below the slew; no client can know sooner. The declaration holds until
    /// [`Event::Recovered`], after 20 minutes without a slew.
    ///
    /// The bound also widens, undeclared, at signs that prove nothing. A step may have been a fast slew, so
    /// the bound allows for one until replies show that none goes on, for at least 20 s. A path whose delays
    /// jump may look like a slew.
    Slewed = 5,
}

/// Something that happened to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The first reply was accepted: there is a server time to show.
    Synced,
    /// The clock jumped, or may be wrong until the next reply.
    Discontinuity {
        /// What happened.
        cause: Cause,
        /// Shown time after minus shown time before; zero if nothing moved or the difference is slewed.
        jump: Span,
        /// [`Reading::epoch`](crate::Reading::epoch) from now on.
        epoch: u32,
    },
    /// The clock continues, but is worse than it should be.
    Degraded(Degradation),
    /// The degradation is over.
    Recovered,
    /// Another authority took over the timescale. The clock continues in the same epoch, without a jump.
    HandedOver,
    /// The [link](crate::link)'s requests are answered, for the first time or again.
    Linked,
    /// No request by the link was answered for two seconds, because of a firewall, a wrong key, a server that
    /// is gone, or a network that is down. The link keeps trying.
    LinkBlocked,
    /// Datagrams cannot be sent: there is no network, or the host's name is unknown. The link keeps trying.
    LinkNotPossible,
}

/// A queue of bounded length.
#[derive(Clone, Debug)]
pub(crate) struct Events {
    ring: [Option<Event>; KEPT],
    first: usize,
    count: usize,
    /// Number of events so far.
    pub(crate) total: u64,
}

impl Events {
    pub(crate) fn new() -> Self {
        Events { ring: [None; KEPT], first: 0, count: 0, total: 0 }
    }

    pub(crate) fn push(&mut self, event: Event) {
        if self.count == KEPT {
            self.pop();
        }
        self.ring[(self.first + self.count) % KEPT] = Some(event);
        self.count += 1;
        self.total += 1;
        debug_assert!(self.count as u64 <= self.total, "each event that is kept was counted");
    }

    pub(crate) fn extend(&mut self, event: Option<Event>) {
        if let Some(event) = event {
            self.push(event);
        }
    }

    /// The events after the first `total` that are still kept, oldest first.
    pub(crate) fn since(&self, total: u64) -> impl Iterator<Item = Event> + '_ {
        let newer = self.total.saturating_sub(total).min(self.count as u64) as usize;
        (self.count - newer..self.count).filter_map(|at| self.ring[(self.first + at) % KEPT])
    }

    pub(crate) fn pop(&mut self) -> Option<Event> {
        let event = self.ring[self.first].take()?;
        self.first = (self.first + 1) % KEPT;
        self.count -= 1;
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_in_first_out_and_bounded() {
        let mut events = Events::new();
        assert_eq!(events.pop(), None);
        events.push(Event::Synced);
        for _ in 0..KEPT {
            events.push(Event::Recovered);
        }
        assert_eq!(events.pop(), Some(Event::Recovered), "the oldest was lost");
        assert_eq!(events.since(0).count(), KEPT - 1, "looking takes nothing away");
        assert_eq!(events.since(events.total - 2).count(), 2);
        assert_eq!(events.since(events.total).count(), 0);
        assert_eq!(core::iter::from_fn(|| events.pop()).count(), KEPT - 1);
    }
}
