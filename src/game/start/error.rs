//! What a scheduled start refuses, and why.

use crate::exchange::WireError;

/// Why a call of a start was refused; nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The datagram is none of those that this side takes: half, too long, of another kind, or of the other side.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// An instant of the server's is outside the valid range of [`Time::is_valid`](crate::Time::is_valid).
    #[error("a server time is outside the valid range of +-2^62 ticks")]
    TimeOutOfRange,
    /// Nobody of this id was admitted.
    #[error("no participant of this id was admitted")]
    UnknownParticipant,
    /// As many participants as there is room for were admitted.
    #[error("there is no room for another participant")]
    Full,
    /// Admitted before, or a message that was handled before.
    #[error("admitted or handled before")]
    Duplicate,
    /// A message older than one that was handled, or about a start that is not the present one.
    #[error("the message is older than one that was handled, or speaks of another start")]
    Stale,
    /// The message does not carry the participant's key: forged, or of an earlier connection.
    #[error("the message carries another key than the participant's")]
    WrongKey,
    /// The message speaks of another run of the server's clock than the one this client is in sync with.
    #[error("the message is of another run of the server's clock")]
    OtherRun,
    /// A result that claims to have fired before the start, or later than now.
    #[error("the result claims an instant before the start, or in the future")]
    Implausible,
    /// A start is under way; wait for it or cancel it.
    #[error("a start is under way")]
    Pending,
    /// No start is under way.
    #[error("no start is under way")]
    NoStart,
    /// A confidence that is not above 0.5 and at most 0.99999.
    #[error("a confidence of {0} is not above 0.5 and at most 0.99999")]
    Confidence(f64),
}
