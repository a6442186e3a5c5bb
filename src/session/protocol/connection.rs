//! A guest's connection to a host, and what each side knows about the other.

use super::super::WORLDS;
use super::super::message::{Contents, Known};
use super::SOONEST;
use crate::clock::LocalTime;
use crate::clock::authority::Authority;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Connection {
    pub(super) session: u64,
    /// The server epoch in the most recent reply.
    pub(super) replied: Option<u64>,
    /// The server epoch of the host that last answered in this session.
    pub(super) host: Option<u64>,
    pub(super) token: Option<u64>,
    pub(super) known: Known,
    /// When the guest learned the revision in `known`.
    pub(super) learned_at: Option<LocalTime>,
    /// The latest revision for which the host has received a confirmation.
    pub(super) acknowledged: u32,
    /// The host's current round of starts, and the round in which this guest has started.
    pub(super) round: u32,
    pub(super) started: u32,
    /// The instance and version of each world's latest segment.
    pub(super) newest: [Option<(u32, u32)>; WORLDS],
    /// The contents of the known updates.
    pub(super) contents: Contents,
    /// The digest of these contents at the known revision, or zero until an update is applied.
    pub(super) digest: u64,
    /// The previous server epoch. Its late updates are rejected.
    pub(super) left: Option<u64>,
    /// An authority that the clock can accept only once it follows this server epoch.
    pub(super) early: Option<Authority>,
    /// Whether a confirmation is due.
    pub(super) confirms_soon: bool,
    /// When the most recent confirmation was sent.
    pub(super) confirmed_at: Option<LocalTime>,
    /// Key id of the offered link, if the offer has to be confirmed.
    pub(super) offered: Option<u32>,
}

impl Connection {
    pub(super) fn new(session: u64) -> Self {
        Connection { session, ..Connection::default() }
    }

    /// Returns whether the host has not acknowledged the known revision yet. Until then, datagrams confirm
    /// it.
    pub(super) fn is_unconfirmed(&self) -> bool {
        self.host.is_none() || self.host != self.replied || self.acknowledged != self.known.revision
    }

    pub(super) fn is_confirmation_due(&self, now: LocalTime) -> bool {
        self.confirms_soon && self.confirmed_at.is_none_or(|confirmed| (now - confirmed).abs() >= SOONEST)
    }
}
