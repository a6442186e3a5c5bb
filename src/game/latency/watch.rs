//! Both directions of a path, observed through the exchanges of its clock.
//!
//! Let `o` be the offset of the shown clock when an exchange arrives. Then the request took `t1 - t0 - o` and
//! the reply `t3 - t2 + o`. Raw timestamps would also require the clock's rate, because at 100 ppm a level
//! creeps by 6 ms a minute. The clock knows rate and offset better than they could be estimated here again.
//!
//! But when the clock corrects itself, one direction gains what the other loses. The round trip does not
//! contain the offset and stays the same. The watch silently accepts such a shift. It cannot be distinguished
//! from two routes that change simultaneously by the same amount in opposite directions.

use super::config::{Hide, LatencyConfig};
use super::error::LatencyError;
use super::evidence::BETS_MADE;
use super::level::{CAPACITY, Delays, NEWEST, News, PAST, Shift, median};
use super::report::{LatencyChange, LatencyLevel, LatencyUpdate};
use super::speed::{Speed, SpeedPlan};
use crate::clock::{Client, ConfigError, Direction, Exchange, LocalTime, ServerTime, Span};
use crate::game::serial::comes_after;

/// Time between used exchanges (ticks; 125 ms). Exchanges closer together meet the same queues.
const SPACING: i64 = 1_250_000;
/// The same for paths with intermittent queues, which last for seconds (ticks; 500 ms).
const SPACING_OF_RESTLESS: i64 = 5_000_000;
/// Time between delays that are stored for a minute (ms), for clocks with shorter intervals. It is slightly
/// less than a second, because intervals of a second vary.
const REMEMBERED_MS: u32 = 800;
/// The shortest time that the past delays cover.
const PAST_MS: u32 = PAST as u32 * REMEMBERED_MS;
/// Longest delay of a direction, with either sign.
const LONGEST: Span = Span::from_secs(60);
/// Longest stored interval between two exchanges (ms).
const LONGEST_INTERVAL_MS: i64 = u16::MAX as i64;
/// Number of exchanges to average their interval over.
const INTERVALS: f64 = 32.0;

/// Longest time from the arrival of an exchange until it is passed to the watch: a frame, or a hitch.
const LATE: Span = Span::from_secs(1);

/// A path is restless if three changes occur within this time, which indicates intermittent queues. A moving
/// player may cause fewer.
const SHORT: Span = Span::from_secs(90);
/// It stays restless for this long. The effect on a path that has become calm fades in minutes.
const RESTLESS: Span = Span::from_secs(3 * 3_600);

const TICKS_PER_MS: i64 = 10_000;
const SECONDS_PER_HOUR: f64 = 3600.0;

const DIRECTIONS: [Direction; 2] = [Direction::ToServer, Direction::ToClient];

/// Watches the latency of one path. It has a fixed size of 1.2 KB and does not allocate.
///
/// ```
/// use netclock::latency::{LatencyConfig, LatencyWatch};
/// use netclock::{Client, Config, Direction, LocalTime};
///
/// let client = Client::new(Config::default(), 7)?;
/// let mut watch = LatencyWatch::new(&LatencyConfig::default())?;
/// watch.follow(&client)?; // after each reply
/// while let Some(change) = watch.next_change() {
///     println!("{:?}: {} in place of {}", change.direction, change.after, change.before);
/// }
/// assert_eq!(watch.level(Direction::ToServer), None); // no reply yet
/// assert_eq!(watch.speed(LocalTime::from_ticks(0)).scale, 1.0); // in every frame
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LatencyWatch {
    /// To the server, to the client.
    delays: [Delays; 2],
    /// Intervals before each of the newest used exchanges (ms).
    intervals_ms: [u16; NEWEST],
    len: u8,
    /// Time since the last stored exchange, among those that are no longer the newest (ms).
    unremembered_ms: u32,
    /// Whether a change was hidden. Then the settling of the levels is hidden as well, in both directions,
    /// because the clock may shift delay from one direction to the other, which has to cancel.
    is_hidden: bool,
    hides: [bool; 2],
    changes: [Option<LatencyChange>; 2],
    /// When the last two changes were found, and the time until which the path is restless.
    changed: [LocalTime; 2],
    restless_until: LocalTime,
    epoch: Option<u32>,
    /// Arrival of the newest used exchange.
    counted: LocalTime,
    /// Arrival and sending of the newest exchange.
    newest: (LocalTime, LocalTime),
    /// Mean time between used exchanges (s).
    interval_s: f64,
    hours: f64,
    least: i32,
    plan: SpeedPlan,
    /// Latest time of a call of [`speed`](Self::speed). Results for earlier times do not change.
    asked: Option<LocalTime>,
}

