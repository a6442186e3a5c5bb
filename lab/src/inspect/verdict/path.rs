//! Verdicts about the path: queues, jitter, and lasting changes of the delays.

use netclock::Direction;
use netclock::latency::LatencyChange;

use super::effect::{Effect, effect, span_words};
use super::kind::{Kind, Verdict};
use crate::inspect::look::{Look, clock};
use crate::report::words::ms;
use netclock_sim::measure::figures::{nearest_rank, sorted};

/// Delays this far above the smallest one are a queue (ms) ...
const QUEUE_MS: f64 = 20.0;
/// ... if they are this many times what the quieter direction usually shows, ...
const ABOVE_USUAL: f64 = 5.0;
/// ... and if those of the other direction vary less by this factor. Otherwise they are jitter.
const ONE_SIDED: f64 = 3.0;
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
/// Verdicts of one kind that are less apart than this are one (s).
const TOGETHER_S: f64 = 90.0;
/// This many changes of one direction that make it longer and longer are a queue that grows, not as many
/// routes.
const CLIMB: usize = 4;

/// The variation of the delays in a window of exchanges.
struct Window {
    from: f64,
    to: f64,
    /// To the server, to the client (ms).
    excess: [f64; 2],
    /// How many exchanges waited, in each direction.
    waiting: [usize; 2],
}

fn windows(look: &Look) -> Vec<Window> {
    let mut apart: Vec<(f64, [f64; 2])> = Vec::new();
    for said in look.said.iter().filter(|said| said.outcome.is_ok()) {
        if apart.last().is_none_or(|last| said.sent_s - last.0 >= APART_S) {
            apart.push((said.sent_s, [said.up, said.down]));
        }
    }
    let window = |part: &[(f64, [f64; 2])]| {
        let [up, down] = [0, 1].map(|way| {
            let delays = sorted(part.iter().map(|it| it.1[way]));
            let excess = nearest_rank(&delays, SHARE).map_or(0.0, |high| high - delays[0]);
            let waits = |delay: &&f64| **delay - delays[0] > (excess * WAITED).max(LEAST_WAIT_MS);
            (excess, delays.iter().filter(waits).count())
        });
        Window {
            from: part[0].0,
            to: part[part.len() - 1].0,
            excess: [up.0, down.0],
            waiting: [up.1, down.1],
        }
    };
    // A window in which the route changed is as wide as the change.
    let changes: Vec<f64> = lasting(look).map(|it| look.seconds(it.since)).collect();
    let straddles = |it: &Window| changes.iter().any(|&since| it.from < since && since <= it.to);
    apart.windows(WINDOW).map(window).filter(|window| !straddles(window)).collect()
}

/// A stretch of time in which delays vary much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    kind: Kind,
    from: f64,
    to: f64,
    size: f64,
    effect: Effect,
}

impl Queue {
    /// Takes another look at the same queue in. False if it is another one.
    pub(super) fn take_in(&mut self, other: &Queue) -> bool {
        let is_same = self.kind == other.kind
            && other.from <= self.to + TOGETHER_S
            && other.to >= self.from - TOGETHER_S;
        if is_same {
            (self.from, self.to) = (self.from.min(other.from), self.to.max(other.to));
            self.size = self.size.max(other.size);
            self.effect = self.effect.and(other.effect);
        }
        is_same
    }

    /// The verdict on it, in a session of this length (s).
    pub(super) fn verdict(&self, length_s: f64) -> Verdict {
        let Queue { kind, from, to, size, effect } = *self;
        let when = span_words(from, to, length_s);
        let what = match kind {
            Kind::QueueUp => {
                format!("Uplink queue {when}: most messages to the server waited up to {} ms.", ms(size))
            }
            Kind::QueueDown => {
                format!("Downlink queue {when}: most messages to the client waited up to {} ms.", ms(size))
            }
            _ => format!("Strong jitter in both directions {when}: delays vary by {} ms.", ms(size)),
        };
        Verdict { kind, stretch: Some((from, to)), words: format!("{what} {}", effect.words()) }
    }
}

