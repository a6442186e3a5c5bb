//! Settings of a lead, with units and ranges.

use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

/// Settings of a [`Lead`](super::Lead).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeadConfig {
    /// Share of messages that should be in time. The lead keeps 256 delays, which cannot support rarer
    /// events. (fraction, 0.5..=0.99, default 0.95)
    pub quantile: f64,
    /// Frame period of a server that handles messages at frame boundaries but stamps them on arrival. Zero if
    /// the server stamps messages when it handles them. (0..=1 s, default 0)
    pub server_frame: Span,
    /// Frame period of a client that handles messages at frame boundaries but stamps them on arrival. Zero if
    /// the client stamps messages when it handles them. (0..=1 s, default 0)
    pub client_frame: Span,
    /// Time between two states that the server sends. The client shows other players between two states.
    /// (0..=10 s, default 0)
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
    /// Checks that all fields are within their ranges.
    ///
    /// # Errors
    /// The first field that is out of range; NaN is out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let second = Span::from_secs(1);
        number("quantile", self.quantile, 0.5, 0.99, "of messages")?;
        span("server_frame", self.server_frame, Span::ZERO, second)?;
        span("client_frame", self.client_frame, Span::ZERO, second)?;
        span("send_interval", self.send_interval, Span::ZERO, Span::from_secs(10))
    }
}
