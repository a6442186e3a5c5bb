//! Why a server that takes a timescale over did not use an answer, or cannot take it over yet.

use crate::time::Span;

/// Why a server that takes a timescale over did not use an answer, or cannot take it over yet. Nothing changed, but a
/// participant who contradicts himself is remembered as one who lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdoptionError {
    /// Nobody of this name was asked.
    #[error("participant {0} was not asked")]
    UnknownParticipant(u64),
    /// There are 64 participants already.
    #[error("there are 64 participants already")]
    Full,
    /// This participant has no open question of this id: forged, answered before, or too old to be kept.
    #[error("no question of this id is open (forged, duplicate or expired)")]
    UnknownQuestion,
    /// The answer is about another timescale.
    #[error("the answer is about timescale {0:016x}")]
    OtherTimescale(u64),
    /// A stamp is outside the valid range, or a bound is outside 0 to 429 s.
    #[error("a stamp or a bound is out of range")]
    OutOfRange,
    /// The answer is stamped before its question was asked.
    #[error("the answer arrived before its question was asked")]
    ArrivedBeforeSent,
    /// The answer took longer than 5 s.
    #[error("the answer took {0}, more than 5 s")]
    TooSlow(Span),
    /// The participant's answers contradict each other. None of them counts any more.
    #[error("the answers of participant {0} contradict each other: none of them counts")]
    Liar(u64),
    /// Too few answers to tell liars from the others.
    #[error("{answers} of {needed} answers are there")]
    TooFew {
        /// Participants who answered.
        answers: u32,
        /// Participants who must.
        needed: u32,
    },
    /// More participants lie than are tolerated: no time is in the bounds of as many as it takes.
    #[error("no time is in the bounds of {needed} participants: more lie than are tolerated")]
    NoAgreement {
        /// Participants whose bounds must have a time in common.
        needed: u32,
    },
}
