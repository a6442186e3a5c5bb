//! Reading the clock from any thread.

use crate::clock::discipline::{Line, Mapping, Published, Reading, Snapshot, State, WORDS};
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::shared::Shared;
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// A `now` that marks nothing as read: the whole line may still be corrected.
const NO_TIME: LocalTime = LocalTime::from_ticks(i64::MIN);

/// Reads a [`Client`](crate::Client)'s clock from any thread, wait-free: no lock, no allocation, and a
/// bounded number of steps whatever the client does meanwhile. Cheap to clone. A reader may outlive its
/// client; the clock is then no longer corrected, and its bound grows.
///
/// Readings never go backwards within an [epoch](Reading::epoch): of two successive reads, the second never
/// gives an earlier time unless its `now` is earlier. This holds across all threads, for every order of
/// calls, for any hitch, and however old the stamps of replies are. A `now` in the future is a forecast. What
/// was read up to 2 s ahead of the latest time that the client was told stays as it was read; a correction
/// may take back what was read further ahead. The first sync shows at once. So does a jump, which an
/// [event](crate::Event) declares: forwards within an epoch, or in either direction with a new epoch.
///
/// ```
/// use netclock::{Client, Config, monotonic_now};
///
/// let client = Client::new(Config::default(), 7)?;
/// let reader = client.reader();
/// let physics = std::thread::spawn(move || reader.current_server_time(monotonic_now()));
/// assert_eq!(physics.join().ok(), Some(None)); // nobody has answered the client yet
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Reader {
    published: Shared<Published<WORDS>>,
}

impl core::fmt::Debug for Reader {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Reader").field("snapshot", &self.snapshot(NO_TIME)).finish()
    }
}

impl Reader {
    pub(crate) fn new() -> Result<Self, OutOfMemory> {
        Ok(Reader { published: Shared::new(Published::new())? })
    }

    pub(crate) fn publish(&self, snapshot: &Snapshot, line: Line) -> bool {
        self.published.publish(&snapshot.encode(), line)
    }

    /// Until when the published line may have been read. For the client.
    pub(crate) fn horizon(&self) -> LocalTime {
        LocalTime::from_ticks(self.published.horizon())
    }

    /// Whether there is a server time to read.
    pub(crate) fn is_synced(&self) -> bool {
        self.published.is_published()
    }

    fn snapshot(&self, at: LocalTime) -> Option<Snapshot> {
        self.published.read(at.ticks(), Snapshot::decode)
    }

    /// The server's time at `now`; `None` until synced, and for a `now` outside the [valid
    /// range](LocalTime::is_valid).
    #[inline]
    pub fn current_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.published.newest_server_time(now).or_else(|| self.look(now))
    }

    /// The server's time at `now` if a glance was not enough; `None` until synced.
    #[cold]
    #[inline(never)]
    fn look(&self, now: LocalTime) -> Option<ServerTime> {
        self.published.near_server_time(now).or_else(|| self.inspect(now))
    }

    /// The server's time at `now`, whatever is in the way; `None` until synced.
    #[cold]
    #[inline(never)]
    pub(crate) fn inspect(&self, now: LocalTime) -> Option<ServerTime> {
        let mapping = now.is_valid().then(|| self.published.read(now.ticks(), Mapping::decode))??;
        Some(mapping.server_at(now))
    }

    /// What all readers of the client look at.
    pub(crate) fn published(&self) -> &Published<WORDS> {
        &self.published
    }

    /// Everything the clock says at `now`. For a `now` outside the [valid range](LocalTime::is_valid) this is
    /// the same as before the first sync.
    pub fn read(&self, now: LocalTime) -> Reading {
        now.is_valid().then(|| self.snapshot(now)).flatten().map_or(
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

    /// The local time at which the shown clock will read `server`, as far as is known now; `None` until
    /// synced, and for a time outside the [valid range](ServerTime::is_valid).
    pub fn local_time_at(&self, server: ServerTime) -> Option<LocalTime> {
        if !server.is_valid() {
            return None;
        }
        self.published.read(NO_TIME.ticks(), Mapping::decode).map(|mapping| mapping.local_at(server))
    }
}
