//! What a client counts.

use netclock::keyed::OVERHEAD;
use netclock::link::ClientLinkCounts;
use netclock::utc::UTC_DATAGRAM_SIZE;
use netclock::{Refusal, wire};
use serde::{Deserialize, Serialize};

/// Datagrams between client and server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Traffic {
    /// Requests sent.
    pub(crate) requests: u64,
    /// Replies used.
    pub(crate) replies: u64,
    /// Authority requests sent.
    pub(crate) inquiries: u64,
    /// Authority replies used.
    pub(crate) statements: u64,
    /// Requests for the server's UTC sent.
    pub(crate) utc_requests: u64,
    /// Replies about the server's UTC used.
    pub(crate) utc_replies: u64,
    /// Replies to unknown requests: duplicates, late ones, forgeries.
    pub(crate) unknown: u64,
    /// Replies whose stamps contradict the clock.
    pub(crate) contradictions: u64,
    /// Replies whose stamps are impossible or too far apart.
    pub(crate) unusable: u64,
    /// Other datagrams.
    pub(crate) malformed: u64,
    /// How often the network reported that nobody listens at the server.
    pub(crate) refused: u64,
    /// Bytes that seals add to all of these messages.
    pub(crate) seal_bytes: u64,
}

impl Traffic {
    /// Payload sent and received, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let asked = self.requests + self.replies + self.inquiries + self.statements;
        let unused = self.unknown + self.contradictions + self.unusable;
        let utc = self.utc_requests + self.utc_replies;
        (asked + unused) * wire::SIZE as u64 + utc * UTC_DATAGRAM_SIZE as u64 + self.seal_bytes
    }

    /// What a link did, too. Its requests and replies include those about authority.
    pub(super) fn add_link(&mut self, link: &ClientLinkCounts) {
        self.requests += link.requests;
        self.replies += link.replies;
        self.unknown += link.unknown;
        self.unusable += link.refused;
        self.malformed += link.foreign;
        self.seal_bytes += (link.requests + link.replies + link.unknown + link.refused) * OVERHEAD as u64;
    }

    pub(super) fn refused_reply(&mut self, refusal: Refusal) {
        match refusal {
            Refusal::UnknownRequest => self.unknown += 1,
            Refusal::Contradiction => self.contradictions += 1,
            _ => self.unusable += 1,
        }
    }
}
