//! Verdicts about the path: queues, jitter, and lasting changes of the delays.

use netclock::Direction;
use netclock::latency::LatencyChange;

use super::effect::{Effect, effect, span_words};
use super::kind::{Kind, Verdict};
use crate::inspect::look::{Look, Said, clock};
use crate::report::words::ms;
use netclock_sim::measure::figures::{nearest_rank, sorted};

/// Delays this far above the smallest one are a queue (ms) ...
const QUEUE_MS: f64 = 20.0;
/// ... if they are this many times what the quieter direction usually shows, ...
const ABOVE_USUAL: f64 = 5.0;
/// ... and if those of the other direction vary less by this factor, ...
const ONE_SIDED: f64 = 3.0;
/// ... or if each delay is near the one before: the mean square of the differences, in variances. It is 2
/// where delays are independent, and hardly ever below this in a window of them. Otherwise they are jitter.
const SMOOTH: f64 = 0.4;
/// Exchanges in which a queue is looked for. They are at least this far apart (s).
const WINDOW: usize = 16;
const APART_S: f64 = 0.25;
/// The share of the delays of a window that a queue's size is not above.
const SHARE: f64 = 0.8;
/// An exchange waited in a queue if its delay is above the smallest one by this share of the queue's size.
const WAITED: f64 = 0.25;
/// A shorter wait (ms) may be jitter.
const LEAST_WAIT_MS: f64 = QUEUE_MS / 2.0;
/// Least number of exchanges of a window that wait in a queue. Where one message in twenty is held back by
/// itself, six of sixteen are once in ten thousand windows.
const LEAST_WAITING: usize = 6;
/// Outside its window, a queue lasts as long as three of four exchanges in a row wait.
const STANDING: usize = 4;
/// Two queues are one unless so many exchanges in this time (s) found none between them.
const CLEAR: usize = 3;
const CLEAR_S: f64 = 20.0;
/// Stretches of jitter that are less apart than this are one, and so are changes that make a way longer (s).
const TOGETHER_S: f64 = 90.0;
/// A queue is known to be empty at times if this share of the delays is near the smallest: within this share
/// of its size. A saw-tooth of TCP is there for one delay in fifty.
const EMPTY: f64 = 0.1;
const NEAR_EMPTY: f64 = 0.05;
/// No route changes twice within this time (s). Nor does one become longer twice within [`TOGETHER_S`].
const ROUTE_LASTS_S: f64 = 10.0;
/// The longer delays of a change are those of a queue if they spread by this share of the change, ...
const SPREAD: f64 = 0.2;
/// ... and by this many times as much as the shorter ones. Or both spread by this share of the change, and as
/// many times as much as those of the other direction. Delays of this time count (s).
const SPREAD_BOTH: f64 = 0.5;
const SPREAD_MORE: f64 = 3.0;
const SPREAD_WITHIN_S: f64 = 60.0;

/// A queue, or a stretch of jitter.
struct Queue {
    kind: Kind,
    from: f64,
    to: f64,
    /// How many exchanges are in it, and how long those waited that did wait (ms).
    exchanges: usize,
    waits: Vec<f64>,
    /// It was hardly ever seen empty.
    is_hidden: bool,
}

/// Accepted exchanges, none too near to the one before.
struct Series {
    at: Vec<f64>,
    /// To the server, to the client (ms).
    delays: [Vec<f64>; 2],
    /// The smallest delay on the route of each exchange (ms).
    floors: [Vec<f64>; 2],
}

