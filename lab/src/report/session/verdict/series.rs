use netclock::Direction;
use netclock::latency::LatencyChange;

use crate::report::{Evaluation, ExchangePoint};

/// A delay may be due to a queue if it exceeds the smallest one by this much.
pub(super) const QUEUE_MS: f64 = 20.0;
/// Smaller excess delays may be jitter.
pub(super) const LEAST_WAIT_MS: f64 = QUEUE_MS / 2.0;
pub(super) const WINDOW: usize = 16;
pub(super) const APART_S: f64 = 0.25;

pub(super) struct Series {
    pub(super) at: Vec<f64>,
    /// For each direction, how far each delay provably exceeds the smallest delay on its route (ms).
    pub(super) waits: [Vec<f64>; 2],
    /// How far each round trip exceeds the shortest round trip on its route (ms).
    pub(super) round_trips: Vec<f64>,
}

impl Series {
    pub(super) fn new(session: &Evaluation, changes: &[&LatencyChange]) -> Self {
        let mut apart: Vec<&ExchangePoint> = Vec::new();
        // Exclude requests that arrived together with later ones, because a program or a radio held them, not
        // a queue.
        let is_usual = |it: &&ExchangePoint| it.outcome.is_ok() && it.at_once <= QUEUE_MS;
        for it in session.exchanges.iter().filter(is_usual) {
            if apart.last().is_none_or(|last| it.sent_s - last.sent_s >= APART_S) {
                apart.push(it);
            }
        }
        let at: Vec<f64> = apart.iter().map(|it| it.sent_s).collect();
        let ends = |direction: Option<Direction>| {
            let since = changes.iter().filter(|it| direction.is_none_or(|only| it.direction == only));
            let mut ends: Vec<usize> =
                since.map(|it| at.partition_point(|&at| at < session.seconds(it.since))).collect();
            ends.push(at.len());
            ends.sort_unstable();
            ends
        };
        // Round trips do not depend on the offset, so rate errors do not affect them.
        let round_trips = above_shortest(&apart, &ends(None), |it| (it.round_trip, 0.0));
        let waits = [Direction::ToServer, Direction::ToClient].map(|direction| {
            let delay = |it: &ExchangePoint| if direction == Direction::ToServer { it.up } else { it.down };
            // The rate error applies to both of the delays that are compared.
            let waits = above_shortest(&apart, &ends(Some(direction)), |it| (delay(it), 2.0 * it.rate_error));
            waits.iter().zip(&round_trips).map(|(wait, most)| wait.min(*most)).collect()
        });
        Series { at, waits, round_trips }
    }

    pub(super) fn wait(&self, way: usize, index: usize) -> f64 {
        self.waits[way][index]
    }
}

/// Returns how far each delay provably exceeds the shortest delay of its section (ms). The `ends` separate
/// the sections. `delay` also returns the rate error, which limits comparisons over time.
fn above_shortest(
    apart: &[&ExchangePoint],
    ends: &[usize],
    delay: impl Fn(&ExchangePoint) -> (f64, f64),
) -> Vec<f64> {
    let delays: Vec<(f64, f64)> = apart.iter().map(|it| delay(it)).collect();
    let mut floors = vec![f64::INFINITY; apart.len()];
    let mut from = 0;
    for &end in ends {
        let mut carry = |order: &mut dyn Iterator<Item = usize>| {
            let (mut floor, mut last) = (f64::INFINITY, None);
            for at in order {
                let (delay, rate) = delays[at];
                let since =
                    last.replace(apart[at].sent_s).map_or(0.0, |last| (apart[at].sent_s - last).abs());
                floor = delay.min(floor + rate * since * 1e3);
                floors[at] = floors[at].min(floor);
            }
        };
        carry(&mut (from..end));
        carry(&mut (from..end).rev());
        from = end;
    }
    delays.iter().zip(floors).map(|(delay, floor)| delay.0 - floor).collect()
}
