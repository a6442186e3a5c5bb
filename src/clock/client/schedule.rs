//! Decides when to send the next request. A burst is followed by requests at growing, randomised intervals.
//! Lost requests are resent. An [`Allowance`] limits all requests.
//!
//! Messages are handled at frame boundaries. Requests at a constant interval could lock to the frame rate and
//! always measure the same wait, so intervals are random.

use super::allowance::Allowance;
use super::config::Config;
use crate::clock::exchange::Unguessable;
use crate::clock::ground::time::{LocalTime, Span};

const BACK_OFF: f64 = 1.15;

/// A burst is extended by up to this many requests if the error exceeds its target or the rate is known.
const LONGER: u32 = 30;

/// The rate counts as known if its standard deviation is less than this. It is then best to spend the budget
/// at once, because an offset measured in a burst stays accurate for long.
const KNOWN_RATE: f64 = 8e-6;

/// The maximum number of requests within [`BUDGETED`] of a burst's start, not counting one or two early ones.
const BUDGET: u32 = 62;
/// With 64 bytes per exchange, the budget for this time is 4 KB.
const BUDGETED: Span = Span::from_secs(30);

/// After a burst, intervals are proportional to the time since its start plus this time (s). The rest of the
/// budget is spread out, because early requests determine the offset and late ones the rate.
const GROWS_FROM: f64 = 2.0;

/// Longest interval before the first sync or while replies are missing, so that the client syncs soon.
const IMPATIENT: Span = Span::from_secs(1);

/// The server counts as silent after more than this many unanswered requests over at least [`SILENCE`].
const UNANSWERED: u32 = 10;
/// Before this much time has passed, the replies may still be on their way.
const SILENCE: Span = Span::from_secs(1);
/// While the server is silent, intervals grow by this factor up to [`IMPATIENT`], to spare a stalled server.
const SILENT_BACK_OFF: f64 = 2.0;

/// After two round trips plus this time, a request counts as lost, and the next request is due.
const PATIENCE: Span = Span::from_secs(1);

/// Maximum number of requests that can be saved up. This is enough for one burst and most of a second one.
const ALLOWED: f64 = 1.7 * BUDGET as f64;
/// Number of additional requests that a link may send while it learns.
#[cfg(feature = "link")]
const ALLOWED_TO_LEARN: f64 = 216.0;
/// The allowance grows by this many requests per steady interval, so that lost requests can be repeated.
const REFILL: f64 = 1.75;
const SLOWEST_REFILL: Span = Span::from_secs(10);

/// We send requests often enough that an uncertain rate causes at most this error between two exchanges.
const TOLERATED: Span = Span::from_micros(10);
/// The error may exceed [`TOLERATED`] if the steady interval is longer than this.
const TOLERATED_FOR: Span = Span::from_secs(4);

/// Longest interval between unanswered requests in the game's messages while the link is good.
const FORLORN: Span = Span::from_secs(120);

/// After [`BUDGETED`], a link sends requests at this interval, because about 200 exchanges give a good
/// minimum.
const LEARNS: Span = Span::from_millis(300);
/// A link sends requests at the interval [`LEARNS`] until this long after the burst began. The intervals then
/// grow and reach the steady interval within two minutes.
const LEARNED: Span = Span::from_secs(95);

/// If the round trip is known, at most this many requests are in flight, whatever the configured intervals
/// are. The client can track more outstanding requests than this.
const UNDER_WAY: i64 = 96;

/// Each interval is randomised by a factor of `1 ± RANDOM`.
const RANDOM: f64 = 1.0 / 3.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pace {
    pub(crate) answered: bool,
    /// The round-trip time, or zero if unknown.
    pub(crate) round_trip: Span,
    pub(crate) sigma_rate: f64,
    /// The request interval if another path is good and this path only has to be kept alive.
    pub(crate) second: Option<Span>,
    /// Whether the expected error still exceeds its target, so that a burst should go on.
    pub(crate) above_target: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    burst_count: u32,
    burst_interval: Span,
    steady_interval: Span,
    /// Whether to send more requests in the second and third half minute to improve accuracy.
    learns: bool,
    burst_left: u32,
    longer_left: u32,
    /// Number of requests since the burst began, and the time of the first one.
    sent: u32,
    begun: Option<LocalTime>,
    interval: Span,
    due: Option<LocalTime>,
    /// When the next request is due if the last one is answered.
    planned: LocalTime,
    allowance: Allowance,
    /// Number of requests since the last reply, and the time of the first one.
    unanswered: u32,
    asked: Option<LocalTime>,
    is_silent: bool,
}

