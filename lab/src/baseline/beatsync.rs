//! NTP's filter over the last 16 exchanges.
//! Source: Beatsync, music in step over several browsers.

use super::rule::Pace;
use super::smallest_trip::SmallestTrip;

/// The last 16; 16 probes 30 ms apart, then one a second.
pub(super) fn beatsync() -> SmallestTrip<16> {
    SmallestTrip::new("beatsync", Pace::each(1.0))
}
