//! Checks that each reading of a client is valid and does not contradict other readings of its epoch.

use netclock::{Client, LocalTime, Reading, Span, State};
use netclock_sim::Stairs;
use netclock_sim::remote::Run;

/// Readings are final up to this long after the client's last call (2 s, see `netclock::Reader`).
pub(crate) const FORECAST: i64 = 20_000_000;

/// Fuzz targets read the clock at most this far from the last call.
pub(crate) const NEAR: i64 = 200_000;

#[derive(Default)]
pub(crate) struct Witness {
    epoch: u32,
    /// Readings of this epoch that are no later than [`FORECAST`] after the client's last call.
    seen: Stairs,
}

impl Witness {
    /// Asserts that the true time is within the bound when the local clock is at `at + ahead`. The `runs`
    /// compute the true time from `at`, without `ahead`.
    pub(crate) fn judge(&mut self, client: &Client, runs: &[Run], at: i64, ahead: i64, last: Option<i64>) {
        let reading = self.read(client, at + ahead, last);
        if reading.error_bound < Span::MAX {
            let run = runs.iter().find(|run| run.epoch == reading.server_epoch);
            // If no reply has stated an epoch, `server_epoch` is zero and there is only one run.
            let truth = run.unwrap_or(&runs[0]).truth(LocalTime::from_ticks(at));
            let error = (reading.server_time - truth).abs();
            assert!(error <= reading.error_bound, "off by {error} at {at}: {reading:?}");
        }
    }

    /// `last` is the local time of the client's last call, or `None` if there was no call.
    pub(crate) fn read(&mut self, client: &Client, at: i64, last: Option<i64>) -> Reading {
        let at = LocalTime::from_ticks(at);
        let reading = client.read(at);
        let synced = reading.state != State::Unsynced;
        assert_eq!(synced, client.is_time_synced() && at.is_valid());
        assert_eq!(synced, reading.epoch > 0, "{reading:?}");
        assert_eq!(synced.then_some(reading.server_time), client.current_server_time(at), "{reading:?}");
        let has_inverse = client.is_time_synced() && reading.server_time.is_valid();
        assert_eq!(has_inverse, client.local_time_at(reading.server_time).is_some());
        assert!(reading.error_bound >= Span::ZERO, "{reading:?}");
        assert!(reading.expected_error >= Span::ZERO, "{reading:?}");
        assert!(reading.expected_error <= reading.error_bound, "{reading:?}");
        assert!(reading.round_trip >= Span::ZERO, "{reading:?}");
        assert!(reading.frequency_ppm.is_finite(), "{reading:?}");
        assert!(reading.epoch >= self.epoch || !at.is_valid(), "the epoch went backward: {reading:?}");
        if !synced {
            assert_eq!((reading.server_time.ticks(), reading.error_bound), (0, Span::MAX));
            return reading;
        }
        self.epoch = reading.epoch;
        let near = last.is_some_and(|last| at.ticks().saturating_sub(last) <= FORECAST);
        if near {
            let back = self.seen.backwards(at.ticks(), &reading);
            assert!(back <= 0, "{back} ticks before an earlier read: {reading:?} at {at:?}");
        }
        reading
    }
}
