use super::effect::effect;
use super::kind::{Kind, Verdict};
use super::resolution::coarse_ms;
use super::series::{APART_S, QUEUE_MS, WINDOW};
use crate::recording::Recorded;
use crate::report::{Evaluation, ExchangePoint, amount, clock, length};
use netclock_sim::{nearest_rank, sorted};

/// On a lossy path, a shorter period without replies may be due to chance.
const OUTAGE_S: f64 = 30.0;
/// The shortest outage, as a multiple of the usual interval between replies.
const RHYTHMS: f64 = 4.0;
/// At each reply, the usual interval is the [`USUAL`] quantile of this many intervals on either side.
const NEAR: usize = 16;
const USUAL: f64 = 0.92;
/// A gap is too common to be an outage if more than `MOST_OUTAGES` gaps are at least half as long and their
/// share exceeds [`COMMON`].
const MOST_OUTAGES: usize = 6;
const COMMON: f64 = 0.02;
/// If the interval between replies exceeds this, we cannot detect short outages and queues.
const SELDOM_S: f64 = 10.0;
/// A round trip is long if it exceeds the shortest one by at least this share and by the size of a queue.
const LONG: f64 = 0.25;
const LEAST_LONG: usize = 6;
/// Long round trips are reported if they make up at least this share.
const SHARE_LONG: f64 = 0.3;
/// Long round trips are also reported if at least this share is twice as long as the shortest round trip.
const SHARE_TWICE: f64 = 0.1;

/// The Unix times of the years 2001 to 2039, in nanoseconds.
const NANOSECONDS: std::ops::Range<i64> = 1_000_000_000_000_000_000..2_200_000_000_000_000_000;

pub(super) struct Rhythm {
    arrivals: Vec<f64>,
    /// When these replies were sent, according to the server's clock (s).
    server: Vec<f64>,
}

impl Rhythm {
    pub(super) fn of(session: &Evaluation) -> Self {
        let accepted = || session.exchanges.iter().filter(|it| it.outcome.is_ok()).map(|it| it.arrived_s);
        let ends = accepted().fold(f64::INFINITY, f64::min)..=accepted().fold(f64::NEG_INFINITY, f64::max);
        // A rejected reply also proves that there was no outage.
        let mut all: Vec<&ExchangePoint> =
            session.exchanges.iter().filter(|it| ends.contains(&it.arrived_s)).collect();
        all.sort_by(|a, b| a.arrived_s.total_cmp(&b.arrived_s));
        let of = |time: fn(&ExchangePoint) -> f64| all.iter().map(|it| time(it)).collect();
        Rhythm { arrivals: of(|it| it.arrived_s), server: of(|it| it.server_s) }
    }

    fn near(&self, index: usize) -> f64 {
        let count = self.arrivals.len().saturating_sub(1);
        // Near either end of the session, use the same number of intervals as elsewhere.
        let from = index.saturating_sub(NEAR).min(count.saturating_sub(2 * NEAR + 1));
        let until = (from + 2 * NEAR + 1).min(count);
        let gaps =
            (from..until).filter(|&it| it != index).map(|it| self.arrivals[it + 1] - self.arrivals[it]);
        nearest_rank(&sorted(gaps), USUAL).unwrap_or(0.0)
    }

    fn breaks(&self, index: usize, gap: f64) -> bool {
        let gaps = self.arrivals.windows(2).map(|pair| pair[1] - pair[0]);
        let (similar, count) = (gaps.filter(|it| *it >= gap / 2.0).count(), self.arrivals.len());
        let is_common = similar > MOST_OUTAGES && similar as f64 > COMMON * count as f64;
        gap > RHYTHMS * self.near(index) && !is_common
    }

    pub(super) fn is_unusual(&self, from: f64, to: f64) -> bool {
        let index = self.arrivals.partition_point(|&it| it <= from).saturating_sub(1);
        self.breaks(index, to - from)
    }

    pub(super) fn usual(&self) -> f64 {
        let gaps = self.arrivals.windows(2).map(|pair| pair[1] - pair[0]);
        nearest_rank(&sorted(gaps), 0.5).unwrap_or(0.0)
    }

    pub(super) fn shortest_outage(&self) -> f64 {
        OUTAGE_S.max(RHYTHMS * self.usual())
    }

