//! Determines how far ahead of the server to predict, and how far in the past to show other players.
//!
//! Messages take time until the server handles them, and states take time until the client can show them.
//! Both times are quantiles of measured delays. The caller chooses the quantile.
//!
//! Delays are measured between the server's clock and the shown clock **without its corrections**. The
//! unknown offset between the two clocks cancels out, so both results depend only on the network.
//!
//! Half the round trip is not enough, because it ignores jitter, frame times and asymmetric delays.

use std::collections::VecDeque;

use super::arbitrate::instant;
use super::delays::{Delays, Foreseen};
use super::error::OrderError;
use super::rewind::LONGEST;
use crate::clock::for_parts::memory;
use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, CreateError, Direction, LocalTime, Reading, ServerTime, Span};
use crate::game::serial::comes_after;

/// The fractional part of the golden ratio, whose multiples modulo 1 are evenly spread.
const EVENLY: f64 = 0.618_033_988_749_894_9;
/// Number of sent messages to remember. At 60 messages per second, this covers four seconds, so it outlasts
/// most stalls.
const DEPARTURES: usize = 256;
/// No two clocks drift apart by more than 1/100 of the elapsed time, so a larger change of the offset is a
/// correction. Corrections below 1 ms are spread over 100 ms. They go unnoticed, but are too small to matter.
const CORRECTED: u64 = 100;

/// The settings for a [`Lead`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeadConfig {
    /// The fraction of messages that should arrive on time. The maximum is 0.99 because only 256 delays are
    /// stored. (0.5..=0.99, default 0.95)
    pub quantile: f64,
    /// The server's frame period if the server timestamps messages on arrival, or zero if it timestamps them
    /// when it handles them. (0..=1 s, default 0)
    pub server_frame: Span,
}

impl Default for LeadConfig {
    fn default() -> Self {
        LeadConfig { quantile: 0.95, server_frame: Span::ZERO }
    }
}

impl LeadConfig {
    fn validate(&self) -> Result<(), ConfigError> {
        number("quantile", self.quantile, 0.5, 0.99, "of messages")?;
        span("server_frame", self.server_frame, Span::ZERO, Span::from_secs(1))
    }
}

/// Learns message delays and suggests how far ahead to predict. A lead allocates 21 KB when it is created,
/// and nothing afterwards.
///
/// ```
/// use netclock::order::{Lead, LeadConfig};
/// use netclock::{Client, Config, ServerTime, monotonic_now};
///
/// # let client = Client::new(Config::default(), 7)?;
/// let mut lead = Lead::new(LeadConfig::default())?;
/// let now = monotonic_now();
/// let reading = client.read(now);
/// lead.note_sent(7, now, &reading)?; // the input of tick 7 is sent
/// lead.note_arrived(7, ServerTime::from_ticks(300_000))?; // the server reports when it arrived
/// lead.note_received(ServerTime::from_ticks(0), now, &reading)?; // a state with the server's timestamp
/// println!("predict for {:?}, show others of {:?}", lead.handled_by(now), lead.showable(now));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lead {
    config: LeadConfig,
    epoch: Option<u32>,
    own: Own,
    /// The messages sent in epoch `departing`, oldest first.
    departures: VecDeque<Departure>,
    departing: u32,
    newest: Option<u64>,
    to_server: Delays,
    to_client: Delays,
    /// How long we assume that the last message waited to be handled, as a fraction of a frame.
    phase: f64,
}

#[derive(Clone, Copy, Debug)]
struct Departure {
    message: u64,
    /// The time of departure in ticks of the [`Own`] clock.
    at: i64,
    foreseen: Option<Foreseen>,
}

#[derive(Clone, Debug, Default)]
struct Own {
    ahead: i64,
    at: i64,
    shown_ahead: i64,
}

impl Own {
    fn read(&self, at: LocalTime) -> i64 {
        at.ticks().saturating_add(self.ahead)
    }

