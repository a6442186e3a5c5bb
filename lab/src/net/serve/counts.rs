//! A server's counters.

use netclock::WireError;
use netclock::keyed::KeyError;
use netclock::session::SessionError;
use serde::Serialize;

/// A server's counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Requests answered, and other accepted datagrams of players.
    pub(crate) answered: u64,
    /// Replies that the system did not send.
    pub(crate) unsent: u64,
    /// Published segments of the world's timeline.
    pub(crate) published: u64,
    /// Players that have a session now.
    pub(crate) players: usize,
    /// Datagrams that are not requests. The server does not answer them.
    pub(crate) malformed: Malformed,
    /// Datagrams that a server with session keys does not answer.
    pub(crate) unkeyed: Unkeyed,
}

/// Datagrams that a server with session keys does not answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Unkeyed {
    /// Not sealed, or not a sealed message to a server.
    pub(crate) malformed: u64,
    /// Sealed with an unknown key.
    pub(crate) unknown_key: u64,
    /// Sealed with a wrong tag.
    pub(crate) forged: u64,
    /// Replayed, or older than the replay window.
    pub(crate) replayed: u64,
    /// Requests that exceed the budget of their session.
    pub(crate) over_budget: u64,
}

impl Unkeyed {
    pub(super) fn add(&mut self, error: SessionError) {
        let count = match error {
            SessionError::UnknownPlayer => &mut self.unknown_key,
            SessionError::Key(KeyError::Forged) => &mut self.forged,
            SessionError::Key(KeyError::Replayed) => &mut self.replayed,
            _ => &mut self.malformed,
        };
        *count += 1;
    }
}

/// Datagrams that are not requests, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Malformed {
    pub(crate) length: u64,
    pub(crate) magic: u64,
    pub(crate) version: u64,
    pub(crate) kind: u64,
    pub(crate) reserved: u64,
    pub(crate) stamp: u64,
}

impl Malformed {
    pub(super) fn add(&mut self, error: WireError) {
        let count = match error {
            WireError::Length(_) => &mut self.length,
            WireError::Magic => &mut self.magic,
            WireError::Version(_) => &mut self.version,
            WireError::Kind(_) => &mut self.kind,
            WireError::Reserved => &mut self.reserved,
            _ => &mut self.stamp,
        };
        *count += 1;
    }
}
