//! Tests a first packet that is late because the network resolves an address or wakes up a radio.

use netclock::{Cause, Event, Reading, Span};
use netclock_sim::pair::{Link, Pair};

use crate::assert_run;

/// The network holds all messages for the first `held` ms. Returns the client's events and its readings with
/// their errors (ms), which start at the first reply and are 1 ms apart.
fn follow(held: i64) -> (Vec<(Reading, f64)>, Vec<Event>) {
    let link = Link { forward: 15.0, reverse: 15.0, jitter: 0.0, ppm: 0.0, frame: 1.0, ..Link::default() };
    let (mut pair, mut reads, mut events) = (Pair::new(link), Vec::new(), Vec::new());
    for ms in 0..held + 3_000 {
        pair.link.forward = link.forward + (held - ms).max(0) as f64;
        events.extend(assert_run(&mut pair, 0.001).events);
        if pair.client.is_time_synced() {
            let reading = pair.client.read(pair.now);
            reads.push((reading, (reading.server_time - pair.truth(pair.now)).as_millis_f64()));
        }
    }
    (reads, events)
}

#[test]
fn a_held_first_packet_is_doubted_and_corrected_by_one_step() {
    for held in [0, 300, 830] {
        let (reads, events) = follow(held);
        let (first, first_error) = reads[0];
        let late = reads.iter().rposition(|(_, error)| error.abs() >= 50.0).map_or(0, |ms| ms + 1);
        let expected = first.expected_error.as_millis_f64();
        assert!(first_error <= 2.0 * expected, "the expected error does not cover a held packet");
        assert!(late <= 300 && reads[1_000..].iter().all(|(_, error)| error.abs() < 5.0), "{late} ms");
        let settled = reads[1_000].0.expected_error;
        assert!(settled < Span::from_millis(20), "{settled:?}");
        let steps: Vec<&Event> =
            events.iter().filter(|it| matches!(it, Event::Discontinuity { .. })).collect();
        match *steps {
            [] => assert_eq!(held, 0),
            [&Event::Discontinuity { cause: Cause::Correction, jump, epoch: 2 }] => {
                assert!(jump < Span::from_millis(-held / 4), "{jump:?} after {held} ms");
            }
            _ => panic!("{steps:?} after {held} ms"),
        }
    }
}
