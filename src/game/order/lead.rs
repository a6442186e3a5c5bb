//! How far ahead of the server to predict, and how far behind it to show others.
//!
//! A message that leaves now is handled when the server reaches the shown time plus the *lead*. A state that
//! the server sent at `t` can be shown when the client's clock reads `t` plus the *interpolation delay*. Both
//! are quantiles of delays, and the caller chooses the quantile.
//!
//! Delays are differences between the server's clock and **the clock as shown here**. So they contain the
//! clock's own error, which drops out of the result. A clock that is 10 ms ahead sees messages arrive 10 ms
//! earlier, and the lead is 10 ms less. The error needs no allowance. Its changes do, and the quantile sees
//! them as jitter.
//!
//! Half of the round trip would not do: it says nothing of jitter, frames and unequal directions.

use std::collections::VecDeque;

use super::arbitrate::instant;
use super::config::LeadConfig;
use super::delays::Delays;
use super::error::OrderError;
use super::rewind::LONGEST;
use crate::clock::for_parts::memory;
use crate::clock::for_parts::range::span;
use crate::clock::{CreateError, Direction, ServerTime, Span};
use crate::game::serial::comes_after;

/// Fraction of the golden ratio. Any number of its successive multiples fill an interval evenly.
const EVENLY: f64 = 0.618_033_988_749_894_9;
/// Messages whose departures are remembered: four seconds of 60 a second, longer than most stalls.
const DEPARTURES: usize = 256;

/// How a message changed a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadUpdate {
    /// The message counts.
    Used,
    /// The message does not count: its epoch has ended, it was reported before, or its departure is not
    /// remembered.
    Outdated,
}

/// Learns from messages how long they take, and says how far ahead to predict. It takes about 11 KB when it
/// is created and allocates nothing later.
///
/// ```
/// use netclock::order::{Lead, LeadConfig};
/// use netclock::{ServerTime, Span};
///
/// let mut lead = Lead::new(LeadConfig::default())?;
/// let shown = ServerTime::from_ticks(0);
/// lead.note_sent(7, 1, shown)?; // an input of tick 7 leaves
/// lead.note_arrived(7, shown + Span::from_millis(30))?; // the server says when it came
/// lead.note_received(1, shown, shown + Span::from_millis(50))?; // a state that the server stamped
/// println!("predict {:?} ahead, show others {:?} late", lead.lead(), lead.interpolation_delay());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lead {
    config: LeadConfig,
    epoch: Option<u32>,
    /// The newest messages of which no arrival was reported, the oldest first: number and departure, which is
    /// shown time of the epoch `departing`.
    departures: VecDeque<(u64, ServerTime)>,
    departing: u32,
    /// The newest message that left.
    newest: Option<u64>,
    to_server: Delays,
    to_client: Delays,
    /// Assumed phase of the frame in which the next message arrives. (fraction)
    phase: f64,
}

impl Lead {
    /// A lead that knows no message yet.
    ///
    /// # Errors
    /// A field of `config` is out of range, or there is not enough memory.
    pub fn new(config: LeadConfig) -> Result<Self, CreateError> {
        config.validate()?;
        Ok(Lead {
            config,
            epoch: None,
            departures: memory::list(DEPARTURES)?.into(),
            departing: 0,
            newest: None,
            to_server: Delays::new(config.quantile, config.fall)?,
            to_client: Delays::new(config.quantile, config.fall)?,
            phase: 0.0,
        })
    }

    /// Remembers that a message leaves for the server while a [reading](crate::Reading) of this epoch shows
    /// `at`. The game numbers its messages: by the input's tick, for example. Only the first call with a
    /// number counts until there is another one, so call it each time that the message is sent. The newest
    /// 256 messages without a report are remembered.
    ///
    /// # Errors
    /// A time outside the valid range.
    pub fn note_sent(&mut self, message: u64, epoch: u32, at: ServerTime) -> Result<(), OrderError> {
        instant("at", at)?;
        if self.departing != epoch {
            self.departures.clear();
            self.departing = epoch;
        } else if self.newest == Some(message) {
            return Ok(());
        }
        self.newest = Some(message);
        if self.departures.len() == DEPARTURES {
            self.departures.pop_front();
        }
        self.departures.push_back((message, at));
        Ok(())
    }

    /// Learns from the server's report that a message arrived at `at`. Do not report lost messages. A report
    /// of some messages is enough, and more give a better quantile. A repeated report does not count.
    ///
    /// # Errors
    /// A time outside the valid range, or one more than 60 s from the departure.
    pub fn note_arrived(&mut self, message: u64, at: ServerTime) -> Result<LeadUpdate, OrderError> {
        instant("at", at)?;
        let Some(index) = self.departures.iter().rposition(|left| left.0 == message) else {
            return Ok(LeadUpdate::Outdated);
        };
        let update = self.learn(Direction::ToServer, self.departing, self.departures[index].1, at)?;
        self.departures.remove(index);
        Ok(update)
    }

