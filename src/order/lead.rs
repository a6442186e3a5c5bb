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
use super::rewind::LONGEST;
use crate::config::{number, span};
use crate::error::{ConfigError, OrderError};
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

/// Which way a message went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Sent by the client at the shown server time, received by the server by its own clock.
    ToServer,
    /// Sent by the server by its own clock, received by the client at the shown server time.
    ToClient,
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

/// Learns from messages how long they take, and says how far ahead to predict. Fixed size (about 8 KB), no allocation.
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
