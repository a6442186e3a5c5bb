//! Computes the delays of a path in both directions from a client's exchanges.
//!
//! If the shown clock's offset is `o` when an exchange arrives, the request took `t1 - t0 - o` and the reply
//! took `t3 - t2 + o`. Raw timestamps are not enough, because clocks that differ by 100 ppm drift apart by 6
//! ms per minute. The client estimates rate and offset more accurately than this module could.
//!
//! When the clock is corrected, the delays of the two directions seem to change by equal and opposite
//! amounts. Such opposite shifts are not reported, because the round trip stays the same. Two simultaneous
//! route changes of equal size and opposite sign look exactly the same.

use super::evidence::BETS_MADE;
use super::level::{CAPACITY, Delays, NEWEST, News, PAST, Shift, median};
use super::speed::{Speed, SpeedPlan};
use crate::clock::for_parts::range;
use crate::clock::{Client, ConfigError, Direction, Exchange, LocalTime, ServerTime, Span};
use crate::game::serial::comes_after;

/// Exchanges within this time of the last one are ignored, because they pass through the same queues.
const SPACING: Span = Span::from_millis(125);
/// Intermittent queues last for seconds, so a restless path needs a longer spacing.
const SPACING_OF_RESTLESS: Span = Span::from_millis(500);
/// Minimum interval between stored past delays. The interval is shorter than a second, because a client that
/// sends one request per second varies the interval.
const REMEMBERED: Span = Span::from_millis(800);
const PAST_SPAN: Span = Span::from_ticks(PAST as i64 * REMEMBERED.ticks());
const LONGEST: Span = Span::from_secs(60);
/// Intervals between exchanges are clamped to this, so that a pause does not distort the mean.
const LONGEST_INTERVAL: Span = Span::from_secs(60);
const INTERVALS: f64 = 32.0;

/// The caller may pass an exchange this long after it arrived, for example because of a long frame.
const LATE: Span = Span::from_secs(1);

/// A path with three changes within this time is restless. The probable cause is intermittent queues, because
/// a moving player is unlikely to cause so many changes.
const SHORT: Span = Span::from_secs(90);
/// How long a path counts as restless. Once the queues are gone, this status has little effect after a few
/// minutes.
const RESTLESS: Span = Span::from_secs(3 * 3_600);

const SECONDS_PER_HOUR: f64 = 3600.0;

/// Mean time between false reports on an unchanging path. The latency of satellite and cellular paths changes
/// within minutes, so most of their reported changes are short-lived.
const HOURS_PER_FALSE_ALARM: f64 = 100.0;

const DIRECTIONS: [Direction; 2] = [Direction::ToServer, Direction::ToClient];

/// A lasting change in the delay of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencyChange {
    /// The direction in which the delay changed.
    pub direction: Direction,
    /// Typical (median) delay before the change.
    pub before: Span,
    /// Typical (median) delay after the change.
    pub after: Span,
    /// Arrival time of the first exchange that shows the change.
    pub since: LocalTime,
    /// Arrival time of the exchange at which the change was detected.
    pub found: LocalTime,
    /// One minus the expected number of false reports per hour that have equally strong evidence, at the
    /// current rate of exchanges. (0 to 1)
    pub confidence: f64,
}

/// Watches the latency of one path. The watch has a fixed size of 1.4 KB and does not allocate.
///
/// ```
/// use netclock::latency::LatencyWatch;
/// use netclock::{Client, Config, LocalTime};
///
/// let client = Client::new(Config::default(), 7)?;
/// let mut watch = LatencyWatch::new(LatencyWatch::LEAST_CHANGE)?;
/// watch.follow(&client); // after each reply
/// while let Some(change) = watch.next_change() {
///     println!("{:?}: {} instead of {}", change.direction, change.after, change.before);
/// }
/// assert_eq!(watch.speed(LocalTime::from_ticks(0)).scale, 1.0); // in every frame
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LatencyWatch {
    /// The delays in each direction, in the order of [`DIRECTIONS`].
    delays: [Delays; 2],
    intervals: [Span; NEWEST],
    len: u8,
    unremembered: Span,
    /// True once a change has been hidden. Afterwards, refinements of the levels are hidden too. Otherwise,
    /// clock corrections that move delay between the directions would not cancel out.
    is_hidden: bool,
    changes: [Option<LatencyChange>; 2],
    changed: [Option<LocalTime>; 2],
    restless_until: Option<LocalTime>,
    epoch: Option<u32>,
    counted: Option<LocalTime>,
    /// Arrival and send time of the last exchange.
    newest: Option<(LocalTime, LocalTime)>,
    interval_s: f64,
    least: i32,
    plan: SpeedPlan,
    /// The latest time passed to [`speed`](Self::speed). Playback speeds up to this time must no longer
    /// change.
    asked: Option<LocalTime>,
}

