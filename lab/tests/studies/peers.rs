//! Tests that peers behind a relay agree unless the relay hides how long it holds messages.

use netclock_lab::study::peers::suite;

use crate::support::seeds;

#[test]
fn peers_beat_the_published_clock_behind_a_relay() {
    let rows = suite(seeds(1)).expect("the clocks exist");
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!((row.account.backwards, row.steps), (0, 0), "{row:?}");
        if row.is_honest {
            assert_eq!(row.account.outside, 0, "{row:?}");
            assert!(row.bias_ms.abs() < 1.5, "{row:?}");
            assert!(row.p99_ms < 5.0, "{row:?}");
            assert!(row.p99_ms < row.trimmed_mean_p99_ms / 4.0, "{row:?}");
        } else {
            assert!(row.bias_ms.abs() > 8.0, "{row:?}");
        }
    }
}
