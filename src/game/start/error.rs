use crate::clock::WireError;

/// Why an organiser or a participant rejected a call. The state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The datagram has the wrong length or kind, or is intended for the other side.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// A server time is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a server time is outside the valid range of +-2^62 ticks")]
    TimeOutOfRange,
    /// No participant with this id is admitted.
    #[error("no participant with this id was admitted")]
    UnknownParticipant,
    /// The organiser has no room for another participant.
    #[error("the maximum number of participants is reached")]
    Full,
    /// The participant is already admitted, or the message was already handled.
    #[error("the participant is already admitted, or the message was already handled")]
    Duplicate,
    /// The message is older than one that was already handled, or belongs to a different start.
    #[error("the message is older than one that was already handled, or belongs to a different start")]
    Stale,
    /// The message does not belong to the server epoch that this client's clock follows.
    #[error("the message belongs to a different run of the server's clock")]
    OtherRun,
    /// A result claims that the participant fired before the start, or in the future.
    #[error("the result claims an instant before the start, or in the future")]
    Implausible,
    /// A start is already scheduled. Wait until it has happened, or cancel it.
    #[error("a start is pending")]
    Pending,
    /// No start is scheduled.
    #[error("no start is pending")]
    NoStart,
    /// The confidence is 0.5 or less, or above 0.99999.
    #[error("a confidence of {0} is not above 0.5 and at most 0.99999")]
    Confidence(f64),
}