impl LatencyWatch {
    /// The default for the smallest change to report.
    pub const LEAST_CHANGE: Span = Span::from_millis(10);

    /// Creates an empty watch that reports changes of at least `least_change`. (1 ms to 1 s)
    ///
    /// # Errors
    /// Fails if `least_change` is out of range.
    pub fn new(least_change: Span) -> Result<Self, ConfigError> {
        range::span("least_latency_change", least_change, Span::from_millis(1), Span::from_secs(1))?;
        Ok(LatencyWatch {
            delays: [Delays::EMPTY; 2],
            intervals: [Span::ZERO; NEWEST],
            len: 0,
            unremembered: Span::ZERO,
            is_hidden: false,
            changes: [None; 2],
            changed: [None; 2],
            restless_until: None,
            epoch: None,
            counted: None,
            newest: None,
            interval_s: 1.0,
            least: least_change.ticks() as i32,
            plan: SpeedPlan::NONE,
            asked: None,
        })
    }

    /// Updates the watch with the most recent exchange that `client` accepted. Call this after each reply.
    /// Extra calls are harmless, but each skipped call may lose an exchange. A new
    /// [epoch](crate::Reading::epoch) resets the watch.
    ///
    /// The watch ignores delays above 60 s, and exchanges from an earlier epoch or out of order. It also
    /// ignores exchanges within 125 ms of the last one that it used (500 ms on a restless path).
    pub fn follow(&mut self, client: &Client) {
        if let Some((exchange, shown, epoch)) = Self::newest(client) {
            self.learn(&exchange, shown, epoch);
        }
    }

    /// Returns the most recent exchange if the client accepted it, with the server time and epoch that the
    /// client showed when the reply arrived.
    pub(crate) fn newest(client: &Client) -> Option<(Exchange, ServerTime, u32)> {
        let exchange = client.last_sample().filter(|sample| sample.outcome.is_ok())?.exchange()?;
        let reading = client.read(exchange.client_received);
        Some((exchange, reading.server_time, reading.epoch))
    }

    /// `shown` is the server time that the clock showed, or would have shown, when the exchange arrived.
    fn learn(&mut self, exchange: &Exchange, shown: ServerTime, epoch: u32) {
        let (sent, arrived) = (exchange.client_sent, exchange.client_received);
        let valid = sent.is_valid()
            && arrived.is_valid()
            && [exchange.server_received, exchange.server_sent, shown].iter().all(|time| time.is_valid());
        if !valid {
            return;
        }
        // The difference of two valid instants cannot overflow, but the difference of two offsets can.
        let offset = shown.ticks() - arrived.ticks();
        let delays = [exchange.upper().saturating_sub(offset), offset.saturating_sub(exchange.lower())];
        if delays.iter().any(|&delay| Span::from_ticks(delay).abs() > LONGEST) {
            return;
        }
        if self.epoch != Some(epoch) {
            if self.epoch.is_some_and(|known| comes_after(known, epoch)) {
                return;
            }
            // Keep the speed plan, which may still be hiding earlier changes.
            (self.delays, self.len, self.unremembered) = ([Delays::EMPTY; 2], 0, Span::ZERO);
            (self.changed, self.restless_until, self.is_hidden) = ([None; 2], None, false);
            (self.epoch, self.counted) = (Some(epoch), None);
        } else if self.newest.is_some_and(|newest| newest == (arrived, sent) || arrived < newest.0) {
            return;
        }
        self.newest = Some((arrived, sent));
        let spacing = if self.is_restless(arrived) { SPACING_OF_RESTLESS } else { SPACING };
        if self.counted.is_some_and(|counted| arrived - counted < spacing) {
            return;
        }
        let remembers = self.count(arrived);
        self.judge(delays.map(|delay| delay as i32), remembers, arrived);
    }

    /// Removes and returns a detected change. Two changes in the same direction are merged.
    pub fn next_change(&mut self) -> Option<LatencyChange> {
        self.changes.iter_mut().find_map(Option::take)
    }

    /// Returns the speed at which the local avatar should play at `now`. Later exchanges do not change a
    /// speed that was already queried.
    pub fn speed(&mut self, now: LocalTime) -> Speed {
        if now.is_valid() && self.asked.is_none_or(|asked| asked < now) {
            self.asked = Some(now);
        }
        self.plan.at(now)
    }

