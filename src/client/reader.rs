//! Reading the clock from any thread.

use crate::clock::{self, Mapping, Published, Reading, Snapshot, State, WORDS};
use crate::memory::OutOfMemory;
use crate::shared::Shared;
use crate::time::{LocalTime, ServerTime, Span};

/// Reads a [`Client`](crate::Client)'s clock from any thread, wait-free: no lock, no allocation, and a bounded number of
/// steps whatever the client does meanwhile. Cheap to clone. It may outlive its client. Then nobody corrects the clock
/// any more, and its bound grows.
///
/// Readings are monotone within an [epoch](Reading::epoch) if the local times passed in are within 20 ms of that of the
/// client's last call.
#[derive(Clone)]
pub struct Reader {
    published: Shared<Published<WORDS>>,
}

impl core::fmt::Debug for Reader {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Reader").field("snapshot", &self.snapshot()).finish()
    }
}

impl Reader {
    pub(crate) fn new() -> Result<Self, OutOfMemory> {
        Ok(Reader { published: Shared::new(Published::new())? })
    }

    pub(crate) fn publish(&self, snapshot: &Snapshot) -> bool {
        self.published.publish(&snapshot.encode())
    }

    fn snapshot(&self) -> Option<Snapshot> {
        self.published.read(Snapshot::decode)
    }

    /// The server's time at `now`; none until synced.
    #[inline]
    pub fn current_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.glance(now).or_else(|| self.look(now))
    }

    /// The server's time at `now`, if a few words of the snapshot are enough: nearly always.
    #[inline]
    pub(crate) fn glance(&self, now: LocalTime) -> Option<ServerTime> {
        self.published.glance(|words| clock::glance(words, now))
    }

    /// The server's time at `now`, after a glance was not enough; none until synced.
    #[cold]
    #[inline(never)]
    pub(crate) fn look(&self, now: LocalTime) -> Option<ServerTime> {
        self.published.read(Mapping::decode).map(|mapping| mapping.server_at(now))
    }

    /// Everything the clock says at `now`.
    pub fn read(&self, now: LocalTime) -> Reading {
        self.snapshot().map_or(
            Reading {
                server_time: ServerTime::from_ticks(0),
                error_bound: Span::MAX,
                expected_error: Span::MAX,
                round_trip: Span::MAX,
                frequency_ppm: 0.0,
                state: State::Unsynced,
                epoch: 0,
                server_epoch: 0,
            },
            |snapshot| snapshot.read(now),
        )
    }

    /// The local time at which the shown clock reads `server`, as far as is known now; none until synced.
    pub fn local_time_at(&self, server: ServerTime) -> Option<LocalTime> {
        self.published.read(Mapping::decode).map(|mapping| mapping.local_at(server))
    }
}
