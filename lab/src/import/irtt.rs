//! The JSON that `irtt client -o FILE.json` writes: stamps in nanoseconds.

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Found, Stamps};

const NS_PER_TICK: i64 = 100;

/// The answered round trips in a file. If the server sent timestamps of its monotonic clock, those are used.
pub(super) fn read(text: &str) -> Result<Found> {
    let json: Value = serde_json::from_str(text).context("not JSON")?;
    let trips = json["round_trips"].as_array().context("there is no list \"round_trips\"")?;
    let stamp = |trip: &Value, side: &str, when: &str, clock: &str| {
        trip["timestamps"][side][when][clock].as_i64().filter(|&ns| ns != 0).map(|ns| ns / NS_PER_TICK)
    };
    // `--tstamp` and `--clock` choose which stamps the server sends.
    let has = |clock: &str| {
        let is_of = |trip, when| stamp(trip, "server", when, clock).is_some();
        trips.iter().any(|trip| is_of(trip, "receive") || is_of(trip, "send"))
    };
    let server = if has("monotonic") { "monotonic" } else { "wall" };
    let mut found = Found { round_trips_only: !has(server), ..Found::default() };
    for (line, trip) in (1..).zip(trips) {
        // Both are from one clock.
        let of_client =
            |clock: &str| stamp(trip, "client", "send", clock).zip(stamp(trip, "client", "receive", clock));
        let Some((client_sent, client_received)) = of_client("monotonic").or_else(|| of_client("wall"))
        else {
            continue;
        };
        let received = stamp(trip, "server", "receive", server);
        let sent = stamp(trip, "server", "send", server).or(received);
        found.stamps.extend(match received.or(sent).zip(sent) {
            Some((server_received, server_sent)) => {
                Some(Stamps::of_four(line, [client_sent, server_received, server_sent, client_received]))
            }
            None if found.round_trips_only => {
                Some(Stamps::of_offset(line, client_received, 0, client_received - client_sent))
            }
            None => None,
        });
    }
    let lost = trips.len() - found.stamps.len();
    if lost > 0 {
        found.notes.push(format!("{lost} of {} round trips have no reply or no timestamps", trips.len()));
    }
    Ok(found)
}
