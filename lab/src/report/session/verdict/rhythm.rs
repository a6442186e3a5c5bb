//! Verdicts that depend on how often requests were sent: outages, and what the rhythm of requests cannot
//! show.

use super::effect::effect;
use super::kind::{Kind, Verdict};
use super::resolution::coarse_ms;
use super::series::{APART_S, QUEUE_MS, WINDOW};
use crate::recording::Recorded;
use crate::report::session::evaluation::{Evaluation, ExchangePoint, clock};
use crate::report::words::{amount, length};
use netclock_sim::measure::figures::{nearest_rank, sorted};

/// On a lossy path, a shorter time without replies may be chance (s).
const OUTAGE_S: f64 = 30.0;
/// The same applies to a time of less than this many times the session's own rhythm.
const RHYTHMS: f64 = 4.0;
/// The rhythm at a reply is this quantile of the times between this many replies before it and after it.
const NEAR: usize = 16;
const USUAL: f64 = 0.92;
/// Common outages are not reported either: if there are more than this many, and this share of them, at least
/// half as long.
const MOST_OUTAGES: usize = 6;
const COMMON: f64 = 0.02;
/// A session whose requests are this far apart does not show short outages and queues (s).
const SELDOM_S: f64 = 10.0;
/// A round trip is long if it exceeds the shortest one by as much as a queue, and by this share. Long round
/// trips are reported if there are this many, and if they are this share of those that are twice as long, or
/// of all.
const LONG: f64 = 0.25;
const LEAST_LONG: usize = 6;
const SHARE_LONG: f64 = 0.3;
const SHARE_TWICE: f64 = 0.1;

/// The range of nanoseconds since 1970 in the present age.
const NANOSECONDS: std::ops::Range<i64> = 1_000_000_000_000_000_000..2_200_000_000_000_000_000;

/// The times between replies.
pub(super) struct Rhythm {
    /// When replies arrived (s), in order, from the first accepted one to the last.
    came: Vec<f64>,
    /// When the replies were sent, by the server's clock (s).
    server: Vec<f64>,
}

impl Rhythm {
    pub(super) fn of(session: &Evaluation) -> Self {
        let accepted = || session.exchanges.iter().filter(|it| it.outcome.is_ok()).map(|it| it.arrived_s);
        let ends = accepted().fold(f64::INFINITY, f64::min)..=accepted().fold(f64::NEG_INFINITY, f64::max);
        // Refused replies arrived, too.
        let mut all: Vec<&ExchangePoint> =
            session.exchanges.iter().filter(|it| ends.contains(&it.arrived_s)).collect();
        all.sort_by(|a, b| a.arrived_s.total_cmp(&b.arrived_s));
        let of = |time: fn(&ExchangePoint) -> f64| all.iter().map(|it| time(it)).collect();
        Rhythm { came: of(|it| it.arrived_s), server: of(|it| it.server_s) }
    }

    /// The usual time between replies near this one (s).
    fn near(&self, index: usize) -> f64 {
        let count = self.came.len().saturating_sub(1);
        // At both ends, as many replies are used as elsewhere.
        let from = index.saturating_sub(NEAR).min(count.saturating_sub(2 * NEAR + 1));
        let until = (from + 2 * NEAR + 1).min(count);
        let gaps = (from..until).filter(|&it| it != index).map(|it| self.came[it + 1] - self.came[it]);
        nearest_rank(&sorted(gaps), USUAL).unwrap_or(0.0)
    }

    /// True if the time without replies after this one is longer than the rhythm explains, both here and in
    /// the whole session.
    fn breaks(&self, index: usize, gap: f64) -> bool {
        let gaps = self.came.windows(2).map(|pair| pair[1] - pair[0]);
        let (similar, count) = (gaps.filter(|it| *it >= gap / 2.0).count(), self.came.len());
        let is_common = similar > MOST_OUTAGES && similar as f64 > COMMON * count as f64;
        gap > RHYTHMS * self.near(index) && !is_common
    }

    /// True if the rhythm does not explain the time without replies from one time to another (s).
    pub(super) fn is_unusual(&self, from: f64, to: f64) -> bool {
        let index = self.came.partition_point(|&it| it <= from).saturating_sub(1);
        self.breaks(index, to - from)
    }

