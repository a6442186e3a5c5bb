//! What the server says about UTC: it looks at the machine's UTC once a second, and answers clients with its
//! newest claim.

use anyhow::Result;
use netclock::utc::{UtcPublisher, UtcPublisherConfig, UtcReply, UtcRequest, UtcSample};
use netclock::{ServerTime, Span};

use crate::net::clock::MachineTime;

/// Time between two looks.
const LOOK_EVERY: Span = Span::from_secs(1);

/// The server's half of its clients' UTC.
pub(crate) struct UtcSource {
    publisher: UtcPublisher,
    looked: Option<MachineTime>,
}

impl UtcSource {
    /// About the run of the clock with this epoch.
    pub(crate) fn new(epoch: u64) -> Result<Self> {
        Ok(UtcSource { publisher: UtcPublisher::new(UtcPublisherConfig::default(), epoch)?, looked: None })
    }

    /// Looks at the machine's UTC, if that is due. `at` gives the server time at a machine time, and `error`
    /// says how far UTC may be off, if anybody states it.
    pub(crate) fn look(
        &mut self,
        now: MachineTime,
        at: impl Fn(MachineTime) -> ServerTime,
        error: Option<Span>,
    ) -> Result<()> {
        if self.looked.is_some_and(|looked| now - looked < LOOK_EVERY) {
            return Ok(());
        }
        self.looked = Some(now);
        let Some(UtcSample { local, utc, uncertainty }) = netclock::utc_now() else { return Ok(()) };
        let server = at(MachineTime::from_ticks(local.ticks()));
        self.publisher.observe(server, utc, error.map(|error| error + uncertainty))?;
        Ok(())
    }

    /// The answer to a request, which is as long as the request. None if `bytes` are none, or nothing is
    /// known yet.
    pub(crate) fn answer(&self, bytes: &[u8]) -> Option<[u8; netclock::utc::UTC_DATAGRAM_SIZE]> {
        let UtcRequest { id } = UtcRequest::decode(bytes).ok()?;
        let claim = *self.publisher.newest()?;
        UtcReply { id, claim }.encode().ok()
    }
}
