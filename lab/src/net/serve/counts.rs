use std::collections::BTreeMap;

use netclock::WireError;
use netclock::keyed::KeyError;
use netclock::session::SessionError;
use serde::Serialize;

/// How often something happened for each reason.
pub(crate) type Reasons = BTreeMap<&'static str, u64>;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Besides requests, this counts all other datagrams that were accepted from players.
    pub(crate) answered: u64,
    pub(crate) unsent: u64,
    pub(crate) published: u64,
    pub(crate) players: usize,
    pub(crate) malformed: Reasons,
    pub(crate) unkeyed: Reasons,
}

impl Counts {
    pub(super) fn note_unkeyed(&mut self, error: SessionError) {
        let reason = match error {
            SessionError::UnknownPlayer => "unknown_key",
            SessionError::Key(KeyError::Forged) => "forged",
            SessionError::Key(KeyError::Replayed) => "replayed",
            // Datagrams that are not sealed or not addressed to a server.
            _ => "malformed",
        };
        *self.unkeyed.entry(reason).or_default() += 1;
    }

    pub(super) fn note_malformed(&mut self, error: WireError) {
        let reason = match error {
            WireError::Length(_) => "length",
            WireError::Magic => "magic",
            WireError::Version(_) => "version",
            WireError::Kind(_) => "kind",
            WireError::Reserved => "reserved",
            _ => "stamp",
        };
        *self.malformed.entry(reason).or_default() += 1;
    }
}