impl Schedule {
    pub(crate) fn new(config: &Config) -> Self {
        Schedule {
            burst_count: config.burst_count,
            burst_interval: config.burst_interval,
            steady_interval: config.longest_interval(),
            learns: false,
            burst_left: config.burst_count,
            longer_left: LONGER,
            sent: 0,
            begun: None,
            interval: config.burst_interval,
            due: None,
            planned: LocalTime::from_ticks(0),
            allowance: Allowance::new(ALLOWED),
            unanswered: 0,
            asked: None,
            is_silent: false,
        }
    }

    /// Records a message from the server. Returns true if the server had been silent, in which case a burst
    /// is worthwhile.
    pub(crate) fn note_message(&mut self) -> bool {
        (self.unanswered, self.asked) = (0, None);
        self.due = self.due.map(|_| self.planned);
        core::mem::take(&mut self.is_silent)
    }

    /// Allows a burst even if the allowance is exhausted.
    pub(crate) fn allow_burst(&mut self) {
        self.allowance.grant(f64::from(BUDGET));
    }

    /// Starts a burst, which is due immediately unless the allowance is exhausted.
    pub(crate) fn burst(&mut self) {
        self.burst_left = self.burst_count;
        self.longer_left = LONGER;
        (self.sent, self.begun) = (0, None);
        self.interval = self.burst_interval;
        if self.allowance.has_some() {
            self.due = None;
        }
    }

    pub(crate) fn is_due(&self, now: LocalTime) -> bool {
        self.due.is_none_or(|due| now >= due)
    }

    pub(crate) fn may_go_on(&self) -> bool {
        self.burst_left <= 1 && self.longer_left > 0
    }

    pub(crate) fn sent(&mut self, now: LocalTime, pace: Pace, random: &mut Unguessable) {
        let begun = *self.begun.get_or_insert(now);
        self.sent = self.sent.saturating_add(1);
        self.burst_left = self.burst_left.saturating_sub(1);
        self.unanswered = self.unanswered.saturating_add(1);
        let silence = now - *self.asked.get_or_insert(now);
        self.is_silent = self.unanswered > UNANSWERED && silence >= SILENCE;
        let nominal = if self.is_silent {
            self.silent_interval(pace)
        } else if self.burst_left > 0 {
            self.burst_interval
        } else if self.longer_left > 0 && is_worth_a_longer_burst(pace) {
            self.longer_left -= 1;
            self.burst_interval
        } else {
            self.longer_left = 0;
            self.after_burst(now - begun, pace)
        };
        debug_assert!(nominal > Span::ZERO, "the interval is positive");
        let nominal = nominal.max(Span::from_ticks(pace.round_trip.ticks() / UNDER_WAY));
        let allowed = self.spend(now, pace);
        let factor = 1.0 + RANDOM * (2.0 * random.fraction() - 1.0);
        let after = |span: Span| now + Span::from_ticks((span.max(allowed).ticks() as f64 * factor) as i64);
        self.planned = after(nominal);
        // A path that only has to be kept alive does not repeat lost requests.
        let repeated = if pace.second.is_none() { nominal.min(patience(pace)) } else { nominal };
        self.due = Some(after(repeated));
    }

    fn silent_interval(&mut self, pace: Pace) -> Span {
        let grown = Span::from_secs_f64(self.interval.as_secs_f64() * SILENT_BACK_OFF);
        self.interval = match pace.second {
            None => grown.min(IMPATIENT),
            Some(interval) => grown.max(interval).min(FORLORN.max(interval)),
        };
        self.interval
    }

    /// Counts a request at `now`, and returns the time until the next one is allowed. While the server is
    /// silent, we reserve enough requests for the burst that follows when it replies again.
    fn spend(&mut self, now: LocalTime, pace: Pace) -> Span {
        let rests_at = pace.second.unwrap_or(self.steady_interval).as_secs_f64();
        let refill = Span::from_secs_f64(rests_at / REFILL).min(SLOWEST_REFILL);
        let reserve = if self.is_silent { f64::from(BUDGET) } else { 0.0 };
        self.allowance.spend(now, refill, reserve)
    }

