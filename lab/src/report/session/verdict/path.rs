use netclock::Direction;
use netclock::latency::LatencyChange;

use super::effect::{Effect, span_words};
use super::kind::{Kind, Verdict};
use super::route::{TOGETHER_S, lasting, level};
use super::series::{APART_S, LEAST_WAIT_MS, QUEUE_MS, Series, WINDOW};
use crate::report::{Evaluation, amount};
use netclock_sim::{nearest_rank, sorted};

/// One-sided delays indicate a queue if they exceed [`QUEUE_MS`] and this multiple of the quieter direction's
/// usual delays.
const ABOVE_USUAL: f64 = 5.0;
/// One-sided delays exceed the delays in the other direction by this factor.
const ONE_SIDED: f64 = 3.0;
/// Delays that change slowly also indicate a queue. The mean squared difference of successive delays is then
/// below this multiple of the variance. With jitter, delays are independent, so the ratio is about 2 and
/// rarely this low in a window.
const SMOOTH: f64 = 0.4;
/// This quantile of the delays in a window serves as the size of the queue.
const SHARE: f64 = 0.8;
/// A message waited in a queue if its delay exceeds the smallest one by this fraction of the queue's size.
const WAITED: f64 = 0.25;
/// A window contains a queue only if at least this many messages waited. If one message in twenty is late at
/// random, six of sixteen are late in only one window out of ten thousand.
const LEAST_WAITING: usize = 6;
/// A queue extends beyond its window by this many messages at a time, as long as at most one of them did not
/// wait.
const STANDING: usize = 4;
/// Two queues are reported separately if more than this many exchanges and this much time separate them.
const CLEAR: usize = 3;
const CLEAR_S: f64 = 20.0;
/// A queue counts as sometimes empty if at least this share of its delays is near the smallest delay. "Near"
/// means within [`NEAR_EMPTY`] times the queue's size. In a TCP sawtooth, only 2 % of the delays are that
/// small.
const EMPTY: f64 = 0.1;
const NEAR_EMPTY: f64 = 0.05;
/// If delays stay longer for at least this time and the round trips are steady, we report a route change.
/// Round trips are steady if their middle 80 % span at most [`QUEUE_MS`] and at most [`LEVEL`] of the median.
const LEVEL_S: f64 = 20.0;
const LEVEL: f64 = 0.3;
/// Round trips are also steady if their span is at most this multiple of the span outside the queue.
const ALIKE: f64 = 1.5;
/// A route change lengthens at least this share of the round trips.
const ALL: f64 = 0.9;
const OR_ROUTE: &str = ", or a longer route,";
/// For independent waits, the mean squared difference is twice the variance. Waits may be jitter unless the
/// mean squared difference is this many standard deviations smaller.
const CHANCES: f64 = 3.0;

struct Queue {
    kind: Kind,
    from: f64,
    to: f64,
    exchanges: usize,
    waits: Vec<f64>,
    is_hidden: bool,
    doubt: &'static str,
    /// The delay (ms) that all messages share, as after a route change.
    level: Option<f64>,
    is_first: bool,
}

fn least_wait(size: f64) -> f64 {
    (size * WAITED).max(LEAST_WAIT_MS)
}

struct Window {
    /// How far the [`SHARE`] quantile of the delays exceeds the smallest delay (ms).
    excess: f64,
    waits: bool,
    is_smooth: bool,
}

impl Window {
    fn of(delays: &[f64]) -> Self {
        let by_size = sorted(delays.iter().copied());
        let excess = nearest_rank(&by_size, SHARE).map_or(0.0, |high| high - by_size[0]);
        let waits = |delay: &&f64| **delay - by_size[0] > least_wait(excess);
        let mean = delays.iter().sum::<f64>() / delays.len() as f64;
        let variance: f64 = delays.iter().map(|delay| (delay - mean).powi(2)).sum();
        let steps: f64 = delays.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
        Window {
            excess,
            waits: by_size.iter().filter(waits).count() >= LEAST_WAITING,
            is_smooth: steps < SMOOTH * variance,
        }
    }

    fn is_queue(&self, other: &Window, least: f64) -> bool {
        let is_alone = self.excess >= least && self.excess >= ONE_SIDED * other.excess;
        self.excess >= QUEUE_MS && self.waits && (is_alone || self.is_smooth)
    }
}

struct Waiting {
    kind: Kind,
    flags: Vec<bool>,
    size: f64,
    reached: usize,
}

impl Waiting {
    fn none(kind: Kind, count: usize) -> Self {
        Waiting { kind, flags: vec![false; count], size: QUEUE_MS, reached: 0 }
    }

    fn way(&self) -> Option<usize> {
        match self.kind {
            Kind::QueueUp => Some(0),
            Kind::QueueDown => Some(1),
            _ => None,
        }
    }

