use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

/// The settings for a [`Lead`](super::Lead).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeadConfig {
    /// The fraction of messages that should arrive on time. The maximum is 0.99 because only 256 delays are
    /// stored. (0.5..=0.99, default 0.95)
    pub quantile: f64,
    /// The server's frame period, or zero if the server timestamps messages when it handles them rather than
    /// on arrival. (0..=1 s, default 0)
    pub server_frame: Span,
    /// The client's frame period, or zero if the client timestamps messages when it handles them rather than
    /// on arrival. (0..=1 s, default 0)
    pub client_frame: Span,
    /// Interval between the server's states. Clients interpolate between two of them. (0..=10 s, default 0)
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
    /// Returns an error that names the first field that is out of range or NaN.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let second = Span::from_secs(1);
        number("quantile", self.quantile, 0.5, 0.99, "of messages")?;
        span("server_frame", self.server_frame, Span::ZERO, second)?;
        span("client_frame", self.client_frame, Span::ZERO, second)?;
        span("send_interval", self.send_interval, Span::ZERO, Span::from_secs(10))
    }
}
