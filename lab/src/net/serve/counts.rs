use std::collections::BTreeMap;

use netclock::WireError;
use netclock::keyed::KeyError;
use netclock::session::SessionError;
use serde::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Reasons(pub(super) BTreeMap<&'static str, u64>);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Includes other datagrams that were accepted from players.
    pub(crate) answered: u64,
    pub(crate) unsent: u64,
    pub(crate) published: u64,
    pub(crate) players: usize,
    pub(crate) malformed: Reasons,
    pub(crate) unkeyed: Reasons,
}

impl Reasons {
    pub(super) fn add(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.0.entry(reason).or_default() += count;
        }
    }

    pub(super) fn unkeyed(&mut self, error: SessionError) {
        let reason = match error {
            SessionError::UnknownPlayer => "unknown_key",
            SessionError::Key(KeyError::Forged) => "forged",
            SessionError::Key(KeyError::Replayed) => "replayed",
            // Datagrams that are not sealed or not addressed to a server.
            _ => "malformed",
        };
        self.add(reason, 1);
    }

    pub(super) fn malformed(&mut self, error: WireError) {
        let reason = match error {
            WireError::Length(_) => "length",
            WireError::Magic => "magic",
            WireError::Version(_) => "version",
            WireError::Kind(_) => "kind",
            WireError::Reserved => "reserved",
            _ => "stamp",
        };
        self.add(reason, 1);
    }
}
