/// Why a host rejected a call about starts. A rejected call changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A server time is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a server time is outside the valid range of +-2^62 ticks")]
    TimeOutOfRange,
    /// No participant with this id takes part in starts.
    #[error("no participant with this id was admitted")]
    UnknownParticipant,
    /// A start is already scheduled. Wait until that start has happened, or cancel it.
    #[error("a start is pending")]
    Pending,
    /// No start is scheduled.
    #[error("no start is pending")]
    NoStart,
    /// The confidence is 0.5 or less, or above 0.99999.
    #[error("a confidence of {0} is not above 0.5 and at most 0.99999")]
    Confidence(f64),
}