/// Queues and jitter: stretches of time in which delays vary much.
pub(super) fn queues(look: &Look) -> Vec<Queue> {
    let windows = windows(look);
    let usual = sorted(windows.iter().map(|it| it.excess[0].min(it.excess[1])));
    let least = nearest_rank(&usual, 0.5).map_or(QUEUE_MS, |usual| QUEUE_MS.max(ABOVE_USUAL * usual));
    let kind_of = |window: &Window| {
        let [up, down] = window.excess;
        let [is_up, is_down] = window.waiting.map(|waiting| waiting >= LEAST_WAITING);
        match (up >= least, down >= least) {
            (true, _) if is_up && up >= ONE_SIDED * down => Some((Kind::QueueUp, up)),
            (_, true) if is_down && down >= ONE_SIDED * up => Some((Kind::QueueDown, down)),
            _ if up.min(down) >= QUEUE_MS => Some((Kind::Jitter, up.max(down))),
            _ => None,
        }
    };
    let mut found: Vec<(Kind, f64, f64, f64)> = Vec::new();
    for window in windows {
        let Some((kind, size)) = kind_of(&window) else { continue };
        match found.iter_mut().rfind(|it| it.0 == kind) {
            Some(it) if window.from <= it.2 + TOGETHER_S => (it.2, it.3) = (window.to, it.3.max(size)),
            _ => found.push((kind, window.from, window.to, size)),
        }
    }
    let mut all: Vec<Queue> = Vec::new();
    for (kind, from, to, size) in found {
        let (from, to, size) = extent(look, kind, from, to, size);
        let queue = Queue { kind, from, to, size, effect: Effect::within(look, from, to) };
        if !all.iter_mut().any(|known| known.take_in(&queue)) {
            all.push(queue);
        }
    }
    all
}

/// The stretch from the first to the last exchange that waited, and the size. A queue that stands, or grows
/// slowly, hardly varies within a window; so it reaches as far beyond as messages go on waiting.
fn extent(look: &Look, kind: Kind, from: f64, to: f64, size: f64) -> (f64, f64, f64) {
    let accepted = look.said.iter().filter(|said| said.outcome.is_ok());
    let mut delays: Vec<(f64, f64)> = accepted
        .map(|said| (said.sent_s, if kind == Kind::QueueDown { said.down } else { said.up }))
        .collect();
    delays.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut begin = delays.partition_point(|it| it.0 < from);
    let mut end = delays.partition_point(|it| it.0 <= to);
    let least = delays[begin..end].iter().map(|it| it.1).fold(f64::INFINITY, f64::min);
    let waits = |it: &&(f64, f64)| it.1 - least > size * WAITED;
    if kind != Kind::Jitter {
        let stands = |part: &[(f64, f64)]| part.iter().filter(waits).count() >= STANDING - 1;
        while begin.checked_sub(STANDING).is_some_and(|before| stands(&delays[before..begin])) {
            begin -= STANDING;
        }
        while delays.get(end..end + STANDING).is_some_and(stands) {
            end += STANDING;
        }
    }
    let mut waited = delays[begin..end].iter().filter(waits).map(|it| it.0);
    let first = waited.next();
    let last = waited.next_back().or(first);
    let high = nearest_rank(&sorted(delays[begin..end].iter().map(|it| it.1)), SHARE);
    (first.unwrap_or(from), last.unwrap_or(to), high.map_or(size, |high| size.max(high - least)))
}

/// The changes of route, without those of a queue that grows, and its end.
fn lasting(look: &Look) -> impl Iterator<Item = &LatencyChange> {
    let all = &look.rerun.changes;
    let mut of_queues = vec![false; all.len()];
    for direction in [Direction::ToServer, Direction::ToClient] {
        let mut climb: Vec<usize> = Vec::new();
        for (i, it) in all.iter().enumerate().filter(|(_, it)| it.direction == direction) {
            let since = |i: usize| look.seconds(all[i].since);
            if climb.last().is_some_and(|&last| since(i) > since(last) + TOGETHER_S) {
                climb.clear();
            }
            let rises = it.after > it.before;
            if rises {
                climb.push(i);
            }
            if climb.len() >= CLIMB {
                of_queues[i] = true;
                climb.iter().for_each(|&part| of_queues[part] = true);
            }
            if !rises {
                climb.clear();
            }
        }
    }
    all.iter().zip(of_queues).filter(|(_, of_queue)| !of_queue).map(|(it, _)| it)
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
