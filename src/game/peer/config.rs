//! Settings of a relay, with unit and range.

use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

/// Settings of a [`Relay`](super::Relay): see there. Checked once, when it is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelayConfig {
    /// Most games at a time; memory for them is taken at creation. (count, 1..=256, default 16)
    pub games: u32,
    /// Most peers of a game. (count, 2..=64, default 8)
    pub slots: u32,
    /// Peers that must be there before a game begins. (count, 1..=64, at most `slots`, default 2)
    pub players: u32,
    /// The relay gives a peer up that sends no READY for this time, and a primary that answers no request for
    /// this time. (1 s..=60 s, default 3 s)
    pub silence: Span,
    /// How long a game waits for peers whose clocks are not in sync. (0..=10 min, default 10 s)
    pub patience: Span,
    /// Budget of a connection: the bytes a second that it may send. Each message costs 32 bytes more; replies
    /// to forwarded requests cost nothing. (1000..=10^7, default 32768)
    pub budget: u32,
    /// Bytes that may wait for one peer. (2064..=65536, default 8192)
    pub queue: u32,
}

impl Default for RelayConfig {
    fn default() -> Self {
        RelayConfig {
            games: 16,
            slots: 8,
            players: 2,
            silence: Span::from_secs(3),
            patience: Span::from_secs(10),
            budget: 32_768,
            queue: 8192,
        }
    }
}

impl RelayConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        const SECOND: Span = Span::from_secs(1);
        number("games", f64::from(self.games), 1.0, 256.0, "games")?;
        number("slots", f64::from(self.slots), 2.0, 64.0, "peers")?;
        number("players", f64::from(self.players), 1.0, f64::from(self.slots), "peers")?;
        span("silence", self.silence, SECOND, Span::from_secs(60))?;
        span("patience", self.patience, Span::ZERO, Span::from_secs(600))?;
        number("budget", f64::from(self.budget), 1e3, 1e7, "bytes/s")?;
        number("queue", f64::from(self.queue), 2064.0, 65_536.0, "bytes")
    }
}
