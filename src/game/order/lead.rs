//! How far ahead of the server to predict, and how far behind it to show others.
//!
//! A message that leaves now is handled when the shown server time, now, plus the *lead* has come; a state that the
//! server sends when its clock says `t` can be shown when the client's reads `t` plus the *interpolation delay*.
//! Both are quantiles of delays, chosen by the caller, and the delays are differences between the server's clock and
//! **the clock as shown here**. So the clock's own error is in them, and drops out of the result: a clock that is
//! 10 ms ahead sees messages arrive 10 ms earlier, and the lead is 10 ms less. No allowance for the error is needed
//! but for its changes, which the quantile sees as jitter.
//!
//! Half of the round trip is neither: it says nothing of jitter, frames and unequal directions.

use super::arbitrate::instant;
use super::delays::Delays;
use super::error::OrderError;
use super::rewind::LONGEST;
use crate::direction::Direction;
use crate::range::ConfigError;
use crate::range::{number, span};
use crate::time::{ServerTime, Span};

/// Successive multiples of it fill an interval evenly, however many there are: the golden ratio's fraction.
const EVENLY: f64 = 0.618_033_988_749_894_9;

/// Settings of a [`Lead`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeadConfig {
    /// Share of messages that should be in time. (fraction, 0.5..=0.999, default 0.95)
    pub quantile: f64,
    /// Frame period of a server that handles messages at frame boundaries but stamps them on arrival; zero if it
    /// stamps them when it handles them. (0..=1 s, default 0)
    pub server_frame: Span,
    /// The same of the client and what the server sends. (0..=1 s, default 0)
    pub client_frame: Span,
    /// Time between the states that the server sends: between two of them others are shown. (0..=10 s, default 0)
    pub send_interval: Span,
}

impl Default for LeadConfig {
    fn default() -> Self {
        LeadConfig {
            quantile: 0.95,
            server_frame: Span::ZERO,
            client_frame: Span::ZERO,
            send_interval: Span::ZERO,
        }
    }
}

impl LeadConfig {
    /// Checks every field against its range.
    ///
    /// # Errors
    /// Names the first field that is out of range; NaN is out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let second = Span::from_secs(1);
        number("quantile", self.quantile, 0.5, 0.999, "of messages")?;
        span("server_frame", self.server_frame, Span::ZERO, second)?;
        span("client_frame", self.client_frame, Span::ZERO, second)?;
        span("send_interval", self.send_interval, Span::ZERO, Span::from_secs(10))
    }
}

/// What became of a message that was [noted](Lead::note).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// It counts.
    Used,
    /// It counts, as the first of a new epoch: what was known before is forgotten.
    Renewed,
    /// It belongs to an epoch that has ended, and does not count.
    Outdated,
}

/// Learns from messages how long they take, and says how far ahead to predict. Fixed size (about 6 KB), no allocation.
#[derive(Clone, Debug)]
pub struct Lead {
    config: LeadConfig,
    epoch: Option<u32>,
    to_server: Delays,
    to_client: Delays,
    /// Where in a frame the next message is taken to arrive. (fraction)
    phase: f64,
}

impl Lead {
    /// A lead that knows no message yet.
    ///
    /// # Errors
    /// A field of `config` is out of range.
    pub fn new(config: LeadConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        let delays = Delays::new(config.quantile);
        Ok(Lead { config, epoch: None, to_server: delays.clone(), to_client: delays, phase: 0.0 })
    }