    fn after_burst(&mut self, since: Span, pace: Pace) -> Span {
        let (affordable, steady) = (self.affordable(since), self.steady_interval);
        let has_budget = self.sent < BUDGET && since < BUDGETED;
        if has_budget && pace.second.is_none() {
            self.interval = self.spread(since).min(steady).max(self.burst_interval);
            return self.interval;
        }
        if self.learns && (BUDGETED..LEARNED).contains(&since) {
            self.interval = LEARNS.min(steady);
            return self.interval;
        }
        let grown = Span::from_ticks((self.interval.ticks() as f64 * BACK_OFF) as i64);
        self.interval = grown.min(self.longest(pace).max(affordable.min(steady))).max(self.burst_interval);
        // A user who configures such a short steady interval wants that many requests.
        let most = if steady < IMPATIENT { steady } else { steady + steady + steady };
        if self.sent < BUDGET { self.interval } else { self.interval.max(affordable.min(most)) }
    }

    fn spread(&self, since: Span) -> Span {
        let age = since.as_secs_f64() + GROWS_FROM;
        let all = (BUDGETED.as_secs_f64() + GROWS_FROM) / age;
        let left = f64::from(BUDGET.saturating_sub(self.sent).max(1));
        Span::from_secs_f64(age * (all.ln() / left).exp() - age)
    }

    /// Returns the interval that spreads the remaining budget evenly. Once the budget is spent, the interval
    /// extends to the end of the budgeted time, regardless of its random factor.
    fn affordable(&self, since: Span) -> Span {
        let time = (BUDGETED - since).max(Span::ZERO).ticks();
        match BUDGET.saturating_sub(self.sent) {
            0 => Span::from_ticks((time as f64 / (1.0 - RANDOM)) as i64),
            left => Span::from_ticks(time / i64::from(left)),
        }
    }

    fn longest(&self, pace: Pace) -> Span {
        if !pace.answered {
            return IMPATIENT.min(self.steady_interval);
        }
        if let Some(interval) = pace.second {
            return interval;
        }
        let tolerated = TOLERATED.as_secs_f64()
            * (self.steady_interval.as_secs_f64() / TOLERATED_FOR.as_secs_f64()).max(1.0);
        Span::from_secs_f64(tolerated / pace.sigma_rate).min(self.steady_interval)
    }
}

fn patience(pace: Pace) -> Span {
    PATIENCE + pace.round_trip + pace.round_trip
}

fn is_worth_a_longer_burst(pace: Pace) -> bool {
    pace.above_target || (pace.sigma_rate < KNOWN_RATE && pace.second.is_none())
}

#[cfg(feature = "link")]
impl Schedule {
    pub(crate) fn learn(&mut self) {
        self.learns = true;
        self.allowance.extend(ALLOWED_TO_LEARN);
    }

