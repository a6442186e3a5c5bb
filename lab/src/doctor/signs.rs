//! Finds late messages, rate differences and rate limits in the raw timestamps of an examination.
//!
//! A session's verdicts cover only conditions that last for at least 15 s. An examination may be shorter, and
//! players also want to know about individual spikes.

use netclock::{LocalTime, Sample, Span};
use netclock_sim::{nearest_rank, sorted};
use serde::Serialize;

/// A message is late if it takes this much longer than the fastest one in the same direction.
pub(super) const LATE_MS: f64 = 20.0;
const TOGETHER_S: f64 = 0.5;
const RATE_PPM: f64 = 150.0;
/// By how much each direction's rate may differ from the mean of both, as a fraction of the mean.
const BOTH: f64 = 0.3;
const LEAST: usize = 60;
/// A rate limit makes the number of replies per second almost constant. The number must be this close to the
/// median in all complete seconds but one.
const LIMIT_SPREAD: f64 = 1.5;
/// A rate limit drops at least this share of the requests.
const LIMIT_LOSS: f64 = 0.2;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Late {
    pub(super) count: usize,
    pub(super) bursts: usize,
    pub(super) longest_ms: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Signs {
    pub(super) exchanges: usize,
    pub(super) late: [Late; 2],
    pub(super) rate_ppm: Option<f64>,
    /// Replies per second.
    pub(super) limit: Option<f64>,
}

/// The send time of a request (s) and both apparent delays (ms). The clock offset adds to one delay and
/// reduces the other.
type Delays = (f64, [f64; 2]);

impl Signs {
    pub(super) fn of(samples: &[Sample], requests: usize, start: LocalTime) -> Self {
        let newest = samples.last().and_then(|it| it.server_epoch);
        let ours = samples.iter().filter(|it| it.server_epoch == newest);
        let mut delays: Vec<Delays> = ours
            .filter_map(|it| {
                let sent = it.client_sent?;
                let between = |from: i64, to: i64| Span::from_ticks(to - from).as_millis_f64();
                let up = between(sent.ticks(), it.server_received.ticks());
                let down = between(it.server_sent.ticks(), it.client_received.ticks());
                Some(((sent - start).as_secs_f64(), [up, down]))
            })
            .collect();
        delays.sort_by(|a, b| a.0.total_cmp(&b.0));
        // A slew that began during the examination is only visible in the second half.
        let half = delays.len() / 2;
        let found = [0, half].into_iter().find_map(|first| Some((rate(&delays[first..])?, delays[first].0)));
        let (bend, since) = found.map_or((0.0, 0.0), |(ppm, since)| (ppm * 1e-3, since));
        for (at, delays) in &mut delays {
            let drifted = bend * (*at - since).max(0.0);
            *delays = [delays[0] - drifted, delays[1] + drifted];
        }
        Signs {
            exchanges: delays.len(),
            late: [0, 1].map(|way| late(&delays, way)),
            rate_ppm: found.map(|(ppm, _)| ppm),
            limit: limit(samples, requests, start),
        }
    }
}

fn late(delays: &[Delays], way: usize) -> Late {
    let floor = delays.iter().map(|it| it.1[way]).fold(f64::INFINITY, f64::min);
    let times: Vec<f64> = delays.iter().filter(|it| it.1[way] - floor >= LATE_MS).map(|it| it.0).collect();
    Late {
        count: times.len(),
        bursts: times.chunk_by(|from, to| to - from <= TOGETHER_S).count(),
        longest_ms: delays.iter().map(|it| it.1[way] - floor).fold(0.0, f64::max),
    }
}

/// Returns the rate difference (ppm). A rate difference makes the smallest delays rise in one direction and
/// fall in the other, steadily and at the same rate. Route changes and queues affect only one direction, and
/// clock steps are sudden.
fn rate(delays: &[Delays]) -> Option<f64> {
    let third = delays.len() / 3;
    if delays.len() < LEAST {
        return None;
    }
    let parts = [&delays[..third], &delays[third..2 * third], &delays[delays.len() - third..]];
    let fastest = |part: &[Delays], way: usize| {
        let least = part.iter().min_by(|a, b| a.1[way].total_cmp(&b.1[way]));
        least.map(|it| (it.0, it.1[way]))
    };
    let slope = |from: usize, to: usize, way: usize| {
        let (first, last) = (fastest(parts[from], way)?, fastest(parts[to], way)?);
        Some((last.1 - first.1) / (last.0 - first.0) * 1e3)
    };
    let [up, down] = [slope(0, 2, 0)?, -slope(0, 2, 1)?];
    let ppm = (up + down) / 2.0;
    let halves = [slope(0, 1, 0)?, -slope(0, 1, 1)?, slope(1, 2, 0)?, -slope(1, 2, 1)?];
    let agrees = |slope: f64, share: f64| (slope - ppm).abs() <= share * ppm.abs();
    let is_even = halves.iter().all(|&slope| agrees(slope, 3.0 * BOTH));
    (ppm.abs() >= RATE_PPM && agrees(up, BOTH) && agrees(down, BOTH) && is_even).then_some(ppm)
}

fn limit(samples: &[Sample], requests: usize, start: LocalTime) -> Option<f64> {
    let second = |it: &Sample| it.client_sent.map(|sent| (sent - start).as_secs_f64().floor() as usize);
    let last = samples.iter().filter_map(second).max()?;
    let mut each = vec![0.0; last + 1];
    samples.iter().filter_map(second).for_each(|second| each[second] += 1.0);
    let loss = 1.0 - samples.len() as f64 / requests.max(1) as f64;
    // A token bucket starts full, so the first second may exceed the limit. The last second is incomplete.
    let whole = sorted(each.get(1..last)?.iter().copied());
    let typical = nearest_rank(&whole, 0.5)?;
    let near = whole.iter().filter(|it| (**it - typical).abs() <= LIMIT_SPREAD).count();
    (whole.len() >= 5 && loss >= LIMIT_LOSS && near + 1 >= whole.len()).then_some(typical)
}