impl Series {
    fn new(look: &Look, changes: &[&LatencyChange]) -> Self {
        let mut apart: Vec<(f64, [f64; 2])> = Vec::new();
        // What arrives with later requests was held by a program or a radio, and not by a queue.
        let is_usual = |said: &&Said| said.outcome.is_ok() && said.at_once <= QUEUE_MS;
        for said in look.said.iter().filter(is_usual) {
            if apart.last().is_none_or(|last| said.sent_s - last.0 >= APART_S) {
                apart.push((said.sent_s, [said.up, said.down]));
            }
        }
        let at: Vec<f64> = apart.iter().map(|it| it.0).collect();
        let delays = [0, 1].map(|way| apart.iter().map(|it| it.1[way]).collect::<Vec<f64>>());
        let floors = [Direction::ToServer, Direction::ToClient].map(|direction| {
            let delays = &delays[usize::from(direction == Direction::ToClient)];
            let since = changes.iter().filter(|it| it.direction == direction);
            let mut ends: Vec<usize> =
                since.map(|it| at.partition_point(|&at| at < look.seconds(it.since))).collect();
            ends.push(at.len());
            ends.sort_unstable();
            let mut floors = Vec::with_capacity(at.len());
            for end in ends {
                let floor = delays[floors.len()..end].iter().copied().fold(f64::INFINITY, f64::min);
                floors.resize(end, floor);
            }
            floors
        });
        Series { at, delays, floors }
    }

    fn wait(&self, way: usize, index: usize) -> f64 {
        self.delays[way][index] - self.floors[way][index]
    }

    /// The queue in one direction, or the jitter, in which these exchanges waited.
    fn queue(&self, kind: Kind, way: usize, flagged: &[usize], size: f64) -> Queue {
        let (first, last) = (flagged[0], flagged[flagged.len() - 1]);
        let near = (NEAR_EMPTY * size).max(1.0);
        let empty = (0..self.at.len()).filter(|&it| self.wait(way, it) <= near).count();
        Queue {
            kind,
            from: self.at[first],
            to: self.at[last],
            exchanges: last - first + 1,
            waits: sorted(flagged.iter().map(|&it| self.wait(way, it))),
            is_hidden: (empty as f64) < EMPTY * self.at.len() as f64,
        }
    }
}

/// An exchange waited in a queue of this size if its wait is longer than this (ms).
fn least_wait(size: f64) -> f64 {
    (size * WAITED).max(LEAST_WAIT_MS)
}

