//! A guest's state in one connection, and what it knows about the state of its host.

use super::super::WORLDS;
use super::super::message::{Contents, Known};
use super::SOONEST;
use crate::clock::LocalTime;
use crate::clock::authority::Authority;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Connection {
    pub(super) session: u64,
    pub(super) replied: Option<u64>,
    pub(super) host: Option<u64>,
    pub(super) token: Option<u64>,
    pub(super) known: Known,
    pub(super) learned_at: Option<LocalTime>,
    pub(super) acknowledged: u32,
    pub(super) round: u32,
    pub(super) started: u32,
    pub(super) newest: [Option<(u32, u32)>; WORLDS],
    pub(super) contents: Contents,
    /// Zero before the first update.
    pub(super) digest: u64,
    /// The previous server epoch, whose late updates are rejected.
    pub(super) left: Option<u64>,
    pub(super) early: Option<Authority>,
    pub(super) confirms_soon: bool,
    pub(super) confirmed_at: Option<LocalTime>,
    pub(super) offered: Option<u32>,
}

impl Connection {
    pub(super) fn new(session: u64) -> Self {
        Connection { session, ..Connection::default() }
    }

    pub(super) fn is_unconfirmed(&self) -> bool {
        self.host.is_none() || self.host != self.replied || self.acknowledged != self.known.revision
    }

    pub(super) fn is_confirmation_due(&self, now: LocalTime) -> bool {
        self.confirms_soon && self.confirmed_at.is_none_or(|confirmed| (now - confirmed).abs() >= SOONEST)
    }
}