    /// Learns from a message of the server, stamped `sent` there, that arrives while a
    /// [reading](crate::Reading) of this epoch shows `at`: a state, or a reply of the clock.
    ///
    /// # Errors
    /// A time outside the valid range, or times more than 60 s apart.
    pub fn note_received(
        &mut self,
        epoch: u32,
        sent: ServerTime,
        at: ServerTime,
    ) -> Result<LeadUpdate, OrderError> {
        instant("sent", sent)?;
        instant("at", at)?;
        self.learn(Direction::ToClient, epoch, sent, at)
    }

    /// In a new epoch the lead starts again.
    fn learn(
        &mut self,
        direction: Direction,
        epoch: u32,
        sent: ServerTime,
        arrived: ServerTime,
    ) -> Result<LeadUpdate, OrderError> {
        let delay = arrived - sent;
        span("delay", delay, -LONGEST, LONGEST)?;
        if self.epoch != Some(epoch) {
            if self.epoch.is_some_and(|known| comes_after(known, epoch)) {
                return Ok(LeadUpdate::Outdated);
            }
            self.to_server.forget();
            self.to_client.forget();
            self.epoch = Some(epoch);
        }
        let (delays, frame) = match direction {
            Direction::ToServer => (&mut self.to_server, self.config.server_frame),
            Direction::ToClient => (&mut self.to_client, self.config.client_frame),
        };
        // A message waits for the next frame, for up to a whole one. So add each part of a frame in turn.
        self.phase = (self.phase + EVENLY).fract();
        let wait = (frame.ticks() as f64 * self.phase) as i64;
        // An i32 of ticks holds more than 61 s.
        delays.add(arrived.ticks(), (delay.ticks() + wait) as i32);
        Ok(LeadUpdate::Used)
    }

    /// The server handles a message sent now before it reaches the shown server time plus this, with the
    /// chosen probability. None before the first message to the server. Negative if the clock is further
    /// ahead than messages take.
    pub fn lead(&self) -> Option<Span> {
        self.to_server.allowance().map(whole)
    }

    /// How far behind the shown server time to show others. With the chosen probability there are then two
    /// states to interpolate between. None before the first message to the client.
    pub fn interpolation_delay(&self) -> Option<Span> {
        self.to_client.allowance().map(|allowance| whole(allowance) + self.config.send_interval)
    }

    /// The settings given at creation.
    pub fn config(&self) -> &LeadConfig {
        &self.config
    }
}