    fn count(&mut self, arrived: LocalTime) -> bool {
        let since = self.counted.replace(arrived).map(|counted| (arrived - counted).min(LONGEST_INTERVAL));
        if let Some(since) = since {
            self.interval_s += (since.as_secs_f64() - self.interval_s) / INTERVALS;
        }
        let is_full = usize::from(self.len) == NEWEST;
        if is_full {
            self.unremembered = self.unremembered + self.intervals[0];
            self.intervals.copy_within(1.., 0);
        } else {
            self.len += 1;
        }
        self.intervals[usize::from(self.len) - 1] = since.unwrap_or(Span::ZERO);
        let remembers = is_full && self.unremembered >= REMEMBERED;
        if remembers {
            self.unremembered = Span::ZERO;
        }
        remembers
    }

    fn bets_per_hour(&self) -> f64 {
        BETS_MADE * SECONDS_PER_HOUR / self.interval_s.max(SPACING.as_secs_f64())
    }

    fn is_restless(&self, now: LocalTime) -> bool {
        self.restless_until.is_some_and(|until| now < until)
    }

    fn judge(&mut self, delays: [i32; 2], remembers: bool, arrived: LocalTime) {
        let threshold = (self.bets_per_hour() * HOURS_PER_FALSE_ALARM).ln() as f32;
        let is_restless = self.is_restless(arrived);
        let news = [0, 1]
            .map(|way| self.delays[way].add(delays[way], remembers, self.least, threshold, is_restless));
        for news in &news {
            if let (&News::Settled(by), true) = (news, self.is_hidden) {
                self.hide(by, arrived);
            }
        }
        for (way, news) in news.into_iter().enumerate() {
            if let News::Shifted(shift) = news {
                let other = self.delays[1 - way].departure(shift.run);
                let round_trip = match shift.run {
                    0 => shift.by.saturating_add(other),
                    run => round_trip_change(&self.delays, run),
                };
                if round_trip.unsigned_abs() < shift.by.unsigned_abs() / 2 {
                    self.delays[way].move_on(shift.by, shift.run);
                    self.delays[1 - way].move_on(other, shift.run);
                    // Either direction may have caused the remaining change, so assign half to each.
                    let half = shift.by.saturating_add(other) / 2;
                    if self.is_hidden {
                        self.hide(half, arrived);
                        self.hide(half, arrived);
                    }
                    return;
                }
            }
        }
        for (way, news) in news.into_iter().enumerate() {
            if let News::Shifted(shift) = news {
                let [last, before_last] = self.changed;
                if before_last.is_some_and(|before| arrived - before < SHORT) {
                    self.restless_until = Some(arrived + RESTLESS);
                }
                self.changed = [Some(arrived), last];
                self.report(way, &shift, arrived);
                self.delays[way].move_on(shift.by, shift.run);
                self.hide(shift.by, arrived);
                self.is_hidden = true;
            }
        }
    }

    fn report(&mut self, way: usize, shift: &Shift, arrived: LocalTime) {
        let len = usize::from(self.len);
        let newest = &self.intervals[len - shift.run.min(len)..len];
        let ago = match shift.run {
            0 => PAST_SPAN.max(Span::from_secs_f64(PAST as f64 * self.interval_s)),
            _ => newest.iter().skip(1).fold(Span::ZERO, |sum, &interval| sum + interval),
        };
        let before = Span::from_ticks(i64::from(self.delays[way].level));
        let expected = self.bets_per_hour() * f64::from(-shift.evidence).exp();
        let change = LatencyChange {
            direction: DIRECTIONS[way],
            before,
            after: before + Span::from_ticks(i64::from(shift.by)),
            since: arrived - ago,
            found: arrived,
            confidence: (1.0 - expected).max(0.0),
        };
        self.changes[way] = Some(match self.changes[way] {
            Some(untaken) => LatencyChange { before: untaken.before, since: untaken.since, ..change },
            None => change,
        });
    }

    fn hide(&mut self, by: i32, arrived: LocalTime) {
        if by != 0 {
            let asked = self.asked.filter(|&asked| asked > arrived && asked - arrived < LATE);
            self.plan.add(Span::from_ticks(-i64::from(by)), asked.unwrap_or(arrived));
        }
    }
}

/// Returns the median of the last `run` round trips minus the median of all others, in ticks. Round trips do
/// not depend on the clock's offset.
fn round_trip_change(delays: &[Delays; 2], run: usize) -> i32 {
    let [[up_past, up_newest], [down_past, down_newest]] = [delays[0].all(), delays[1].all()];
    let (mut trips, mut count) = ([0; CAPACITY], 0);
    for (up, down) in up_past.iter().chain(up_newest).zip(down_past.iter().chain(down_newest)) {
        trips[count] = up.saturating_add(*down);
        count += 1;
    }
    let (others, newest) = trips[..count].split_at(count - run.min(count));
    median([&[], newest]).saturating_sub(median([&[], others]))
}

#[cfg(test)]
mod tests;