    /// Learns from a message: any of the game's own whose two stamps are known, and the clock's own exchanges. The
    /// more there are, the better the quantile; lost ones are not noted. `epoch` is that of the
    /// [reading](crate::Reading::epoch) which made the client's stamp: when the clock jumps, all is learned anew.
    ///
    /// # Errors
    /// A stamp outside the valid range, or stamps more than 60 s apart.
    pub fn note(
        &mut self,
        direction: Direction,
        epoch: u32,
        sent: ServerTime,
        arrived: ServerTime,
    ) -> Result<Note, OrderError> {
        instant("sent", sent)?;
        instant("arrived", arrived)?;
        let delay = arrived - sent;
        span("arrived - sent", delay, -LONGEST, LONGEST)?;
        let mut outcome = Note::Used;
        if self.epoch != Some(epoch) {
            // Epochs are counted, from 0 again after the last: the half of them below this one is past.
            if self.epoch.is_some_and(|known| known.wrapping_sub(epoch) <= u32::MAX / 2) {
                return Ok(Note::Outdated);
            }
            if self.epoch.is_some() {
                outcome = Note::Renewed;
                self.to_server = Delays::new(self.config.quantile);
                self.to_client = self.to_server.clone();
            }
            self.epoch = Some(epoch);
        }
        let (delays, frame) = match direction {
            Direction::ToServer => (&mut self.to_server, self.config.server_frame),
            Direction::ToClient => (&mut self.to_client, self.config.client_frame),
        };
        // A message waits for the next frame, anything up to all of one. So does each that is noted, in turn.
        self.phase = (self.phase + EVENLY).fract();
        let wait = (frame.ticks() as f64 * self.phase) as i64;
        // 61 s are less than an i32 of ticks holds.
        delays.add(arrived.ticks(), (delay.ticks() + wait) as i32);
        Ok(outcome)
    }

    /// A message sent now is handled before the shown server time plus this has come, with the chosen probability.
    /// None before the first message to the server. Negative if the clock is further ahead than messages take.
    pub fn lead(&self) -> Option<Span> {
        self.to_server.allowance().map(whole)
    }

    /// Showing others this far behind the shown server time, there are, with the chosen probability, two states to
    /// show them between. None before the first message to the client.
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
    use crate::time::MAX_INSTANT_TICKS;

    const MS: i64 = 10_000;

    fn at(ticks: i64) -> ServerTime {
        ServerTime::from_ticks(ticks)
    }

    fn lead(config: LeadConfig) -> Lead {
        Lead::new(config).expect("good settings")
    }

    #[test]
    fn nothing_is_said_before_something_is_known() {
        let mut lead = lead(LeadConfig { send_interval: Span::from_millis(50), ..LeadConfig::default() });
        assert_eq!((lead.lead(), lead.interpolation_delay()), (None, None));
        assert_eq!(lead.note(Direction::ToServer, 1, at(0), at(30 * MS)), Ok(Note::Used));
        assert_eq!((lead.lead(), lead.interpolation_delay()), (Some(Span::from_millis(30)), None));
        assert_eq!(lead.note(Direction::ToClient, 1, at(0), at(20 * MS)), Ok(Note::Used));
        assert_eq!(lead.interpolation_delay(), Some(Span::from_millis(70)));
    }

    #[test]
    fn the_clocks_own_error_drops_out() {
        // The same messages, seen by a clock that is 12 ms ahead: what is sent now is handled at the same moment.
        let right = &mut lead(LeadConfig::default());
        let ahead = &mut lead(LeadConfig::default());
        for index in 0..500 {
            let (sent, delay) = (index * 33 * MS, 25 * MS + index * 7919 % 97 * MS / 10);
            right.note(Direction::ToServer, 1, at(sent), at(sent + delay)).expect("good stamps");
            ahead.note(Direction::ToServer, 1, at(sent + 12 * MS), at(sent + delay)).expect("good stamps");
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
            lead.note(Direction::ToServer, 1, at(sent), at(arrived)).expect("good stamps");
        }
        let share = in_time as f64 / judged as f64;
        assert!((0.94..0.98).contains(&share), "{share}");
    }

    #[test]
    fn another_epoch_begins_anew_and_an_old_one_is_over() {
        let mut lead = lead(LeadConfig::default());
        let mut note = |epoch, ms| lead.note(Direction::ToServer, epoch, at(0), at(ms * MS));
        assert_eq!(note(u32::MAX, 900), Ok(Note::Used));
        assert_eq!(note(0, 30), Ok(Note::Renewed));
        assert_eq!(note(u32::MAX, 900), Ok(Note::Outdated));
        assert_eq!(lead.lead(), Some(Span::from_millis(30)));
        // Both directions: the clock is another.
        assert_eq!(lead.interpolation_delay(), None);
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() {
        let mut lead = lead(LeadConfig::default());
        lead.note(Direction::ToServer, 1, at(0), at(MS)).expect("good stamps");
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
                assert!(lead.note(Direction::ToServer, epoch, at(sent), at(arrived)).is_err());
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
            ] {
                assert!(Lead::new(config).is_err(), "{config:?}");
            }
        }
    }
}