impl LatencyWatch {
    /// Creates a watch without exchanges.
    ///
    /// # Errors
    /// A setting is out of range.
    pub fn new(config: &LatencyConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        let never = LocalTime::from_ticks(i64::MIN);
        Ok(LatencyWatch {
            delays: [Delays::EMPTY; 2],
            intervals_ms: [0; NEWEST],
            len: 0,
            unremembered_ms: 0,
            is_hidden: false,
            hides: DIRECTIONS.map(|way| config.hide == Hide::RoundTrip || config.hide == Hide::OneWay(way)),
            changes: [None; 2],
            changed: [never; 2],
            restless_until: never,
            epoch: None,
            counted: never,
            newest: (never, never),
            interval_s: 1.0,
            hours: config.hours_per_false_alarm,
            // At most a second.
            least: config.least_change.ticks() as i32,
            plan: SpeedPlan::new(config.max_speed_change, config.ramp),
            asked: None,
        })
    }

    /// Learns from the newest exchange that `client` accepted. Call it after each reply. More calls do no
    /// harm; with fewer the watch misses exchanges.
    ///
    /// # Errors
    /// The errors of [`learn`](Self::learn).
    pub fn follow(&mut self, client: &Client) -> Result<LatencyUpdate, LatencyError> {
        match Self::newest(client) {
            Some((exchange, shown, epoch)) => self.learn(&exchange, shown, epoch),
            None => Ok(LatencyUpdate::Known),
        }
    }

    /// The newest exchange that a client accepted, with the server time and the epoch that it showed, if
    /// there is one.
    pub(crate) fn newest(client: &Client) -> Option<(Exchange, ServerTime, u32)> {
        let exchange = client.last_sample().filter(|sample| sample.outcome.is_ok())?.exchange()?;
        let reading = client.read(exchange.client_received);
        Some((exchange, reading.server_time, reading.epoch))
    }

    /// Learns from an exchange. Call it in order of arrival. `shown` is the server time that the clock
    /// showed, or would have shown, when the exchange arrived. `epoch` is the epoch of the
    /// [reading](crate::Reading::epoch). A new epoch resets the watch.
    ///
    /// # Errors
    /// Timestamps are out of range, delays are above 60 s, or arrivals are out of order.
    pub fn learn(
        &mut self,
        exchange: &Exchange,
        shown: ServerTime,
        epoch: u32,
    ) -> Result<LatencyUpdate, LatencyError> {
        let (sent, arrived) = (exchange.client_sent, exchange.client_received);
        let valid = sent.is_valid()
            && arrived.is_valid()
            && [exchange.server_received, exchange.server_sent, shown].iter().all(|time| time.is_valid());
        if !valid {
            return Err(LatencyError::StampOutOfRange);
        }
        // Offsets are differences of valid instants. The difference of two offsets may overflow.
        let offset = shown.ticks() - arrived.ticks();
        let delays = [exchange.upper().saturating_sub(offset), offset.saturating_sub(exchange.lower())];
        if let Some(&far) = delays.iter().find(|&&delay| Span::from_ticks(delay).abs() > LONGEST) {
            return Err(LatencyError::Implausible(Span::from_ticks(far)));
        }
        let mut learnt = LatencyUpdate::Used;
        if self.epoch != Some(epoch) {
            if self.epoch.is_some_and(|known| comes_after(known, epoch)) {
                return Ok(LatencyUpdate::Outdated);
            }
            if self.epoch.is_some() {
                learnt = LatencyUpdate::Restarted;
            }
            // The speed still hides the earlier changes.
            (self.delays, self.len, self.unremembered_ms) = ([Delays::EMPTY; 2], 0, 0);
            let never = LocalTime::from_ticks(i64::MIN);
            (self.changed, self.restless_until, self.is_hidden) = ([never; 2], never, false);
            self.epoch = Some(epoch);
        } else if self.newest == (arrived, sent) {
            return Ok(LatencyUpdate::Known);
        } else if arrived < self.newest.0 {
            return Err(LatencyError::WentBackwards(self.newest.0 - arrived));
        }
        self.newest = (arrived, sent);
        let spacing = if arrived < self.restless_until { SPACING_OF_RESTLESS } else { SPACING };
        if self.len > 0 && (arrived - self.counted).ticks() < spacing {
            return Ok(LatencyUpdate::Skipped);
        }
        let remembers = self.count(arrived);
        self.judge(delays.map(|delay| delay as i32), remembers, arrived);
        Ok(learnt)
    }

    /// Removes and returns the oldest detected change. Two waiting changes of one direction are merged.
    pub fn next_change(&mut self) -> Option<LatencyChange> {
        self.changes.iter_mut().find_map(Option::take)
    }

    /// The current level of the delays in a direction, or `None` before the first exchange.
    pub fn level(&self, direction: Direction) -> Option<LatencyLevel> {
        let delays = &self.delays[usize::from(direction == Direction::ToClient)];
        let span = |ticks: i32| Span::from_ticks(i64::from(ticks));
        Some(LatencyLevel { typical: span(delays.level()), least: span(delays.least()?) })
    }

