//! Relay settings.

use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

/// The settings for a [`Relay`](super::Relay), which are validated when the relay is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelayConfig {
    /// Maximum number of games. Memory for all of them is allocated on creation. (count, 1..=256, default 16)
    pub games: u32,
    /// Maximum number of peers per game. (count, 2..=64, default 8)
    pub slots: u32,
    /// Number of peers required to begin a game. (count, 1..=64, at most `slots`, default 2)
    pub players: u32,
    /// The relay drops a peer that sends no READY for this long, and a primary that answers no requests for
    /// this long. (1 s..=60 s, default 3 s)
    pub silence: Span,
    /// How long a game waits for peers whose clocks are not in sync. (0..=10 min, default 10 s)
    pub patience: Span,
    /// Rate limit for each connection, in bytes per second. Each message costs its size plus 32 bytes.
    /// Replies to forwarded requests are free. (1000..=10^7, default 32768)
    pub budget: u32,
    /// Maximum number of bytes queued for one peer. (2064..=65536, default 8192)
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
