use super::error::Rejection;
use crate::clock::{Reading, ServerTime, Span};

/// A peer's progress in joining its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerStage {
    /// The peer is logging in, because it has no slot or has lost it.
    Joining,
    /// The peer has a slot but no shared clock yet.
    Waiting,
    /// The peer has the shared clock, but the game has not begun.
    Synced,
    /// The game is running.
    Playing,
    /// The peer has left.
    Ended,
}

/// The result of [`Peer::read`](super::Peer::read).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeerReading {
    /// The peer's progress in joining the game.
    pub stage: PeerStage,
    /// Whether this peer is the primary, whose clock is the shared clock.
    pub leads: bool,
    /// Number of the peer's slot.
    pub slot: u16,
    /// Number of peers in the game, as last reported by the relay.
    pub players: u16,
    /// Shared time since the game began, or zero before the game begins. Shared time never runs backwards
    /// within an [`epoch`](Reading::epoch).
    pub time: ServerTime,
    /// The reading of the primary's clock. Its error bound is valid only if the relay reports holds
    /// correctly. Peers with the same [`server_epoch`](Reading::server_epoch) read the same clock.
    pub clock: Reading,
    /// Maximum difference from the clock of the game's first primary. It may grow when the primary changes.
    pub inherited: Span,
    /// Why the relay rejected the last login, or `None` if the relay did not reject it.
    pub rejection: Option<Rejection>,
}
