use crate::clock::for_parts::range::{number, span};
use crate::clock::{ConfigError, Span};

/// The settings for starts, validated when their [`Host`](crate::session::Host) is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartConfig {
    /// Maximum number of participants. Memory for all of them is allocated on creation. (count, 1..=1024,
    /// default 64)
    pub capacity: u32,
    /// Maximum time for which participants can delay a start after its first proposal. Half of this time is
    /// for becoming ready, and half is for the announcement. (100 ms..=10 min, default 10 s)
    pub patience: Span,
    /// Maximum expected error of a ready participant's clock. (1 tick..=1 s, default 1 ms)
    pub max_expected_error: Span,
    /// Duration of the longest server or client frame, because messages may wait for the next frame on either
    /// side. See [`client_frame`](crate::Config::client_frame). (0..=1 s, default 1/30 s)
    pub frame: Span,
}

impl Default for StartConfig {
    fn default() -> Self {
        StartConfig {
            capacity: 64,
            patience: Span::from_secs(10),
            max_expected_error: Span::from_millis(1),
            frame: Span::from_ticks(333_334),
        }
    }
}

impl StartConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        const TICK: Span = Span::from_ticks(1);
        const SECOND: Span = Span::from_secs(1);
        number("capacity", f64::from(self.capacity), 1.0, 1024.0, "participants")?;
        span("patience", self.patience, Span::from_millis(100), Span::from_secs(600))?;
        span("max_expected_error", self.max_expected_error, TICK, SECOND)?;
        span("frame", self.frame, Span::ZERO, SECOND)
    }
}
