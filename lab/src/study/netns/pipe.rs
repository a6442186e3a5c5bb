//! One direction of the path: a token bucket with a deep buffer, followed by a delay. Times are in ticks of
//! 100 ns.

use std::collections::VecDeque;

use netclock::TICKS_PER_SECOND;

use super::device::MTU;

pub(super) type Ticks = i64;

/// The bucket holds one packet, so single packets never wait and have the same delay in both directions.
const BURST: i64 = MTU as i64;

#[derive(Clone, Copy, Debug)]
pub(super) struct PipeConfig {
    pub(super) delay_ms: i64,
    pub(super) rate: i64,
    /// The time that the bottleneck takes to drain its full buffer at this rate.
    pub(super) buffer_ms: i64,
}

/// A packet, with the time at which it entered the queue. After the bottleneck, this is its arrival time.
struct Waiting {
    at: Ticks,
    packet: Vec<u8>,
}

/// The bottleneck alternates between two queues, so packets from a sender that builds no queue do not wait
/// behind those of another sender.
pub(super) struct Pipe {
    way: PipeConfig,
    queues: [VecDeque<Waiting>; 2],
    waiting: [i64; 2],
    full: Ticks,
    turn: usize,
    line: VecDeque<Waiting>,
}

impl Pipe {
    pub(super) fn new(way: PipeConfig) -> Self {
        let queues = [VecDeque::new(), VecDeque::new()];
        Pipe { way, queues, waiting: [0; 2], full: 0, turn: 0, line: VecDeque::new() }
    }

    pub(super) fn take(&mut self, now: Ticks, packet: Vec<u8>, queue: usize) {
        let size = packet.len() as i64;
        let room = self.way.rate * self.way.buffer_ms / 8_000;
        if self.waiting[queue] + size <= room {
            self.waiting[queue] += size;
            self.queues[queue].push_back(Waiting { at: now, packet });
        }
    }

    /// Sends the packets that have passed the bottleneck by `now`, and delays them by another `longer_ms`.
    /// Call this, even if late, before [`take`](Self::take) for packets that have arrived since.
    pub(super) fn send(&mut self, now: Ticks, longer_ms: i64) {
        while let Some((begin, queue)) = self.next().filter(|&(begin, _)| begin <= now) {
            let Some(Waiting { packet, .. }) = self.queues[queue].pop_front() else { return };
            let size = packet.len() as i64;
            self.waiting[queue] -= size;
            self.turn = 1 - queue;
            self.full = self.full.max(begin) + self.cost(size);
            let there = begin + self.delay(longer_ms);
            let at = self.line.back().map_or(there, |last| last.at.max(there));
            self.line.push_back(Waiting { at, packet });
        }
    }

    pub(super) fn arrived(&mut self, now: Ticks) -> Option<Vec<u8>> {
        let has_arrived = self.line.front().is_some_and(|first| first.at <= now);
        has_arrived.then(|| self.line.pop_front()).flatten().map(|first| first.packet)
    }

    pub(super) fn due(&self) -> Option<Ticks> {
        let arrival = self.line.front().map(|first| first.at);
        // Convert the time at which the bottleneck starts sending to an arrival time.
        let next = self.next().map(|(begin, _)| begin + self.delay(0));
        arrival.or(next)
    }

    /// The queues alternate if packets are waiting in both.
    fn next(&self) -> Option<(Ticks, usize)> {
        let tokens = self.full - self.cost(BURST);
        let begin = |queue: usize| self.queues[queue].front().map(|first| (first.at.max(tokens), queue));
        let (first, second) = (begin(self.turn), begin(1 - self.turn));
        [first, second].into_iter().flatten().min_by_key(|&(begin, _)| begin)
    }

    fn delay(&self, longer_ms: i64) -> Ticks {
        (self.way.delay_ms + longer_ms) * TICKS_PER_SECOND / 1_000
    }

    fn cost(&self, bytes: i64) -> Ticks {
        bytes * 8 * TICKS_PER_SECOND / self.way.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Ticks = TICKS_PER_SECOND / 1_000;
    const WAY: PipeConfig = PipeConfig { delay_ms: 25, rate: 8_000_000, buffer_ms: 4 };

    fn arrivals(pipe: &mut Pipe) -> Vec<(Ticks, usize)> {
        let mut found = Vec::new();
        while let Some(due) = pipe.due() {
            pipe.send(due, 0);
            found.extend(std::iter::from_fn(|| pipe.arrived(due)).map(|packet| (due / MS, packet.len())));
        }
        found
    }

    #[test]
    fn a_single_packet_takes_only_the_delay() {
        let mut pipe = Pipe::new(WAY);
        pipe.take(0, vec![0; 1_000], 0);
        assert_eq!(arrivals(&mut pipe), [(25, 1_000)]);
    }

    #[test]
    fn packets_queue_until_the_buffer_is_full() {
        let mut pipe = Pipe::new(WAY);
        (0..6).for_each(|_| pipe.take(0, vec![0; 1_000], 0));
        assert_eq!(arrivals(&mut pipe), [25, 25, 25, 26].map(|at| (at, 1_000)), "two are dropped");
    }

    #[test]
    fn the_second_queue_waits_for_only_one_packet_of_the_first() {
        let mut pipe = Pipe::new(WAY);
        (0..4).for_each(|_| pipe.take(0, vec![0; 1_000], 0));
        pipe.send(0, 0);
        pipe.take(MS / 2, vec![0; 500], 1);
        assert_eq!(arrivals(&mut pipe)[..3], [(25, 1_000), (25, 1_000), (25, 500)]);
    }

    #[test]
    fn a_longer_route_also_delays_later_packets() {
        let mut pipe = Pipe::new(WAY);
        pipe.take(0, vec![0; 1_000], 0);
        pipe.send(0, 40);
        pipe.take(2 * MS, vec![0; 1_000], 0);
        assert_eq!(arrivals(&mut pipe), [(65, 1_000), (65, 1_000)]);
    }
}