    fn follow(&mut self, at: LocalTime, shown: ServerTime) {
        let (at, shown_ahead) = (at.ticks(), shown.ticks() - at.ticks());
        let moved = shown_ahead.saturating_sub(self.shown_ahead);
        if moved.unsigned_abs() <= at.abs_diff(self.at) / CORRECTED {
            self.ahead = self.ahead.saturating_add(moved);
        }
        (self.at, self.shown_ahead) = (at, shown_ahead);
    }
}

impl Lead {
    /// Creates an empty lead.
    ///
    /// # Errors
    /// Fails if a field of `config` is out of range, or there is not enough memory.
    pub fn new(config: LeadConfig) -> Result<Self, CreateError> {
        config.validate()?;
        Ok(Lead {
            config,
            epoch: None,
            own: Own::default(),
            departures: memory::list(DEPARTURES)?.into(),
            departing: 0,
            newest: None,
            to_server: Delays::new(config.quantile)?,
            to_client: Delays::new(config.quantile)?,
            phase: 0.0,
        })
    }

    /// Records that a message is sent to the server at `at`, when the clock reads `reading`. The game numbers
    /// its messages, for example with the tick of the input. Consecutive calls with the same number count
    /// once, so you may call this each time a message is resent. The lead remembers the latest 256 messages
    /// that have not been reported as arrived.
    ///
    /// # Errors
    /// Fails if a time is outside the valid range.
    pub fn note_sent(&mut self, message: u64, at: LocalTime, reading: &Reading) -> Result<(), OrderError> {
        check(at, reading)?;
        if self.departing != reading.epoch {
            self.departures.clear();
            self.departing = reading.epoch;
        } else if self.newest == Some(message) {
            return Ok(());
        }
        self.own.follow(at, reading.server_time);
        self.newest = Some(message);
        if self.departures.len() == DEPARTURES {
            self.departures.pop_front();
        }
        let foreseen = self.to_server.foreseen().filter(|_| self.epoch == Some(reading.epoch));
        self.departures.push_back(Departure { message, at: self.own.read(at), foreseen });
        Ok(())
    }

    /// Records that, according to the server, a message arrived at `at`. Do not call this for lost messages.
    /// You need not report every arrival, but more reports improve the quantile. Returns false if the arrival
    /// was already reported, the message is no longer remembered, or its epoch has ended.
    ///
    /// # Errors
    /// Fails if a time is out of range, or if the delay differs from the current allowance by more than 60 s.
    pub fn note_arrived(&mut self, message: u64, at: ServerTime) -> Result<bool, OrderError> {
        instant("at", at)?;
        let Some(index) = self.departures.iter().rposition(|left| left.message == message) else {
            return Ok(false);
        };
        let Departure { at: left, foreseen, .. } = self.departures[index];
        let is_used = self.learn(Direction::ToServer, self.departing, [left, at.ticks()], foreseen)?;
        self.departures.remove(index);
        Ok(is_used)
    }

    /// Records that a state or clock reply with the server timestamp `sent` arrives at `at`, when the clock
    /// reads `reading`. Returns false if the message was not used because its epoch has ended.
    ///
    /// # Errors
    /// Fails if a time is out of range, or if the delay differs from the current allowance by more than 60 s.
    pub fn note_received(
        &mut self,
        sent: ServerTime,
        at: LocalTime,
        reading: &Reading,
    ) -> Result<bool, OrderError> {
        instant("sent", sent)?;
        check(at, reading)?;
        let mut own = self.own.clone();
        own.follow(at, reading.server_time);
        let foreseen = self.to_client.foreseen().filter(|_| self.epoch == Some(reading.epoch));
        let is_used =
            self.learn(Direction::ToClient, reading.epoch, [sent.ticks(), own.read(at)], foreseen)?;
        if is_used {
            self.own = own;
        }
        Ok(is_used)
    }