    /// Extends the queue beyond the window as long as messages keep waiting. The delays of a standing or
    /// slowly growing queue hardly vary within a single window.
    fn add(&mut self, series: &Series, from: usize, size: f64) {
        self.size = self.size.max(size);
        let (mut begin, mut end) = (from, from + WINDOW);
        let Some(way) = self.way() else { return self.flags[begin..end].fill(true) };
        let waits = |index: usize| series.wait(way, index) > least_wait(size);
        let continues = |part: std::ops::Range<usize>| part.filter(|&it| waits(it)).count() >= STANDING - 1;
        if end > self.reached {
            while begin >= self.reached + STANDING && continues(begin - STANDING..begin) {
                begin -= STANDING;
            }
            while end + STANDING <= self.flags.len() && continues(end..end + STANDING) {
                end += STANDING;
            }
            self.reached = end;
        }
        (begin..end).filter(|&it| waits(it)).for_each(|it| self.flags[it] = true);
    }
}

pub(super) fn queues(session: &Evaluation) -> Vec<Verdict> {
    let changes: Vec<&LatencyChange> = lasting(session).collect();
    let series = Series::new(session, &changes);
    let count = series.at.len();
    let windows: Vec<[Window; 2]> = (0..(count + 1).saturating_sub(WINDOW))
        .map(|from| [0, 1].map(|way| Window::of(&series.waits[way][from..from + WINDOW])))
        .collect();
    // In a window with a route change, delays vary even without a queue.
    let straddles = |from: usize, direction: Direction| {
        let (first, last) = (series.at[from], series.at[from + WINDOW - 1]);
        let since = changes.iter().filter(|it| it.direction == direction).map(|it| session.seconds(it.since));
        since.into_iter().any(|since| first < since && since <= last)
    };
    let usual = sorted(windows.iter().map(|[up, down]| up.excess.min(down.excess)));
    let least = nearest_rank(&usual, 0.5).map_or(QUEUE_MS, |usual| QUEUE_MS.max(ABOVE_USUAL * usual));
    let mut waiting = [Kind::QueueUp, Kind::QueueDown, Kind::Jitter].map(|kind| Waiting::none(kind, count));
    for (from, [up, down]) in windows.iter().enumerate() {
        let [is_up, is_down] = [Direction::ToServer, Direction::ToClient].map(|it| !straddles(from, it));
        let is_queue = [is_up && up.is_queue(down, least), is_down && down.is_queue(up, least)];
        let is_wide = up.excess.min(down.excess) >= QUEUE_MS;
        for waiting in &mut waiting {
            let found = match waiting.kind {
                Kind::QueueUp => is_queue[0].then_some(up.excess),
                Kind::QueueDown => is_queue[1].then_some(down.excess),
                _ => (is_up && is_down && is_queue == [false; 2] && is_wide)
                    .then_some(up.excess.max(down.excess)),
            };
            if let Some(size) = found {
                waiting.add(&series, from, size);
            }
        }
    }
    let mut all: Vec<Queue> = Vec::new();
    for waiting in &waiting {
        let is_jitter = waiting.kind == Kind::Jitter;
        let in_queue = |it: usize| all.iter().any(|other| (other.from..=other.to).contains(&series.at[it]));
        let is_flagged = |it: &usize| waiting.flags[*it] && !(is_jitter && in_queue(*it));
        let flagged: Vec<usize> = (0..count).filter(is_flagged).collect();
        let is_other = |from: usize, to: usize| {
            let apart = series.at[to] - series.at[from];
            let is_clear = apart > CLEAR_S && to - from > CLEAR;
            if is_jitter { apart > TOGETHER_S } else { is_clear }
        };
        let least = if is_jitter { WINDOW } else { LEAST_WAITING };
        for part in flagged.chunk_by(|&from, &to| !is_other(from, to)).filter(|it| it.len() >= least) {
            // Jitter is attributed to the direction with the longest delay.
            let largest = |way: usize| part.iter().map(|&it| series.wait(way, it)).fold(0.0, f64::max);
            let way = waiting.way().unwrap_or(usize::from(largest(1) > largest(0)));
            // Ignore the shorter waits before and after the queue, which are just jitter.
            let waits = sorted(part.iter().map(|&it| series.wait(way, it)));
            let least = nearest_rank(&waits, 0.5).unwrap_or(0.0) * WAITED;
            let part: Vec<usize> = part.iter().copied().filter(|&it| series.wait(way, it) >= least).collect();
            all.push(Queue::of(&series, waiting.kind, way, &part, waiting.size));
        }
    }
    all.iter().map(|queue| queue.verdict(session)).collect()
}

