//! Finds late messages, a rate difference and a rate limit in the raw timestamps of an examination.
//!
//! A session's verdicts describe what lasts for 15 s or more. An examination is shorter, and players ask
//! about single spikes.

use netclock::{LocalTime, Sample, Span};
use netclock_sim::measure::figures::{nearest_rank, sorted};
use serde::Serialize;

/// A message is late if it takes this much longer than the fastest message in the same direction (ms).
pub(super) const LATE_MS: f64 = 20.0;
/// Late messages that are closer together than this belong to one burst (s).
const TOGETHER_S: f64 = 0.5;
/// Smaller rate differences are normal (ppm).
const RATE_PPM: f64 = 150.0;
/// Both directions must show the rate difference within this share of their mean.
const BOTH: f64 = 0.3;
/// Smallest number of exchanges for measuring a rate.
const LEAST: usize = 60;
/// With a rate limit, the number of answers per second is almost constant: nearly all counts are within this
/// distance of the median. At least the following share of requests is lost.
const LIMIT_SPREAD: f64 = 1.5;
const LIMIT_LOSS: f64 = 0.2;

/// The late messages in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Late {
    /// Number of messages, and number of bursts.
    pub(super) count: usize,
    pub(super) bursts: usize,
    /// How much longer the slowest message took than the fastest (ms).
    pub(super) longest_ms: f64,
}

/// Signs in the timestamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Signs {
    /// Exchanges with the server's newest run.
    pub(super) exchanges: usize,
    /// Late messages to the server, and to the client.
    pub(super) late: [Late; 2],
    /// The server's rate relative to the client's, if it is unusual (ppm).
    pub(super) rate_ppm: Option<f64>,
    /// Answers per second, if limited.
    pub(super) limit: Option<f64>,
}

/// An exchange: its departure (s), and the delays of both directions plus and minus the clock offset (ms).
type Taken = (f64, [f64; 2]);

impl Signs {
    /// Evaluates an examination with `requests` requests that began at `start`.
    pub(super) fn of(samples: &[Sample], requests: usize, start: LocalTime) -> Self {
        let newest = samples.last().and_then(|it| it.server_epoch);
        let ours = samples.iter().filter(|it| it.server_epoch == newest);
        let mut taken: Vec<Taken> = ours
            .filter_map(|it| {
                let sent = it.client_sent?;
                let between = |from: i64, to: i64| Span::from_ticks(to - from).as_millis_f64();
                let up = between(sent.ticks(), it.server_received.ticks());
                let down = between(it.server_sent.ticks(), it.client_received.ticks());
                Some(((sent - start).as_secs_f64(), [up, down]))
            })
            .collect();
        taken.sort_by(|a, b| a.0.total_cmp(&b.0));
        // A slew may begin during the examination.
        let half = taken.len() / 2;
        let found = [0, half].into_iter().find_map(|first| Some((rate(&taken[first..])?, taken[first].0)));
        // At the true rate, the fastest messages in each direction take as long at the end as at the
        // beginning.
        let (bend, since) = found.map_or((0.0, 0.0), |(ppm, since)| (ppm * 1e-3, since));
        for (at, delays) in &mut taken {
            let drifted = bend * (*at - since).max(0.0);
            *delays = [delays[0] - drifted, delays[1] + drifted];
        }
        Signs {
            exchanges: taken.len(),
            late: [0, 1].map(|way| late(&taken, way)),
            rate_ppm: found.map(|(ppm, _)| ppm),
            limit: limit(samples, requests, start),
        }
    }
}

fn late(taken: &[Taken], way: usize) -> Late {
    let floor = taken.iter().map(|it| it.1[way]).fold(f64::INFINITY, f64::min);
    let times: Vec<f64> = taken.iter().filter(|it| it.1[way] - floor >= LATE_MS).map(|it| it.0).collect();
    Late {
        count: times.len(),
        bursts: times.chunk_by(|from, to| to - from <= TOGETHER_S).count(),
        longest_ms: taken.iter().map(|it| it.1[way] - floor).fold(0.0, f64::max),
    }
}

/// The rate difference: the delays of the fastest messages to the server increase steadily, and those to the
/// client decrease equally. A route or a queue affects only one direction, and a clock step is immediate.
fn rate(taken: &[Taken]) -> Option<f64> {
    let third = taken.len() / 3;
    if taken.len() < LEAST {
        return None;
    }
    let parts = [&taken[..third], &taken[third..2 * third], &taken[taken.len() - third..]];
    // Departure and delay of the fastest message of a part.
    let fastest = |part: &[Taken], way: usize| {
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

/// The rate limit of the path or the server (answers per second).
fn limit(samples: &[Sample], requests: usize, start: LocalTime) -> Option<f64> {
    let second = |it: &Sample| it.client_sent.map(|sent| (sent - start).as_secs_f64().floor() as usize);
    let last = samples.iter().filter_map(second).max()?;
    let mut each = vec![0.0; last + 1];
    samples.iter().filter_map(second).for_each(|second| each[second] += 1.0);
    let loss = 1.0 - samples.len() as f64 / requests.max(1) as f64;
    // A full token bucket passes more requests initially, and the last second is incomplete.
    let whole = sorted(each.get(1..last)?.iter().copied());
    let typical = nearest_rank(&whole, 0.5)?;
    let near = whole.iter().filter(|it| (**it - typical).abs() <= LIMIT_SPREAD).count();
    (whole.len() >= 5 && loss >= LIMIT_LOSS && near + 1 >= whole.len()).then_some(typical)
}