    pub(super) fn outages(&self, session: &Evaluation) -> Vec<Verdict> {
        // If the client's clock was stepped forward, much less time passed on the server's clock.
        let is_step = |index: usize, gap: f64| {
            let ends = self.server.get(index).zip(self.server.get(index + 1));
            ends.is_some_and(|(from, to)| (0.0..gap / 2.0).contains(&(to - from)))
        };
        let is_long =
            |index: usize, gap: f64| gap >= OUTAGE_S && self.breaks(index, gap) && !is_step(index, gap);
        let verdict = |from: f64, to: f64, end: &str| {
            let (long, since) = (length(to - from), clock(from));
            let mut words = format!("No replies arrived for {long}, starting at {since}{end}.");
            if !session.recording.round_trips_only {
                let effect = effect(session, from, to);
                words += &format!(" The clock continued at its estimated rate. {effect}");
            }
            Verdict { kind: Kind::Outage, stretch: Some((from, to)), words }
        };
        let pairs = self.arrivals.windows(2).enumerate();
        let found = pairs.filter(|(index, pair)| is_long(*index, pair[1] - pair[0]));
        let mut all: Vec<Verdict> = found.map(|(_, pair)| verdict(pair[0], pair[1], "")).collect();
        let last =
            self.arrivals.last().filter(|&&last| is_long(self.arrivals.len() - 1, session.length_s - last));
        all.extend(last.map(|&last| verdict(last, session.length_s, ", until the end")));
        all
    }

    pub(super) fn not_seen(&self, session: &Evaluation, apart: usize) -> Option<Verdict> {
        let mut words = Vec::new();
        if session.recording.round_trips_only {
            words.push(
                "The file only contains round trips, so the individual directions, the server's clock and \
                 the error of the shown time are unknown."
                    .to_owned(),
            );
        }
        let is_ns = |it: &Recorded| NANOSECONDS.contains(&it.sample.client_received.ticks());
        if session.recording.exchanges.iter().all(is_ns) {
            words.push(
                "The timestamps seem to be nanoseconds since 1970, but recordings use ticks of 100 ns, so \
                 all times in this report are a hundred times too long."
                    .to_owned(),
            );
        }
        if let Some(ms) = coarse_ms(session) {
            words.push(format!(
                "The timestamps are multiples of {}, so shorter waits and changes are not visible.",
                amount(ms)
            ));
        }
        if let Some(line) = session.false_refusal {
            words.push(format!(
                "Recorded statuses contradict their timestamps (first: line {line}), so all statuses are \
                 treated as unknown."
            ));
        }
        if apart > 0 && apart < WINDOW {
            words.push(format!(
                "Queues and route changes cannot be detected, because that requires {WINDOW} accepted \
                 exchanges at least {APART_S} s apart, and there {} only {apart}.",
                if apart == 1 { "is" } else { "are" },
            ));
        }
        let usual = self.usual();
        if usual > SELDOM_S {
            words.push(format!(
                "The median interval between replies is {}, so shorter queues and outages are not visible.",
                length(usual)
            ));
        }
        (!words.is_empty()).then(|| Verdict { kind: Kind::NotSeen, stretch: None, words: words.join(" ") })
    }
}

/// Round trips are measured with the client's clock alone, so the direction of the delay is unknown.
pub(super) fn long_round_trips(session: &Evaluation, is_explained: impl Fn(f64) -> bool) -> Option<Verdict> {
    let accepted: Vec<&ExchangePoint> = session.exchanges.iter().filter(|it| it.outcome.is_ok()).collect();
    let shortest = accepted.iter().map(|it| it.round_trip).reduce(f64::min)?;
    let long: Vec<&&ExchangePoint> = accepted
        .iter()
        .filter(|it| it.round_trip - shortest >= QUEUE_MS.max(LONG * shortest) && !is_explained(it.sent_s))
        .collect();
    let are_many =
        |count: usize, share: f64| count >= LEAST_LONG && count as f64 >= share * accepted.len() as f64;
    let twice = long.iter().filter(|it| it.round_trip >= 2.0 * shortest).count();
    if !are_many(twice, SHARE_TWICE) && !are_many(long.len(), SHARE_LONG) {
        return None;
    }
    let longer = sorted(long.iter().map(|it| it.round_trip - shortest));
    let (middle, most) = (nearest_rank(&longer, 0.5)?, nearest_rank(&longer, 1.0)?);
    let words = format!(
        "{} of {} round trips were longer than the shortest round trip of {}, by a median of {} and up to \
         {}. The timestamps do not show where or for how long the messages were delayed.",
        long.len(),
        accepted.len(),
        amount(shortest),
        amount(middle),
        amount(most)
    );
    Some(Verdict { kind: Kind::LongRoundTrips, stretch: None, words })
}
