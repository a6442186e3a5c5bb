//! Adoption errors.

use crate::clock::Span;

/// The reason why an adoption did not use a reply or cannot settle yet. Its state is unchanged, except that
/// it remembers a participant that contradicts itself as a liar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdoptionError {
    /// No request was sent to a participant with this name.
    #[error("participant {0} was not asked")]
    UnknownParticipant(u64),
    /// There are 64 participants already.
    #[error("there are already 64 participants")]
    Full,
    /// This participant has no open request with this id. The reply is forged, duplicated, or too old.
    #[error("no outstanding request has this id (forged, duplicate or expired)")]
    UnknownRequest,
    /// The reply is for a different timescale.
    #[error("the reply is about timescale {0:016x}")]
    OtherTimescale(u64),
    /// A timestamp is outside the valid range, or a bound is outside 0 to 429 s.
    #[error("a stamp or a bound is out of range")]
    OutOfRange,
    /// The reply's arrival time is before its request was sent.
    #[error("the reply arrived before its request was sent")]
    ArrivedBeforeSent,
    /// The reply took longer than 5 s.
    #[error("the reply took {0}, more than 5 s")]
    TooSlow(Span),
    /// The participant's replies contradict each other, and are no longer used.
    #[error("the replies of participant {0} contradict each other, so none of them counts")]
    Liar(u64),
    /// There are too few replies to identify the liars.
    #[error("only {answers} of {needed} required replies have arrived")]
    TooFew {
        /// Number of participants who replied.
        answers: u32,
        /// Number of replies needed.
        needed: u32,
    },
    /// More participants lie than are tolerated, so no time is within the bounds of enough participants.
    #[error("no time is within the bounds of {needed} participants, so more lie than are tolerated")]
    NoAgreement {
        /// Number of participants whose bounds must overlap.
        needed: u32,
    },
}
