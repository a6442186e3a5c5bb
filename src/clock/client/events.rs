use crate::clock::ground::time::Span;

const KEPT: usize = 16;

/// Why the clock was reset or may have to be reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cause {
    /// A reply had a different server epoch, because the server's clock was restarted.
    ServerRestart = 1,
    /// Two exchanges contradicted the earlier bounds on the offset, which proves that a clock stepped.
    ProvenStep = 2,
    /// The client was not called for longer than [`Config::local_gap`](crate::Config::local_gap), or the
    /// caller called [`Client::may_have_missed_time`](crate::Client::may_have_missed_time).
    LocalGap = 3,
    /// The local clock went backwards by at least a second.
    LocalStep = 4,
    /// A forward correction exceeded [`Config::step_threshold`](crate::Config::step_threshold). In the first
    /// second, a correction in either direction also causes this if it exceeds 50 ms and would take longer
    /// than a second to slew.
    Correction = 5,
    /// The application stepped the clock with [`Client::make_step`](crate::Client::make_step).
    Requested = 6,
}

/// Why the clock is less accurate than configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Degradation {
    /// No reply arrived for [`Config::holdover_after`](crate::Config::holdover_after), so the clock is in
    /// holdover.
    NoReplies = 1,
    /// The hard bound exceeds [`Config::target_bound`](crate::Config::target_bound).
    BoundAboveTarget = 2,
    /// A reply contradicts the clock, and the next reply will show whether a clock stepped.
    Contradiction = 3,
    /// Several servers with different clocks reply from one address, for example behind a load balancer. The
    /// client follows one of them and rejects the replies of the others with
    /// [`Refusal::SeveralServers`](crate::Refusal::SeveralServers).
    SeveralServers = 4,
    /// The exchanges show that a clock is slewed by more than
    /// [`Config::client_drift_ppm`](crate::Config::client_drift_ppm) and
    /// [`Config::server_drift_ppm`](crate::Config::server_drift_ppm) allow.
    ///
    /// Once a reply shows the slew, the error bound allows for an additional slew: the smallest of 0, 550,
    /// 5,500 and 100,000 ppm that explains all replies. With slews of up to 100,000 ppm, readings are outside
    /// the bound only until replies contradict the highest limit below the slew. No client can detect the
    /// slew earlier. The degradation lasts until [`Event::Recovered`], after 20 minutes without a slew.
    ///
    /// Replies that suggest a slew without proving it also widen the bound, but cause no event. A step may
    /// have been a fast slew. The bound allows for this slew until replies rule it out, but for at least 20
    /// s. A path whose delays jump can also look like a slew.
    Slewed = 5,
}

/// Something that happened to the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The first reply was accepted, so the server time can now be read.
    Synced,
    /// The clock jumped, or may be wrong until the next reply.
    Discontinuity {
        /// The cause of the discontinuity.
        cause: Cause,
        /// The shown time after the discontinuity minus the time before it, or zero if the change is slewed.
        jump: Span,
        /// The new [`Reading::epoch`](crate::Reading::epoch).
        epoch: u32,
    },
    /// The clock continues, but is less accurate than configured.
    Degraded(Degradation),
    /// The clock is no longer degraded.
    Recovered,
    /// Another authority took over the timescale. The clock continues in the same epoch without a jump.
    HandedOver,
    /// The server answers requests on the [link](crate::link), for the first time or again.
    Linked,
    /// No request on the link was answered for two seconds. Possible causes are a firewall, a wrong key, a
    /// server that is gone, or a network that is down. The link keeps sending requests.
    LinkBlocked,
    /// The link cannot send datagrams, because there is no network or no address for the host name. The
    /// client keeps trying to open the link.
    LinkNotPossible,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    ring: [Option<Event>; KEPT],
    first: usize,
    count: usize,
}

impl Events {
    pub(crate) fn push(&mut self, event: Event) {
        if self.count == KEPT {
            self.pop();
        }
        self.ring[(self.first + self.count) % KEPT] = Some(event);
        self.count += 1;
    }

    pub(crate) fn extend(&mut self, event: Option<Event>) {
        if let Some(event) = event {
            self.push(event);
        }
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
    fn the_queue_is_bounded_and_first_in_first_out() {
        let mut events = Events::default();
        assert_eq!(events.pop(), None);
        events.push(Event::Synced);
        for _ in 0..KEPT {
            events.push(Event::Recovered);
        }
        assert_eq!(events.pop(), Some(Event::Recovered), "the oldest event was dropped");
        assert_eq!(core::iter::from_fn(|| events.pop()).count(), KEPT - 1);
    }
}
