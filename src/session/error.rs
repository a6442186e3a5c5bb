use crate::clock::keyed::KeyError;
use crate::clock::{TimeError, WireError};
use crate::game::start::StartError;
use crate::game::timeline::ObserveError;
use crate::game::utc::UtcObserveError;
use crate::game::watch::ReportError;

/// Why a host or a guest rejected a datagram or a call. Unless stated otherwise, the state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// No player with this number is admitted.
    #[error("no player with this number was admitted")]
    UnknownPlayer,
    /// A player with this number is already admitted.
    #[error("a player with this number was already admitted")]
    Duplicate,
    /// The host already has its maximum number of players.
    #[error("the maximum number of players is reached")]
    Full,
    /// The host has no world with this number.
    #[error("worlds are numbered from 0 to {}", super::WORLDS - 1)]
    UnknownWorld,
    /// The datagram belongs to an earlier session of this guest.
    #[error("the datagram belongs to an earlier session")]
    OtherSession,
    /// A section of the datagram is truncated.
    #[error("a section of the datagram is truncated")]
    Truncated,
    /// The bytes are a mixture of several blobs.
    #[error("the blob is a mixture of several blobs")]
    Torn,
    /// The datagram does not belong to a session.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The seal is invalid or missing.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A publisher rejected a world observation.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// The UTC publisher rejected an observation.
    #[error(transparent)]
    Utc(#[from] UtcObserveError),
    /// The organiser rejected a proposal or a cancellation.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The rate watch rejected an excuse.
    #[error(transparent)]
    Watch(#[from] ReportError),
    /// An instant is out of range or earlier than in a previous call.
    #[error(transparent)]
    Time(#[from] TimeError),
}
