//! Finds late messages, rate differences and rate limits in an examination.
//!
//! A session's verdicts cover only conditions that last for at least 15 s. An examination may be shorter, and
//! players also want to know about individual spikes.

use netclock_sim::{nearest_rank, sorted};

use crate::report::session::verdict::rate;
use crate::report::{Evaluation, ExchangePoint};

/// A message is late if it takes this much longer than the fastest one in the same direction.
pub(super) const LATE_MS: f64 = 20.0;
const TOGETHER_S: f64 = 0.5;
const RATE_PPM: f64 = 150.0;
/// A rate limit makes the number of replies per second almost constant. In all complete seconds except one,
/// the number of replies must be this close to the median.
const LIMIT_SPREAD: f64 = 1.5;
/// A rate limit drops at least this share of the requests.
const LIMIT_LOSS: f64 = 0.2;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Late {
    pub(super) count: usize,
    pub(super) bursts: usize,
    pub(super) longest_ms: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signs {
    pub(super) exchanges: usize,
    pub(super) late: [Late; 2],
    pub(super) rate_ppm: Option<f64>,
    /// Replies per second.
    pub(super) limit: Option<f64>,
}

impl Signs {
    pub(super) fn of(session: &Evaluation, loss: f64) -> Self {
        let ways: [fn(&ExchangePoint) -> f64; 2] = [|it| it.up, |it| it.down];
        let all: Vec<_> = session.recording.exchanges.iter().filter_map(|it| it.sample.exchange()).collect();
        // If a slew began during the examination, only the second half may have a steady rate.
        let rate = |first: usize| rate::steady(&all[first..], rate::floor(&all)?);
        let found = [0, all.len() / 2].into_iter().find_map(rate);
        Signs {
            exchanges: session.exchanges.len(),
            late: ways.map(|delay| late(session, delay)),
            rate_ppm: found.filter(|it| it.ppm.abs() - it.doubt >= RATE_PPM).map(|it| it.ppm),
            limit: limit(session, loss),
        }
    }
}

fn late(session: &Evaluation, delay: fn(&ExchangePoint) -> f64) -> Late {
    let accepted = || session.exchanges.iter().filter(|it| it.outcome.is_ok());
    let floor = accepted().map(delay).fold(f64::INFINITY, f64::min);
    let times = sorted(accepted().filter(|it| delay(it) - floor >= LATE_MS).map(|it| it.sent_s));
    Late {
        count: times.len(),
        bursts: times.chunk_by(|from, to| to - from <= TOGETHER_S).count(),
        longest_ms: accepted().map(|it| delay(it) - floor).fold(0.0, f64::max),
    }
}

fn limit(session: &Evaluation, loss: f64) -> Option<f64> {
    let second = |it: &ExchangePoint| it.sent_s.floor() as usize;
    let last = session.exchanges.iter().map(second).max()?;
    let mut each = vec![0.0; last + 1];
    session.exchanges.iter().map(second).for_each(|second| each[second] += 1.0);
    // A token bucket starts full, so the first second may exceed the limit. The last second is incomplete.
    let whole = sorted(each.get(1..last)?.iter().copied());
    let typical = nearest_rank(&whole, 0.5)?;
    let near = whole.iter().filter(|it| (**it - typical).abs() <= LIMIT_SPREAD).count();
    (whole.len() >= 5 && loss >= LIMIT_LOSS && near + 1 >= whole.len()).then_some(typical)
}
