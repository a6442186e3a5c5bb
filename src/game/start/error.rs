//! Reasons for which an organiser or a participant refuses a call.

use crate::clock::WireError;

/// Why an organiser or a participant refused a call; nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// This side takes no such datagram: it has another length or kind, or is for the other side.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// A server time is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a server time is outside the valid range of +-2^62 ticks")]
    TimeOutOfRange,
    /// No participant of this id was admitted.
    #[error("no participant of this id was admitted")]
    UnknownParticipant,
    /// The organiser has no room for another participant.
    #[error("there is no room for another participant")]
    Full,
    /// The participant was admitted before, or the message was handled before.
    #[error("admitted or handled before")]
    Duplicate,
    /// The message is older than one that was handled, or about another start than the present one.
    #[error("the message is older than one that was handled, or about another start")]
    Stale,
    /// The message does not carry the participant's key: forged, or of an earlier connection.
    #[error("the message carries another key than the participant's")]
    WrongKey,
    /// The message is about another run of the server's clock than the one this client is in sync with.
    #[error("the message is about another run of the server's clock")]
    OtherRun,
    /// A result claims that the participant fired before the start, or later than now.
    #[error("the result claims an instant before the start, or in the future")]
    Implausible,
    /// A start is under way. Wait for it or cancel it.
    #[error("a start is under way")]
    Pending,
    /// No start is under way.
    #[error("no start is under way")]
    NoStart,
    /// The confidence is not above 0.5 and at most 0.99999.
    #[error("a confidence of {0} is not above 0.5 and at most 0.99999")]
    Confidence(f64),
}
