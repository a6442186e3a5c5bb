//! How long messages waited, as far as the stamps can prove it.

use netclock::Direction;
use netclock::latency::LatencyChange;

use crate::report::session::evaluation::{Evaluation, ExchangePoint};

/// Delays that exceed the smallest delay by this much may be caused by a queue (ms).
pub(super) const QUEUE_MS: f64 = 20.0;
/// A shorter wait (ms) may be jitter.
pub(super) const LEAST_WAIT_MS: f64 = QUEUE_MS / 2.0;
/// Number of exchanges in a window in which a queue is searched for, and the least time between them (s).
pub(super) const WINDOW: usize = 16;
pub(super) const APART_S: f64 = 0.25;

/// Accepted exchanges. None of them is too close to the previous one.
pub(super) struct Series {
    pub(super) at: Vec<f64>,
    /// For messages to the server and to the client: how much longer they took than the shortest one on their
    /// route, at least (ms).
    pub(super) waits: [Vec<f64>; 2],
    /// How much longer the round trips were than the shortest one (ms).
    pub(super) round_trips: Vec<f64>,
}

impl Series {
    pub(super) fn new(session: &Evaluation, changes: &[&LatencyChange]) -> Self {
        let mut apart: Vec<&ExchangePoint> = Vec::new();
        // If a request arrives together with later ones, it was held by a program or a radio, not by a queue.
        let is_usual = |said: &&ExchangePoint| said.outcome.is_ok() && said.at_once <= QUEUE_MS;
        for said in session.exchanges.iter().filter(is_usual) {
            if apart.last().is_none_or(|last| said.sent_s - last.sent_s >= APART_S) {
                apart.push(said);
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
        // Round trips do not depend on knowledge about the clocks.
        let round_trips = above_shortest(&apart, &ends(None), |it| (it.round_trip, 0.0));
        let waits = [Direction::ToServer, Direction::ToClient].map(|direction| {
            let delay = |it: &ExchangePoint| if direction == Direction::ToServer { it.up } else { it.down };
            // The estimate and its middle may each be wrong by this rate.
            let waits = above_shortest(&apart, &ends(Some(direction)), |it| (delay(it), 2.0 * it.rate_error));
            waits.iter().zip(&round_trips).map(|(wait, most)| wait.min(*most)).collect()
        });
        Series { at, waits, round_trips }
    }

    pub(super) fn wait(&self, way: usize, index: usize) -> f64 {
        self.waits[way][index]
    }
}

/// The least amount (ms) by which each delay exceeds the shortest one between these `ends`. Delays at
/// different times are comparable only up to a rate (fraction).
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