    /// Resets the delays if `epoch` is new. `sent` and `arrived` are in ticks, one on the server's clock and
    /// the other on the [`Own`] clock.
    fn learn(
        &mut self,
        direction: Direction,
        epoch: u32,
        [sent, arrived]: [i64; 2],
        foreseen: Option<Foreseen>,
    ) -> Result<bool, OrderError> {
        if self.epoch != Some(epoch) {
            if self.epoch.is_some_and(|known| comes_after(known, epoch)) {
                return Ok(false);
            }
            self.to_server.forget();
            self.to_client.forget();
            self.epoch = Some(epoch);
        }
        let (delays, frame) = match direction {
            Direction::ToServer => (&mut self.to_server, self.config.server_frame),
            Direction::ToClient => (&mut self.to_client, Span::ZERO),
        };
        let delay = arrived.saturating_sub(sent);
        if let Some(known) = delays.allowance() {
            span("delay", Span::from_ticks(delay) - known, -LONGEST, LONGEST)?;
        }
        // A message waits up to one frame before it is handled, so spread the assumed waits evenly over the
        // frame.
        self.phase = (self.phase + EVENLY).fract();
        let wait = (frame.ticks() as f64 * self.phase) as i64;
        delays.add(arrived, delay.saturating_add(wait), foreseen);
        Ok(true)
    }

    /// Returns the server time for which to predict, or `None` until the first arrival is reported. With the
    /// configured probability, the server will have handled a message sent at `at` by the returned time.
    pub fn handled_by(&self, at: LocalTime) -> Option<ServerTime> {
        self.to_server.allowance().map(|delay| ServerTime::from_ticks(self.own.read(at)) + delay)
    }

    /// Returns the server time at which to show other players at local time `at`, or `None` before the first
    /// server message. With the configured probability, the server's state of that time has arrived at `at`.
    /// To interpolate between two states, subtract the interval between them.
    pub fn showable(&self, at: LocalTime) -> Option<ServerTime> {
        let behind = self.to_client.allowance()?;
        Some(ServerTime::from_ticks(self.own.read(at)) - behind)
    }
}

