use super::config::Config;
use super::probes::Probes;
use super::schedule::{Pace, Schedule};
use crate::clock::exchange::{RequestId, Unguessable};
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::time::{LocalTime, Span};

/// The random origins of request timestamps lie within ±2^60 ticks (3,653 years).
const ORIGINS: i64 = 1 << 60;
const OF_ORIGIN: u128 = 0x6F72_6967_696E;

#[derive(Clone, Debug)]
pub(crate) struct Asking {
    pub(crate) random: Unguessable,
    /// The random offset that is added to the local time in requests, to hide the machine's uptime.
    origin: Span,
    pub(crate) probes: Probes,
    pub(crate) schedule: Schedule,
    /// The number of all bursts, and of the bursts that dropped the outstanding requests. When a count
    /// changes, the link does the same.
    pub(crate) bursts: [u32; 2],
}

impl Asking {
    pub(crate) fn new(config: &Config, seed: u128) -> Result<Self, OutOfMemory> {
        Ok(Asking {
            random: Unguessable::new(seed),
            origin: Span::from_ticks(Unguessable::new(seed ^ OF_ORIGIN).next() as i64 % ORIGINS),
            probes: Probes::new()?,
            schedule: Schedule::new(config),
            bursts: [0; 2],
        })
    }

    pub(crate) fn request(&mut self, now: LocalTime, pace: Pace) -> RequestId {
        let id = RequestId(self.random.next());
        self.probes.insert(id, now);
        self.schedule.sent(now, pace, &mut self.random);
        id
    }

    /// Shifts the local time to the random origin of this client. The result is always valid, because the
    /// shift is reversed if it would leave the valid range.
    pub(crate) fn stamp(&self, now: LocalTime) -> LocalTime {
        let stamp = now + self.origin;
        if stamp.is_valid() { stamp } else { now - self.origin }
    }

    pub(crate) fn note_message(&mut self) {
        if self.schedule.note_message() {
            self.burst();
        }
    }

    pub(crate) fn burst(&mut self) {
        self.bursts[0] = self.bursts[0].wrapping_add(1);
        self.schedule.burst();
    }

    /// Starts a burst and drops all outstanding requests, because their replies may predate a clock step.
    pub(crate) fn start_over(&mut self) {
        self.probes.clear();
        self.bursts[1] = self.bursts[1].wrapping_add(1);
        self.burst();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ground::time::MAX_INSTANT_TICKS;

    const NOW: LocalTime = LocalTime::from_ticks(70);
    const PACE: Pace =
        Pace { answered: true, round_trip: Span::ZERO, sigma_rate: 1e-6, second: None, above_target: false };

    #[test]
    fn a_request_is_outstanding_until_it_is_removed() {
        let mut asking = Asking::new(&Config::default(), 1).expect("there is memory");
        let (first, second) = (asking.request(NOW, PACE), asking.request(NOW, PACE));
        asking.probes.remove(first);
        assert_eq!((asking.probes.sent(first), asking.probes.sent(second)), (None, Some(NOW)));
        assert!(!asking.schedule.is_due(NOW));
        asking.start_over();
        assert_eq!((asking.probes.sent(second), asking.schedule.is_due(NOW)), (None, true));
    }

    #[test]
    fn timestamps_have_a_random_origin_and_are_always_valid() {
        let asking = |seed| Asking::new(&Config::default(), seed).expect("there is memory");
        let origin = |seed| asking(seed).stamp(LocalTime::from_ticks(0)).ticks();
        let origins: std::collections::HashSet<i64> = (0..1_000).map(origin).collect();
        assert_eq!(origins.len(), 1_000);
        assert!(origins.iter().any(|&origin| origin > ORIGINS / 2));
        assert!(origins.iter().any(|&origin| origin < -ORIGINS / 2));
        for seed in 0..100 {
            let asking = asking(seed);
            for now in [-MAX_INSTANT_TICKS, -1, 0, 1, MAX_INSTANT_TICKS] {
                assert!(asking.stamp(LocalTime::from_ticks(now)).is_valid());
            }
            assert_eq!(asking.stamp(NOW + Span::from_secs(9)) - asking.stamp(NOW), Span::from_secs(9));
        }
    }
}