    /// The speed at which the local avatar should play. The result for a time does not change later.
    pub fn speed(&mut self, now: LocalTime) -> Speed {
        if now.is_valid() && self.asked.is_none_or(|asked| asked < now) {
            self.asked = Some(now);
        }
        self.plan.at(now)
    }

    /// Counts an exchange. Returns true if the one that has to make room for it is to be stored.
    fn count(&mut self, arrived: LocalTime) -> bool {
        let since_ms = if self.len == 0 { 0 } else { (arrived - self.counted).ticks() / TICKS_PER_MS };
        self.counted = arrived;
        let since_ms = since_ms.min(LONGEST_INTERVAL_MS) as u16;
        if self.len > 0 {
            self.interval_s += (f64::from(since_ms) * 1e-3 - self.interval_s) / INTERVALS;
        }
        let is_full = usize::from(self.len) == NEWEST;
        if is_full {
            self.unremembered_ms = self.unremembered_ms.saturating_add(u32::from(self.intervals_ms[0]));
            self.intervals_ms.copy_within(1.., 0);
        } else {
            self.len += 1;
        }
        self.intervals_ms[usize::from(self.len) - 1] = since_ms;
        let remembers = is_full && self.unremembered_ms >= REMEMBERED_MS;
        if remembers {
            self.unremembered_ms = 0;
        }
        remembers
    }

    /// Bets per hour at the current rate of exchanges.
    fn bets_per_hour(&self) -> f64 {
        BETS_MADE * SECONDS_PER_HOUR / self.interval_s.max(1e-7 * SPACING as f64)
    }

    fn judge(&mut self, delays: [i32; 2], remembers: bool, arrived: LocalTime) {
        let threshold = (self.bets_per_hour() * self.hours).ln() as f32;
        let is_restless = arrived < self.restless_until;
        let news = [0, 1]
            .map(|way| self.delays[way].add(delays[way], remembers, self.least, threshold, is_restless));
        for (way, news) in news.into_iter().enumerate() {
            if let (News::Settled(by), true) = (news, self.is_hidden) {
                self.hide(way, by, arrived);
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
                    // A remaining change of the round trip belongs to neither direction, so each gets half.
                    let half = shift.by.saturating_add(other) / 2;
                    if self.is_hidden {
                        self.hide(0, half, arrived);
                        self.hide(1, half, arrived);
                    }
                    return;
                }
            }
        }
        for (way, news) in news.into_iter().enumerate() {
            if let News::Shifted(shift) = news {
                let [last, before_last] = self.changed;
                if before_last.is_valid() && arrived - before_last < SHORT {
                    self.restless_until = arrived + RESTLESS;
                }
                self.changed = [arrived, last];
                self.report(way, &shift, arrived);
                self.delays[way].move_on(shift.by, shift.run);
                self.hide(way, shift.by, arrived);
                self.is_hidden = true;
            }
        }
    }

    fn report(&mut self, way: usize, shift: &Shift, arrived: LocalTime) {
        let len = usize::from(self.len);
        // The first of them came at the end of its own interval, so that interval does not count.
        let newest = &self.intervals_ms[len - shift.run.min(len)..len];
        let ago_ms: i64 = match shift.run {
            0 => i64::from(PAST_MS).max((1e3 * PAST as f64 * self.interval_s) as i64),
            _ => newest.iter().skip(1).map(|&ms| i64::from(ms)).sum(),
        };
        let before = Span::from_ticks(i64::from(self.delays[way].level()));
        let expected = self.bets_per_hour() * f64::from(-shift.evidence).exp();
        let change = LatencyChange {
            direction: DIRECTIONS[way],
            before,
            after: before + Span::from_ticks(i64::from(shift.by)),
            since: arrived - Span::from_millis(ago_ms),
            found: arrived,
            confidence: (1.0 - expected).max(0.0),
        };
        self.changes[way] = Some(match self.changes[way] {
            Some(untaken) => LatencyChange { before: untaken.before, since: untaken.since, ..change },
            None => change,
        });
    }

    /// Hides a rise of `by` ticks by playing that much less.
    fn hide(&mut self, way: usize, by: i32, arrived: LocalTime) {
        if self.hides[way] && by != 0 {
            let asked = self.asked.filter(|&asked| asked > arrived && asked - arrived < LATE);
            self.plan.add(Span::from_ticks(-i64::from(by)), asked.unwrap_or(arrived));
        }
    }
}

/// The distance of the newest `run` round trips from the others (ticks). They do not depend on the clock.
fn round_trip_change(delays: &[Delays; 2], run: usize) -> i32 {
    let [[up_past, up_newest], [down_past, down_newest]] = [delays[0].all(), delays[1].all()];
    // Both directions have the same exchanges.
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