    /// The usual time between replies in the whole session (s).
    pub(super) fn usual(&self) -> f64 {
        let gaps = self.came.windows(2).map(|pair| pair[1] - pair[0]);
        nearest_rank(&sorted(gaps), 0.5).unwrap_or(0.0)
    }

    /// The shortest outage that the session can show (s).
    pub(super) fn shortest_outage(&self) -> f64 {
        OUTAGE_S.max(RHYTHMS * self.usual())
    }

    /// Finds times without replies.
    pub(super) fn outages(&self, session: &Evaluation) -> Vec<Verdict> {
        // If the client's clock was set forward, much less time passed for the server.
        let is_step = |index: usize, gap: f64| {
            let ends = self.server.get(index).zip(self.server.get(index + 1));
            ends.is_some_and(|(from, to)| (0.0..gap / 2.0).contains(&(to - from)))
        };
        let is_long =
            |index: usize, gap: f64| gap >= OUTAGE_S && self.breaks(index, gap) && !is_step(index, gap);
        let verdict = |from: f64, to: f64, end: &str| {
            let (long, since) = (length(to - from), clock(from));
            let mut words = format!("No replies for {long}, from {since}{end}");
            if session.recording.round_trips_only {
                words += ".";
            } else {
                let effect = effect(session, from, to);
                words += &format!(": the clock ran on the rate that it had learned. {effect}");
            }
            Verdict { kind: Kind::Outage, stretch: Some((from, to)), words }
        };
        let pairs = self.came.windows(2).enumerate();
        let found = pairs.filter(|(index, pair)| is_long(*index, pair[1] - pair[0]));
        let mut all: Vec<Verdict> = found.map(|(_, pair)| verdict(pair[0], pair[1], "")).collect();
        let last = self.came.last().filter(|&&last| is_long(self.came.len() - 1, session.length_s - last));
        all.extend(last.map(|&last| verdict(last, session.length_s, ", and none came again")));
        all
    }

    /// Reports limitations of the recording.
    pub(super) fn not_seen(&self, session: &Evaluation, apart: usize) -> Option<Verdict> {
        let mut words = Vec::new();
        if session.recording.round_trips_only {
            words.push(
                "The file has round trips alone, so nothing is known of directions, of the server's clock, \
                 or of the error of the shown time."
                    .to_owned(),
            );
        }
        let is_ns = |it: &Recorded| NANOSECONDS.contains(&it.sample.client_received.ticks());
        if session.recording.exchanges.iter().all(is_ns) {
            words.push(
                "The stamps are nanoseconds since 1970, as it seems, but a recording counts ticks of 100 ns: \
                 every time here is a hundred times too long."
                    .to_owned(),
            );
        }
        if let Some(ms) = coarse_ms(session) {
            words.push(format!(
                "The stamps are multiples of {}: shorter waits and changes cannot be seen.",
                amount(ms)
            ));
        }
        if let Some(line) = session.false_refusal {
            words.push(format!(
                "Recorded statuses contradict their stamps (first: line {line}), so that all count as \
                 unknown."
            ));
        }
        if apart > 0 && apart < WINDOW {
            words.push(format!(
                "Queues and route changes were not looked for: that takes {WINDOW} accepted \
                 exchanges that are {APART_S} s apart, and there {} {apart}.",
                if apart == 1 { "is" } else { "are" },
            ));
        }
        let usual = self.usual();
        if usual > SELDOM_S {
            words.push(format!(
                "Replies came {} apart in the median: shorter queues and outages cannot be seen.",
                length(usual)
            ));
        }
        (!words.is_empty()).then(|| Verdict { kind: Kind::NotSeen, stretch: None, words: words.join(" ") })
    }
}

/// Reports long round trips that no other verdict is about. They are measured only with the client's own
/// clock.
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
        "{} of {} round trips were longer than the shortest of {}, by {} in the median and {} at most. The \
         stamps do not tell where and for how long.",
        long.len(),
        accepted.len(),
        amount(shortest),
        amount(middle),
        amount(most)
    );
    Some(Verdict { kind: Kind::LongRoundTrips, stretch: None, words })
}