/// What the delays of one direction do in a window of exchanges.
struct Window {
    /// How far they are above the smallest one (ms).
    excess: f64,
    /// Enough of them waited.
    waits: bool,
    /// Each is near the one before.
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

/// Queues and jitter: stretches of time in which delays vary much.
pub(super) fn queues(look: &Look) -> Vec<Verdict> {
    let changes: Vec<&LatencyChange> = lasting(look).collect();
    let series = Series::new(look, &changes);
    let count = series.at.len();
    let windows: Vec<[Window; 2]> = (0..(count + 1).saturating_sub(WINDOW))
        .map(|from| [0, 1].map(|way| Window::of(&series.delays[way][from..from + WINDOW])))
        .collect();
    // A window in which the route changed is as wide as the change.
    let straddles = |from: usize, direction: Direction| {
        let (first, last) = (series.at[from], series.at[from + WINDOW - 1]);
        let since = changes.iter().filter(|it| it.direction == direction).map(|it| look.seconds(it.since));
        since.into_iter().any(|since| first < since && since <= last)
    };
    let usual = sorted(windows.iter().map(|[up, down]| up.excess.min(down.excess)));
    let least = nearest_rank(&usual, 0.5).map_or(QUEUE_MS, |usual| QUEUE_MS.max(ABOVE_USUAL * usual));
    // Exchanges that waited: in a queue to the server, in one to the client, in jitter.
    let mut flags = [(); 3].map(|()| vec![false; count]);
    let (mut sizes, mut reached) = ([QUEUE_MS; 3], [0; 3]);
    for (from, [up, down]) in windows.iter().enumerate() {
        let [is_up, is_down] = [Direction::ToServer, Direction::ToClient].map(|it| !straddles(from, it));
        let is_queue = [is_up && up.is_queue(down, least), is_down && down.is_queue(up, least)];
        let is_wide = up.excess.min(down.excess) >= QUEUE_MS;
        let is_jitter = is_up && is_down && is_queue == [false; 2] && is_wide;
        let found = [is_queue[0], is_queue[1], is_jitter];
        for (kind, _) in found.iter().enumerate().filter(|(_, is_found)| **is_found) {
            let size = [up.excess, down.excess, up.excess.max(down.excess)][kind];
            sizes[kind] = sizes[kind].max(size);
            flag(&mut flags[kind], &series, kind, from, size, &mut reached[kind]);
        }
    }
    let kinds = [Kind::QueueUp, Kind::QueueDown, Kind::Jitter];
    let least_of = [LEAST_WAITING, LEAST_WAITING, WINDOW];
    let mut all: Vec<Queue> = Vec::new();
    for (kind, name) in kinds.into_iter().enumerate() {
        let in_queue = |it: usize| all.iter().any(|other| (other.from..=other.to).contains(&series.at[it]));
        let is_flagged = |it: &usize| flags[kind][*it] && (name != Kind::Jitter || !in_queue(*it));
        let flagged: Vec<usize> = (0..count).filter(is_flagged).collect();
        let is_other = |from: usize, to: usize| {
            let apart = series.at[to] - series.at[from];
            let is_clear = apart > CLEAR_S && to - from > CLEAR;
            if name == Kind::Jitter { apart > TOGETHER_S } else { is_clear }
        };
        for part in flagged.chunk_by(|&from, &to| !is_other(from, to)).filter(|it| it.len() >= least_of[kind])
        {
            // Jitter is named by the direction that has more of it.
            let largest = |way: usize| part.iter().map(|&it| series.wait(way, it)).fold(0.0, f64::max);
            let way = if name == Kind::Jitter { usize::from(largest(1) > largest(0)) } else { kind };
            // Jitter before and after a queue is no part of it.
            let waits = sorted(part.iter().map(|&it| series.wait(way, it)));
            let least = nearest_rank(&waits, 0.5).unwrap_or(0.0) * WAITED;
            let part: Vec<usize> = part.iter().copied().filter(|&it| series.wait(way, it) >= least).collect();
            all.push(series.queue(name, way, &part, sizes[kind]));
        }
    }
    all.iter().map(|queue| queue.verdict(look)).collect()
}

/// Flags the exchanges of a window that waited. A queue that stands, or grows slowly, hardly varies within a
/// window; so it reaches as far beyond as messages go on waiting. What earlier windows `reached` is not
/// looked at again.
fn flag(flags: &mut [bool], series: &Series, kind: usize, from: usize, size: f64, reached: &mut usize) {
    let (mut begin, mut end) = (from, from + WINDOW);
    if kind == 2 {
        return flags[begin..end].fill(true);
    }
    let waits = |index: usize| series.wait(kind, index) > least_wait(size);
    let stands = |part: std::ops::Range<usize>| part.filter(|&it| waits(it)).count() >= STANDING - 1;
    if end > *reached {
        while begin >= *reached + STANDING && stands(begin - STANDING..begin) {
            begin -= STANDING;
        }
        while end + STANDING <= flags.len() && stands(end..end + STANDING) {
            end += STANDING;
        }
        *reached = end;
    }
    (begin..end).filter(|&it| waits(it)).for_each(|it| flags[it] = true);
}

impl Queue {
    fn verdict(&self, look: &Look) -> Verdict {
        let Queue { kind, from, to, exchanges, ref waits, is_hidden } = *self;
        let when = span_words(from, to, look.length_s);
        let share = |share| ms(nearest_rank(waits, share).unwrap_or(0.0));
        let (median, most, waited) = (share(0.5), share(1.0), waits.len());
        let queue = |line: &str, place: &str| {
            format!(
                "{line} queue {when}: {waited} of {exchanges} messages to the {place} waited, {median} ms in \
                 the median and {most} ms at most."
            )
        };
        let what = match kind {
            Kind::QueueUp => queue("Uplink", "server"),
            Kind::QueueDown => queue("Downlink", "client"),
            _ => {
                // Only requests in quick succession tell jitter from queues in both directions.
                let is_dense = (to - from) / (exchanges as f64) < 4.0 * APART_S;
                let what = if is_dense { "Strong jitter" } else { "Strong jitter, or queues," };
                format!(
                    "{what} in both directions {when}: messages waited {median} ms in the median and {most} \
                     ms at most."
                )
            }
        };
        let effect = Effect::within(look, from, to);
        let effect = match kind {
            Kind::QueueUp | Kind::QueueDown if is_hidden => effect.hidden_words(look.is_true),
            _ => effect.words(),
        };
        Verdict { kind, stretch: Some((from, to)), words: format!("{what} {effect}") }
    }
}

/// The changes of route, without those that are of a queue.
fn lasting(look: &Look) -> impl Iterator<Item = &LatencyChange> {
    look.rerun.changes.iter().filter(|it| !is_of_queue(look, it))
}

/// True if the delays of a change vary as those of a queue do. The longer ones vary much more than the
/// shorter ones, which are steady on a route. Or both vary, while those of the other direction stand still.
/// Or another change follows soon.
fn is_of_queue(look: &Look, change: &LatencyChange) -> bool {
    let since = look.seconds(change.since);
    let spread = |from: f64, to: f64| {
        let place = |at: f64| look.said.partition_point(|it| it.arrived_s < at);
        let within =
            || look.said[place(from)..place(to).max(place(from))].iter().filter(|it| it.outcome.is_ok());
        let ways = [sorted(within().map(|it| it.up)), sorted(within().map(|it| it.down))];
        let [up, down] = ways.map(|delays| {
            nearest_rank(&delays, 0.9).map_or(0.0, |high| high - nearest_rank(&delays, 0.1).unwrap_or(high))
        });
        if change.direction == Direction::ToServer { (up, down) } else { (down, up) }
    };
    // Up to the changes before and after it.
    let rises = |it: &LatencyChange| it.after > it.before;
    let same = look.rerun.changes.iter().filter(|it| it.direction == change.direction);
    let others = same.map(|it| (look.seconds(it.since), rises(it))).filter(|it| it.0 != since);
    let follows = |(at, is_rise): (f64, bool)| {
        let apart = (at - since).abs();
        apart < ROUTE_LASTS_S || apart < TOGETHER_S && is_rise && rises(change)
    };
    if others.clone().any(follows) {
        return true;
    }
    let others = others.map(|it| it.0);
    let from = others.clone().filter(|&it| it < since).fold(since - SPREAD_WITHIN_S, f64::max);
    let to = others.filter(|&it| it > since).fold(since + SPREAD_WITHIN_S, f64::min);
    let (before, after) = (spread(from, since), spread(since, to));
    let by = (change.after - change.before).as_millis_f64();
    let (longer, shorter) = if by > 0.0 { (after, before) } else { (before, after) };
    let is_wide = |it: (f64, f64), share: f64, other: f64| {
        it.0 >= LEAST_WAIT_MS.max(share * by.abs()) && it.0 >= SPREAD_MORE * other
    };
    is_wide(longer, SPREAD, shorter.0)
        || is_wide(longer, SPREAD_BOTH, longer.1) && is_wide(shorter, SPREAD_BOTH, shorter.1)
}

/// Lasting changes of the delays.
pub(super) fn routes(look: &Look) -> Vec<Verdict> {
    let words = |change: &LatencyChange| {
        let from = look.seconds(change.since);
        let to = look.seconds(change.found) + 60.0;
        let way = match change.direction {
            Direction::ToServer => "The way to the server",
            Direction::ToClient => "The way to the client",
        };
        let by = (change.after - change.before).as_millis_f64();
        let words = format!(
            "{way} became {} ms {} at {} (from {} to {} ms). {}",
            ms(by.abs()),
            if by > 0.0 { "longer" } else { "shorter" },
            clock(from),
            ms(change.before.as_millis_f64()),
            ms(change.after.as_millis_f64()),
            effect(look, from, to)
        );
        Verdict { kind: Kind::Route, stretch: Some((from, to.min(look.length_s))), words }
    };
    lasting(look).map(words).collect()
}