    pub(crate) fn next_due(&self, now: LocalTime) -> LocalTime {
        self.due.map_or(now, |due| due.max(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::client::probes::OUTSTANDING;

    const SETTLED: Pace = Pace {
        answered: true,
        round_trip: Span::from_millis(50),
        sigma_rate: 1e-6,
        second: None,
        above_target: false,
    };
    const UNKNOWN: Pace = Pace { sigma_rate: 25e-6, ..SETTLED };

    /// Returns the local times (s) of requests in the first `seconds`, with one call per millisecond.
    fn times(schedule: &mut Schedule, pace: Pace, seconds: i64) -> Vec<f64> {
        let mut random = Unguessable::new(7);
        let mut times = Vec::new();
        for millis in 0..seconds * 1000 {
            let now = LocalTime::from_ticks(millis * 10_000);
            if schedule.is_due(now) {
                schedule.sent(now, pace, &mut random);
                if pace.answered {
                    schedule.note_message();
                }
                times.push(now.as_secs_f64());
            }
        }
        times
    }

    #[test]
    fn a_burst_is_followed_by_growing_intervals() {
        let times = times(&mut Schedule::new(&Config::default()), SETTLED, 600);
        assert_eq!(times[0], 0.0);
        assert!(times[9] < 0.45, "the burst took {} s", times[9]);
        let late: Vec<f64> = times.iter().copied().filter(|&at| at > 100.0).collect();
        let mean = (late[late.len() - 1] - late[0]) / (late.len() - 1) as f64;
        assert!((3.7..4.3).contains(&mean), "{mean} s between requests");
    }

    #[test]
    fn a_burst_is_extended_above_the_target_or_with_a_known_rate() {
        let early = |pace| times(&mut Schedule::new(&Config::default()), pace, 1).len();
        let (good, bad) = (early(UNKNOWN), early(Pace { above_target: true, ..UNKNOWN }));
        assert!((13..18).contains(&good) && bad >= 40, "{good} and {bad} in a second");
        assert!(early(SETTLED) >= 40, "{} of a known rate", early(SETTLED));
        let beside_a_link = early(Pace { second: Some(Span::from_secs(8)), ..SETTLED });
        assert!(beside_a_link < 28, "{beside_a_link}");
    }

    #[test]
    fn the_remaining_budget_is_spread_with_growing_intervals() {
        let times = times(&mut Schedule::new(&Config::default()), UNKNOWN, 30);
        let within = |from: f64, to: f64| times.iter().filter(|&&at| (from..to).contains(&at)).count();
        assert!((58..=64).contains(&times.len()), "{} in all", times.len());
        // In these two periods, an even spread would send 5 and 17 requests, and an exponential back-off
        // about 18 and 12.
        let (early, late) = (within(0.5, 3.5), within(20.0, 30.0));
        assert!((11..18).contains(&early) && (6..12).contains(&late), "{early} and {late}");
    }

    #[test]
    fn the_first_half_minute_keeps_its_budget() {
        for above_target in [false, true] {
            for burst_count in [2, 10] {
                let config = Config { burst_count, ..Config::default() };
                let unknown = Pace { above_target, ..UNKNOWN };
                let sent = times(&mut Schedule::new(&config), unknown, 30).len();
                assert!((55..=64).contains(&sent), "{sent} after a burst of {burst_count}");
            }
        }
    }

    #[test]
    fn a_link_keeps_the_budget_and_slows_down_after_a_minute() {
        let mut schedule =
            Schedule::new(&Config { steady_interval: Span::from_secs(5), ..Config::default() });
        schedule.learn();
        let times = times(&mut schedule, SETTLED, 900);
        let count = |from: f64, to: f64| times.iter().filter(|&&at| (from..to).contains(&at)).count();
        let (first, learning, rest) = (count(0.0, 30.0), count(30.0, 95.0), count(125.0, 900.0));
        assert!(first <= 64 && (190..225).contains(&learning), "{first} and {learning}");
        assert!((148..162).contains(&rest), "one request in 5 s at the end: {rest}");
    }

    #[test]
    fn an_unknown_rate_or_silence_shortens_the_interval() {
        let count = |pace| times(&mut Schedule::new(&Config::default()), pace, 600).len();
        let settled = count(SETTLED);
        let (unknown, silent) = (count(UNKNOWN), count(Pace { answered: false, ..SETTLED }));
        for more in [unknown, silent] {
            assert!((3 * settled / 2..=2 * settled).contains(&more), "{settled}, and {unknown} or {silent}");
        }
    }

    #[test]
    fn a_silent_server_receives_a_request_per_second() {
        let frequent = Span::from_micros(62_500);
        for steady_interval in [frequent, Config::default().steady_interval] {
            let mut schedule = Schedule::new(&Config { steady_interval, ..Config::default() });
            let sent = times(&mut schedule, Pace { answered: false, ..UNKNOWN }, 60);
            let late = sent.iter().filter(|&&at| at >= 10.0).count();
            assert!((45..=55).contains(&late) && sent.len() <= 120, "{late} of {}", sent.len());
            assert!(schedule.note_message() && !schedule.note_message(), "only the first one");
        }
    }

    #[test]
    fn a_good_link_reduces_messages_to_a_minimum() {
        let count = |pace| times(&mut Schedule::new(&Config::default()), pace, 6_000).len() as f64;
        let unknown_rate = Pace { sigma_rate: 25e-6, second: Some(Span::from_secs(8)), ..SETTLED };
        let share = count(unknown_rate) / count(SETTLED);
        assert!((0.45..0.55).contains(&share), "{share}");
    }

    #[test]
    fn requests_in_flight_fit_into_the_list_of_outstanding_ones() {
        let config = Config { burst_interval: Span::from_millis(1), burst_count: 64, ..Config::default() };
        let config = Config { steady_interval: Span::from_millis(50), ..config };
        for seconds in [2, 5, 60] {
            let pace = Pace { round_trip: Span::from_secs(seconds), above_target: true, ..SETTLED };
            let times = times(&mut Schedule::new(&config), pace, 200);
            let in_flight =
                |at: f64| times.iter().filter(|it| (at..at + seconds as f64).contains(it)).count();
            let most = times.iter().map(|&at| in_flight(at)).max().unwrap_or(0);
            assert!(most <= OUTSTANDING, "{most} within {seconds} s");
        }
    }

    #[test]
    fn intervals_are_random() {
        let times = times(&mut Schedule::new(&Config::default()), SETTLED, 4000);
        let late: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).skip(100).collect();
        let (least, most) = late.iter().fold((f64::MAX, 0.0), |(a, b): (f64, f64), &x| (a.min(x), b.max(x)));
        assert!(least < 3.0 && most > 5.0, "{least}..{most}");
    }
}
