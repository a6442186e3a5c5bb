//! Are verdicts on the order of two clients' events right, and as often as they claim?
//!
//! Two clients, each with its own path and crystal, stamp events. The true time between the events is known.

use anyhow::Result;
use netclock::order::{Clocks, Order, Stamp, arbitrate};
use netclock::{ServerTime, Span};

use netclock_sim::case::Case;
use netclock_sim::measure::metrics::Read;
use netclock_sim::measure::product::Product;
use netclock_sim::measure::run::Watch;
use netclock_sim::measure::session::Session;
use netclock_sim::random::Random;

/// Every 60th read is an event (one a second).
const EVERY: usize = 60;
/// Half of the pairs are up to this many expected errors apart ...
const APART: f64 = 4.0;
/// ... and half of them up to this many error bounds.
const FAR: f64 = 1.2;
/// Time between the clock's exchanges (s).
const POLL_S: f64 = 1.0;
/// Events before this are left out (s): the clock settles.
const SETTLE_CUT_S: f64 = 30.0;
/// An instant far from both ends of the timescale (ticks).
const NOON: i64 = 1 << 56;

/// Limits of the classes of probability. The probability is that of the likelier order.
pub const CLASSES: [f64; 6] = [0.5, 0.7, 0.9, 0.95, 0.99, 1.0];

/// Counts of verdicts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Pairs of events.
    pub pairs: u64,
    /// Pairs whose order the bounds prove, and the wrong ones among them.
    pub proven: [u64; 2],
    /// Pairs that were decided by probability, and the wrong ones among them.
    pub decided: [u64; 2],
    /// For each class of probability: pairs, the sum of their probabilities, and how many were right.
    pub classes: [(u64, f64, u64); CLASSES.len() - 1],
}

/// Judges the events of two clients on `case`, in runs of `seconds`. An unproven order needs a probability of
/// `confidence`.
///
/// # Errors
/// The product refuses its configuration.
pub fn measure(seconds: f64, case: &Case, seed: u64, confidence: f64) -> Result<Tally> {
    let client = |seed| -> Result<Vec<Read>> {
        let mut reads = Vec::new();
        let seconds = case.seconds.map_or(seconds, |own| own.min(seconds));
        let watch = Watch { seconds, settle_cut_s: SETTLE_CUT_S };
        let session = Session::new(case, watch, Some(POLL_S), seed);
        session.run(&mut Product::new(&session.network, false, seed)?, |read| {
            if read.at_s >= SETTLE_CUT_S {
                reads.push(*read);
            }
        });
        Ok(reads.into_iter().step_by(EVERY).collect())
    };
    // Each pair has two seeds of its own.
    let (first, second) = (client(2 * seed)?, client(2 * seed + 1)?);
    let mut random = Random::new(seed, "events");
    let mut tally = Tally::default();
    // The second client is on the same path the other way round, so the asymmetry does not cancel.
    for (a, b) in first.iter().zip(&second) {
        let size = |read: &Read, value: Option<i64>| value.map_or(read.error.abs(), |ticks| ticks as f64);
        let expected = size(a, a.expected).hypot(size(b, b.expected));
        let bounds = size(a, a.bound) + size(b, b.bound);
        let reach = if random.chance(0.5) { APART * expected } else { FAR * bounds };
        tally.judge(a, &Read { error: -b.error, ..*b }, random.between(-reach, reach).round(), confidence)?;
    }
    Ok(tally)
}

/// The stamp of an event whose true time is [`NOON`] plus `later` (ticks).
fn stamp(read: &Read, later: f64) -> Stamp {
    let span = |ticks: Option<i64>| ticks.map_or(Span::MAX, Span::from_ticks);
    Stamp {
        time: ServerTime::from_ticks(NOON + (later + read.error).round() as i64),
        error_bound: span(read.bound),
        expected_error: span(read.expected),
    }
}

impl Tally {
    fn judge(&mut self, a: &Read, b: &Read, apart: f64, confidence: f64) -> Result<()> {
        let verdict = arbitrate(&stamp(a, 0.0), &stamp(b, apart), Clocks::Independent, confidence)?;
        if apart == 0.0 {
            return Ok(());
        }
        self.pairs += 1;
        let truth = if apart > 0.0 { Order::Before } else { Order::After };
        let wrong = u64::from(verdict.order != truth);
        if verdict.proven {
            self.proven[0] += 1;
            self.proven[1] += wrong;
            return Ok(());
        }
        if verdict.order != Order::TooClose {
            self.decided[0] += 1;
            self.decided[1] += wrong;
        }
        let likelier = verdict.probability.max(1.0 - verdict.probability);
        let right = (verdict.probability >= 0.5) == (truth == Order::Before);
        let class = CLASSES[1..].iter().position(|&end| likelier < end).unwrap_or(CLASSES.len() - 2);
        let (count, sum, hits) = &mut self.classes[class];
        *count += 1;
        *sum += likelier;
        *hits += u64::from(right);
        Ok(())
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        for (mine, theirs) in [(&mut self.proven, &other.proven), (&mut self.decided, &other.decided)] {
            mine[0] += theirs[0];
            mine[1] += theirs[1];
        }
        for (mine, theirs) in self.classes.iter_mut().zip(&other.classes) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1, mine.2 + theirs.2);
        }
    }
}
