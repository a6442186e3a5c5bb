//! Models one direction of a path without performing any I/O. Datagrams first wait in a queue with a limited
//! rate and capacity. Other traffic may share the queue. The simulator's leg then delays, holds back, drops
//! or duplicates the datagrams.

use netclock::Span;

use super::impairment::Impairment;
use crate::net::clock::MachineTime;
use netclock_sim::leg::Leg as Simulated;
use netclock_sim::random::Random;
use netclock_sim::trace::{Split, Trace};

const HEADERS: u64 = 28;
const OTHER_SIZE: f64 = 1_200.0;
/// Other traffic older than this has left the queue, so we do not simulate it.
const OTHER_MEMORY_S: f64 = 10.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fate {
    Lost,
    Dropped,
    Arrives { at: MachineTime, copy: Option<MachineTime> },
}

impl Fate {
    pub(crate) fn after(self, seconds: f64) -> Self {
        match self {
            Fate::Arrives { .. } if seconds.is_infinite() => Fate::Lost,
            Fate::Arrives { at, copy } => {
                let later = Span::from_secs_f64(seconds);
                Fate::Arrives { at: at + later, copy: copy.map(|copy| copy + later) }
            }
            other => other,
        }
    }
}

pub(crate) struct Played {
    trace: Trace,
    seed: u64,
    begun: Option<MachineTime>,
}

impl Played {
    /// `seed` determines where playback starts and how each round trip is split into two delays.
    pub(crate) fn new(trace: Trace, seed: u64) -> Self {
        Played { trace, seed, begun: None }
    }

    /// Returns the delays up and down (s). Lost datagrams have infinite delays.
    pub(crate) fn delays(&mut self, now: MachineTime) -> (f64, f64) {
        let begun = *self.begun.get_or_insert(now);
        self.trace.delays((now - begun).as_secs_f64(), Split::Varying, self.seed)
    }
}

pub(crate) struct Leg {
    pub(crate) settings: Impairment,
    path: Simulated,
    random: Random,
    queue_empty: MachineTime,
    next_other: Option<MachineTime>,
}

impl Leg {
    /// For the same `seed`, datagrams with the same arrival times always have the same fates.
    pub(crate) fn new(settings: Impairment, seed: u64, name: &str) -> Self {
        let queue_empty = MachineTime::from_ticks(i64::MIN / 4);
        let path = Simulated::new(&settings.leg(), seed, name);
        Leg { settings, path, random: Random::new(seed, name), queue_empty, next_other: None }
    }

    pub(crate) fn change(&mut self, settings: Impairment) {
        (self.settings, self.path.config) = (settings, settings.leg());
    }

    /// `now` must not decrease.
    pub(crate) fn pass(&mut self, now: MachineTime, size: usize) -> Fate {
        let mut delays = self.path.arrivals(0.0).into_iter().map(Span::from_secs_f64);
        let Some(delay) = delays.next() else { return Fate::Lost };
        let Some(left_queue) = self.queue(now, size) else { return Fate::Dropped };
        Fate::Arrives { at: left_queue + delay, copy: delays.next().map(|delay| left_queue + delay) }
    }

    fn queue(&mut self, now: MachineTime, size: usize) -> Option<MachineTime> {
        if self.settings.rate <= 0.0 {
            return Some(now);
        }
        self.others_until(now);
        self.enqueue(now, (size as u64 + HEADERS) as f64)
    }

    fn enqueue(&mut self, now: MachineTime, bytes: f64) -> Option<MachineTime> {
        let starts = self.queue_empty.max(now);
        let waiting = (starts - now).as_secs_f64() * self.settings.rate;
        if waiting + bytes > self.settings.queue {
            return None;
        }
        self.queue_empty = starts + Span::from_secs_f64(bytes / self.settings.rate);
        Some(self.queue_empty)
    }

    fn others_until(&mut self, now: MachineTime) {
        let load = self.settings.other / 100.0 * self.settings.rate;
        if load <= 0.0 {
            self.next_other = None;
            return;
        }
        let mut next = self.next_other.unwrap_or(now).max(now - Span::from_secs_f64(OTHER_MEMORY_S));
        while next <= now {
            self.enqueue(next, OTHER_SIZE);
            next += Span::from_secs_f64(self.random.exponential(OTHER_SIZE / load));
        }
        self.next_other = Some(next);
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Result;

    use super::*;

    fn at(ms: f64) -> MachineTime {
        MachineTime::from_ticks(0) + Span::from_secs_f64(ms * 1e-3)
    }

    fn leg(settings: &str) -> Result<Leg> {
        Ok(Leg::new(settings.parse()?, 1, "test"))
    }

    fn delays(leg: &mut Leg, count: u32, every: f64) -> Vec<Option<f64>> {
        let sent = (0..count).map(|i| at(f64::from(i) * every));
        let delay = |sent: MachineTime| match leg.pass(sent, 32) {
            Fate::Arrives { at, .. } => Some((at - sent).as_millis_f64()),
            _ => None,
        };
        sent.map(delay).collect()
    }

    #[test]
    fn the_queue_has_a_rate_and_a_limit() -> Result<()> {
        // A datagram occupies 60 bytes, which take 6 ms at 10 kB/s. If ten datagrams arrive at once, only
        // five fit.
        let all = delays(&mut leg("rate=10000,queue=300")?, 10, 0.0);
        let expected = [Some(6.0), Some(12.0), Some(18.0), Some(24.0), Some(30.0)];
        assert_eq!(all[..5], expected);
        assert!(all[5..].iter().all(Option::is_none));
        // Without overload, the queue drains between datagrams.
        assert!(delays(&mut leg("rate=10000,queue=300")?, 100, 10.0).iter().all(|it| *it == Some(6.0)));
        Ok(())
    }

    #[test]
    fn other_traffic_fills_the_queue_now_and_then() -> Result<()> {
        let all = delays(&mut leg("rate=250000,queue=32000,other=70")?, 5_000, 50.0);
        let arrived: Vec<f64> = all.into_iter().flatten().collect();
        let least = arrived.iter().copied().fold(f64::MAX, f64::min);
        let mean = arrived.iter().sum::<f64>() / arrived.len() as f64;
        assert!((least - 0.24).abs() < 1e-3, "{least}: only the datagram's 60 bytes");
        // With random arrivals, a service time of 4.8 ms and a load of 0.7, the mean queue is 4.8 * 0.7 / (2
        // * 0.3) = 5.6 ms.
        assert!((mean - 5.84).abs() < 0.6, "{mean}");
        Ok(())
    }

    #[test]
    fn a_recording_starts_with_the_first_datagram() {
        let probes = [Some((0.1, 0.2)), None];
        let mut played = Played::new(Trace::of_probes("x", 1.0, probes.into_iter(), 0.0), 1);
        let arrives = |at| Fate::Arrives { at, copy: None };
        assert_eq!(arrives(at(5.0)).after(played.delays(at(5.0)).0), arrives(at(105.0)));
        assert_eq!(arrives(at(6.0)).after(played.delays(at(6.0)).1), Fate::Lost);
    }
}
