use netclock::keyed::OVERHEAD;
use netclock::link::ClientLinkCounts;
use netclock::wire;
use serde::Serialize;

/// Counts the datagrams between client and server. With a link, message exchanges count only towards the
/// bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Traffic {
    pub(crate) requests: u64,
    pub(crate) replies: u64,
    /// Replies that match no outstanding request, such as duplicates, late replies and forgeries.
    pub(crate) unknown: u64,
    pub(crate) malformed: u64,
    /// How often the network reported that no program listens on the server's port.
    pub(crate) refused: u64,
    pub(crate) sent_bytes: u64,
    pub(crate) received_bytes: u64,
}

impl Traffic {
    pub(crate) fn bytes(&self) -> u64 {
        self.sent_bytes + self.received_bytes
    }

    pub(super) fn add_link(&mut self, link: &ClientLinkCounts) {
        self.requests += link.requests;
        self.replies += link.replies;
        self.unknown += link.unknown;
        self.malformed += link.foreign;
        let sealed = (wire::SIZE + OVERHEAD) as u64;
        self.sent_bytes += link.requests * sealed;
        self.received_bytes += (link.replies + link.unknown + link.refused) * sealed;
    }
}
