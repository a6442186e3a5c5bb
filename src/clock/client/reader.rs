use crate::clock::discipline::{Line, Mapping, Published, Reading, Snapshot, State, WORDS};
use crate::clock::ground::memory::OutOfMemory;
use crate::clock::ground::shared::Shared;
use crate::clock::ground::time::{LocalTime, ServerTime, Span};

/// An instant before all valid ones. Reading at this instant does not restrict later corrections.
const NO_TIME: LocalTime = LocalTime::from_ticks(i64::MIN);

/// Reads a [`Client`](crate::Client)'s clock from any thread. Reads are wait-free. They neither lock nor
/// allocate, and finish in a bounded number of steps whatever the client does. Cloning is cheap. A reader may
/// outlive its client, but the clock is then no longer corrected and its error bound grows.
///
/// Readings never go backwards within an [epoch](Reading::epoch). A read returns an earlier time than a
/// previous read only if its `now` is earlier. This holds across all threads, for any order of calls, during
/// hitches, and no matter how old the timestamps of replies are. A read with a future `now` is a forecast.
/// Times read up to 2 s ahead of the latest time passed to the client never change. A correction may revoke
/// reads further ahead. The first sync and jumps, which are reported as [events](crate::Event), take effect
/// immediately. A jump within an epoch is forward, while a jump to a new epoch may go in either direction.
///
/// ```
/// use netclock::{Client, Config, monotonic_now};
///
/// let client = Client::new(Config::default(), 7)?;
/// let reader = client.reader();
/// let physics = std::thread::spawn(move || reader.current_server_time(monotonic_now()));
/// assert_eq!(physics.join().ok(), Some(None)); // not synced yet
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

    /// Returns the latest instant for which the published mapping may have been read. Only the client calls
    /// this.
    pub(crate) fn horizon(&self) -> LocalTime {
        LocalTime::from_ticks(self.published.horizon())
    }

    fn snapshot(&self, at: LocalTime) -> Option<Snapshot> {
        self.published.read(at.ticks(), Snapshot::decode)
    }

    /// Returns the server's time at `now`, or `None` before the first sync or if `now` is outside the [valid
    /// range](LocalTime::is_valid).
    #[inline]
    pub fn current_server_time(&self, now: LocalTime) -> Option<ServerTime> {
        self.published.newest_server_time(now).or_else(|| self.look(now))
    }

    #[cold]
    #[inline(never)]
    fn look(&self, now: LocalTime) -> Option<ServerTime> {
        self.published.near_server_time(now).or_else(|| self.inspect(now))
    }

    /// Reads a copy of the mapping, which works even while the client is publishing.
    #[cold]
    #[inline(never)]
    pub(crate) fn inspect(&self, now: LocalTime) -> Option<ServerTime> {
        let mapping = now.is_valid().then(|| self.published.read(now.ticks(), Mapping::decode))??;
        Some(mapping.server_at(now))
    }

    pub(crate) fn published(&self) -> &Published<WORDS> {
        &self.published
    }

    /// Reads the server's time at `now`, with its error bounds and the state of the clock. If `now` is
    /// outside the [valid range](LocalTime::is_valid), the result is the same as before the first sync.
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

    /// Returns the local time at which the clock will show `server`, according to the current estimate, or
    /// `None` before the first sync or if `server` is outside the [valid range](ServerTime::is_valid).
    pub fn local_time_at(&self, server: ServerTime) -> Option<LocalTime> {
        if !server.is_valid() {
            return None;
        }
        self.published.read(NO_TIME.ticks(), Mapping::decode).map(|mapping| mapping.local_at(server))
    }
}