/// Rounded up to a tick.
fn whole(ticks: f64) -> Span {
    Span::from_ticks(ticks.ceil() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::MAX_INSTANT_TICKS;

    const MS: i64 = 10_000;

    fn at(ticks: i64) -> ServerTime {
        ServerTime::from_ticks(ticks)
    }

    fn lead(config: LeadConfig) -> Lead {
        Lead::new(config).expect("good settings")
    }

    /// A message to the server, with a number of its own.
    fn note(
        lead: &mut Lead,
        epoch: u32,
        sent: ServerTime,
        arrived: ServerTime,
    ) -> Result<LeadUpdate, OrderError> {
        let message = lead.newest.map_or(0, |newest| newest + 1);
        lead.note_sent(message, epoch, sent)?;
        lead.note_arrived(message, arrived)
    }

    #[test]
    fn nothing_is_said_before_something_is_known() {
        let mut lead = lead(LeadConfig { send_interval: Span::from_millis(50), ..LeadConfig::default() });
        assert_eq!((lead.lead(), lead.interpolation_delay()), (None, None));
        assert_eq!(note(&mut lead, 1, at(0), at(30 * MS)), Ok(LeadUpdate::Used));
        assert_eq!((lead.lead(), lead.interpolation_delay()), (Some(Span::from_millis(30)), None));
        assert_eq!(lead.note_received(1, at(0), at(20 * MS)), Ok(LeadUpdate::Used));
        assert_eq!(lead.interpolation_delay(), Some(Span::from_millis(70)));
    }

    #[test]
    fn the_clocks_own_error_drops_out() {
        // The same messages, seen by a clock that is 12 ms ahead: what is sent now is handled at the same
        // moment.
        let right = &mut lead(LeadConfig::default());
        let ahead = &mut lead(LeadConfig::default());
        for index in 0..500 {
            let (sent, delay) = (index * 33 * MS, 25 * MS + index * 7919 % 97 * MS / 10);
            note(right, 1, at(sent), at(sent + delay)).expect("good stamps");
            note(ahead, 1, at(sent + 12 * MS), at(sent + delay)).expect("good stamps");
        }
        let (right, ahead) = (right.lead().expect("known"), ahead.lead().expect("known"));
        assert_eq!(right - ahead, Span::from_millis(12));
    }

    #[test]
    fn frames_add_what_messages_wait_for_them() {
        let frame = 50 * MS;
        let config = LeadConfig { server_frame: Span::from_ticks(frame), ..LeadConfig::default() };
        let mut lead = lead(config);
        let (mut in_time, mut judged) = (0, 0);
        for index in 0..5_000_i64 {
            let sent = index * 336_719;
            let arrived = sent + 20 * MS + index * 7919 % 97 * MS / 10;
            let handled = (arrived / frame + 1) * frame;
            if index > 500 {
                judged += 1;
                in_time += i64::from(at(handled) <= at(sent) + lead.lead().expect("known"));
            }
            note(&mut lead, 1, at(sent), at(arrived)).expect("good stamps");
        }
        let share = in_time as f64 / judged as f64;
        assert!((0.94..0.98).contains(&share), "{share}");
    }

    #[test]
    fn another_epoch_begins_anew_and_an_old_one_is_over() {
        let mut lead = lead(LeadConfig::default());
        let mut note = |epoch, ms| note(&mut lead, epoch, at(0), at(ms * MS));
        assert_eq!(note(u32::MAX, 900), Ok(LeadUpdate::Used));
        assert_eq!(note(0, 30), Ok(LeadUpdate::Used));
        assert_eq!(note(u32::MAX, 900), Ok(LeadUpdate::Outdated));
        assert_eq!(lead.lead(), Some(Span::from_millis(30)));
        // Both directions: the clock is another.
        assert_eq!(lead.interpolation_delay(), None);
    }

    #[test]
    fn a_message_counts_once_from_its_first_departure_while_it_is_remembered() {
        let mut lead = lead(LeadConfig::default());
        for ms in [0, 16, 33] {
            assert_eq!(lead.note_sent(7, 1, at(ms * MS)), Ok(()));
        }
        assert_eq!(lead.note_arrived(8, at(40 * MS)), Ok(LeadUpdate::Outdated));
        assert_eq!(lead.note_arrived(7, at(40 * MS)), Ok(LeadUpdate::Used));
        assert_eq!(lead.note_arrived(7, at(90 * MS)), Ok(LeadUpdate::Outdated));
        assert_eq!(lead.lead(), Some(Span::from_millis(40)));
        for message in 100..=100 + DEPARTURES as u64 {
            assert_eq!(lead.note_sent(message, 1, at(100 * MS)), Ok(()));
        }
        assert_eq!(lead.note_arrived(100, at(140 * MS)), Ok(LeadUpdate::Outdated));
        // What is refused can be reported again.
        assert!(lead.note_arrived(101, at(100 * MS) + LONGEST + Span::from_millis(1)).is_err());
        assert_eq!(lead.note_arrived(101, at(140 * MS)), Ok(LeadUpdate::Used));
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() {
        let mut lead = lead(LeadConfig::default());
        note(&mut lead, 1, at(0), at(MS)).expect("good stamps");
        let far = MAX_INSTANT_TICKS;
        let minute = 600_000_000;
        for (sent, arrived) in [
            (far + 1, 0),
            (0, -far - 1),
            (i64::MIN, i64::MAX),
            (0, minute + 1),
            (0, -minute - 1),
            (far, -far),
        ] {
            for epoch in [1, 2] {
                assert!(note(&mut lead, epoch, at(sent), at(arrived)).is_err());
                assert!(lead.note_received(epoch, at(sent), at(arrived)).is_err());
            }
        }
        assert_eq!(lead.lead(), Some(Span::from_millis(1)));
        for quantile in [0.0, 0.499, 1.0, -0.5, f64::NAN, f64::INFINITY] {
            assert!(Lead::new(LeadConfig { quantile, ..LeadConfig::default() }).is_err(), "{quantile}");
        }
        for bad in [Span::from_ticks(-1), Span::from_secs(11), Span::MAX] {
            let good = LeadConfig::default();
            for config in [
                LeadConfig { server_frame: bad, ..good },
                LeadConfig { client_frame: bad, ..good },
                LeadConfig { send_interval: bad, ..good },
                LeadConfig { fall: f64::NAN, ..good },
            ] {
                assert!(Lead::new(config).is_err(), "{config:?}");
            }
        }
    }
}