fn check(at: LocalTime, reading: &Reading) -> Result<(), OrderError> {
    instant("at", at)?;
    instant("reading.server_time", reading.server_time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{MAX_INSTANT_TICKS, State, Time};

    const MS: i64 = 10_000;

    fn at<S>(ticks: i64) -> Time<S> {
        Time::from_ticks(ticks)
    }

    fn lead(config: LeadConfig) -> Lead {
        Lead::new(config).expect("good settings")
    }

    fn reading(epoch: u32, shown: i64) -> Reading {
        Reading {
            server_time: at(shown),
            error_bound: Span::ZERO,
            expected_error: Span::ZERO,
            round_trip: Span::ZERO,
            frequency_ppm: 0.0,
            state: State::Synced,
            epoch,
            server_epoch: 0,
        }
    }

    fn note(lead: &mut Lead, epoch: u32, sent: LocalTime, arrived: ServerTime) -> Result<bool, OrderError> {
        let message = lead.newest.map_or(0, |newest| newest + 1);
        lead.note_sent(message, sent, &reading(epoch, 0))?;
        lead.note_arrived(message, arrived)
    }

    #[test]
    fn returns_none_before_the_first_message() {
        let mut lead = lead(LeadConfig::default());
        assert_eq!((lead.handled_by(at(0)), lead.showable(at(0))), (None, None));
        assert_eq!(note(&mut lead, 1, at(0), at(30 * MS)), Ok(true));
        assert_eq!((lead.handled_by(at(5 * MS)), lead.showable(at(0))), (Some(at(35 * MS)), None));
        assert_eq!(lead.note_received(at(0), at(20 * MS), &reading(1, 0)), Ok(true));
        assert_eq!(lead.showable(at(25 * MS)), Some(at(5 * MS)));
    }

    /// The client's clock started 20 minutes before the server's clock and runs at a different rate. Halfway
    /// through, the shown clock corrects an error of 80 ms within two seconds.
    #[test]
    fn offset_rate_and_correction_cancel_out() {
        let offset = 1_200_000 * MS;
        for ppm in [-100.0, 0.0, 100.0] {
            let lead = &mut lead(LeadConfig::default());
            let (mut in_time, mut judged, mut ahead) = (0, 0, 0.0);
            for index in 0..6_000 {
                let (sent, delay) = (index * 33 * MS, 25 * MS + index * 7919 % 97 * MS / 10);
                let there: ServerTime = at(sent + (sent as f64 * ppm * 1e-6) as i64);
                let (here, arrived) = (at(sent + offset), there + Span::from_ticks(delay));
                if index > 1_000 {
                    let handled = lead.handled_by(here).expect("known");
                    (judged, in_time) = (judged + 1, in_time + i32::from(arrived <= handled));
                    ahead += (handled - there).as_millis_f64();
                }
                let shown = there.ticks() + (3_060 - index).clamp(0, 60) * 80 * MS / 60;
                lead.note_sent(index as u64, here, &reading(1, shown)).expect("good stamps");
                lead.note_arrived(index as u64, arrived).expect("good stamps");
            }
            let (share, ahead) = (f64::from(in_time) / f64::from(judged), ahead / f64::from(judged));
            assert!((0.94..0.98).contains(&share), "{ppm}: {share}");
            assert!((ahead - 34.2).abs() < 0.3, "{ppm}: {ahead}");
        }
    }

    #[test]
    fn a_new_epoch_resets_the_lead_and_ends_the_old_one() {
        let mut lead = lead(LeadConfig::default());
        let mut note = |epoch, ms| note(&mut lead, epoch, at(0), at(ms * MS));
        assert_eq!(note(u32::MAX, 900), Ok(true));
        assert_eq!(note(0, 30), Ok(true));
        assert_eq!(note(u32::MAX, 900), Ok(false));
        assert_eq!(lead.handled_by(at(0)), Some(at(30 * MS)));
        assert_eq!(lead.showable(at(0)), None);
    }

    #[test]
    fn a_remembered_message_counts_once_from_its_first_departure() {
        let mut lead = lead(LeadConfig::default());
        for ms in [0, 16, 33] {
            assert_eq!(lead.note_sent(7, at(ms * MS), &reading(1, 0)), Ok(()));
        }
        assert_eq!(lead.note_arrived(8, at(40 * MS)), Ok(false));
        assert_eq!(lead.note_arrived(7, at(40 * MS)), Ok(true));
        assert_eq!(lead.note_arrived(7, at(90 * MS)), Ok(false));
        assert_eq!(lead.handled_by(at(0)), Some(at(40 * MS)));
        for message in 100..=100 + DEPARTURES as u64 {
            assert_eq!(lead.note_sent(message, at(100 * MS), &reading(1, 0)), Ok(()));
        }
        assert_eq!(lead.note_arrived(100, at(140 * MS)), Ok(false));
        assert!(lead.note_arrived(101, at(140 * MS) + LONGEST + Span::from_millis(1)).is_err());
        assert_eq!(lead.note_arrived(101, at(140 * MS)), Ok(true));
    }

    #[test]
    fn invalid_values_are_rejected_and_change_nothing() {
        let mut lead = lead(LeadConfig::default());
        note(&mut lead, 1, at(0), at(MS)).expect("good stamps");
        let far = MAX_INSTANT_TICKS;
        let minute = 600_000_000;
        for (sent, arrived) in [(far + 1, 0), (0, -far - 1), (i64::MIN, i64::MAX), (0, minute + 2 * MS)] {
            assert!(note(&mut lead, 1, at(sent), at(arrived)).is_err());
        }
        lead.note_received(at(0), at(MS), &reading(1, 0)).expect("good stamps");
        for (sent, arrived) in [(far + 1, 0), (0, -far - 1), (0, -minute), (far, -far)] {
            assert!(lead.note_received(at(sent), at(arrived), &reading(1, 0)).is_err());
        }
        for shown in [far + 1, -far - 1, i64::MIN] {
            assert!(lead.note_sent(99, at(0), &reading(1, shown)).is_err());
            assert!(lead.note_received(at(0), at(MS), &reading(1, shown)).is_err());
        }
        assert_eq!((lead.handled_by(at(0)), lead.showable(at(MS))), (Some(at(MS)), Some(at(0))));
    }
}