fn doubt(waits: &[f64]) -> &'static str {
    let (mean, count) = (waits.iter().sum::<f64>() / waits.len() as f64, waits.len() as f64);
    let variance = waits.iter().map(|wait| (wait - mean).powi(2)).sum::<f64>() / count;
    let steps = waits.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum::<f64>() / count;
    if steps > (2.0 - CHANCES * 2.0 / count.sqrt()) * variance { ", or jitter," } else { "" }
}

impl Queue {
    fn of(series: &Series, kind: Kind, way: usize, flagged: &[usize], size: f64) -> Queue {
        let (first, last) = (flagged[0], flagged[flagged.len() - 1]);
        let longer = sorted(flagged.iter().map(|&it| series.round_trips[it]));
        let [low, middle, high] = [0.1, 0.5, 0.9].map(|share| nearest_rank(&longer, share).unwrap_or(0.0));
        // Round trips vary by the same amount before and after a route change.
        let others = (0..series.at.len()).filter(|it| flagged.binary_search(it).is_err());
        let others = sorted(others.map(|it| series.round_trips[it]));
        let usual = nearest_rank(&others, 0.9).zip(nearest_rank(&others, 0.1)).map_or(0.0, |it| it.0 - it.1);
        let is_alike = others.len() >= WINDOW && high - low <= ALIKE * usual && low >= 0.5 * middle;
        let is_steady = high - low <= (LEVEL * middle).min(QUEUE_MS) || is_alike;
        let is_steady = kind != Kind::Jitter && is_steady;
        // Long before or after the shortest round trip, the rate's uncertainty may hide waits that the round
        // trips still reveal.
        let is_longer = |it: usize| is_steady && series.round_trips[it] >= 0.5 * middle;
        let begin = (0..first).rev().take_while(|&it| is_longer(it)).last().unwrap_or(first);
        let end = (last + 1..series.at.len()).take_while(|&it| is_longer(it)).last().unwrap_or(last);
        // A route change lengthens all round trips.
        let longer = (begin..=end).filter(|&it| series.round_trips[it] >= 0.5 * middle).count();
        let is_route = is_steady && longer as f64 >= ALL * (end - begin + 1) as f64;
        let is_long = end - begin >= WINDOW && series.at[end] - series.at[begin] >= LEVEL_S;
        let is_level = is_route && is_long;
        let (is_first, is_last) = (begin < STANDING, end + STANDING >= series.at.len());
        let near = (NEAR_EMPTY * size).max(1.0);
        let empty = (0..series.at.len()).filter(|&it| series.wait(way, it) <= near).count();
        Queue {
            kind,
            from: series.at[begin],
            to: series.at[end],
            exchanges: last - first + 1,
            waits: sorted(flagged.iter().map(|&it| series.wait(way, it))),
            is_hidden: (empty as f64) < EMPTY * series.at.len() as f64,
            doubt: if is_route { OR_ROUTE } else { doubt(&series.waits[way][first..=last]) },
            level: is_level.then_some(middle).filter(|_| is_first != is_last),
            is_first,
        }
    }

    fn verdict(&self, session: &Evaluation) -> Verdict {
        let Queue { kind, from, to, exchanges, ref waits, is_hidden, doubt, .. } = *self;
        if let Some(by) = self.level {
            let direction = if kind == Kind::QueueUp { Direction::ToServer } else { Direction::ToClient };
            let (by, at) = if self.is_first { (-by, to) } else { (by, from) };
            return level(session, direction, by, at);
        }
        let when = span_words(from, to, session.length_s);
        let share = |share| amount(nearest_rank(waits, share).unwrap_or(0.0));
        let (median, most, waited) = (share(0.5), share(1.0), waits.len());
        let queue = |line: &str, place: &str| {
            format!(
                "{line} queue{doubt} {when}: {waited} of {exchanges} messages to the {place} waited, with a \
                 median of {median} and a maximum of {most}."
            )
        };
        let what = match kind {
            Kind::QueueUp => queue("Uplink", "server"),
            Kind::QueueDown => queue("Downlink", "client"),
            _ => {
                // Unless requests are frequent, jitter looks like queues in both directions.
                let is_dense = (to - from) / (exchanges as f64) < 4.0 * APART_S;
                let what = if is_dense { "Strong jitter" } else { "Strong jitter, or queues," };
                format!(
                    "{what} in both directions {when}: messages waited with a median of {median} and a \
                     maximum of {most}."
                )
            }
        };
        let effect = Effect::within(session, from, to);
        let is_route = doubt == OR_ROUTE;
        let effect = match kind {
            Kind::QueueUp | Kind::QueueDown if is_hidden && !is_route => {
                effect.hidden_words(session.is_true, doubt.is_empty())
            }

            _ => effect.words(),
        };
        Verdict { kind, stretch: Some((from, to)), words: format!("{what} {effect}") }
    }
}
