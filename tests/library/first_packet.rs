//! Tests a first packet that is late because the network resolves an address or wakes up a radio.

use netclock::{Cause, Client, Config, Event, LocalTime, Reading, Reply, RequestId, ServerTime, Span};

const MS: i64 = 10_000;
/// The one-way delay, and how far the server's clock is ahead (ms).
const DELAY: i64 = 15;
const AHEAD: i64 = 70_000;

fn local(ms: i64) -> LocalTime {
    LocalTime::from_ticks(ms * MS)
}

/// Delays the client's first request by `held` ms. Returns the client's events, and a reading for every
/// millisecond from the first reply on.
fn follow(held: i64) -> (Vec<Reading>, Vec<Event>) {
    let mut client = Client::new(Config::default(), 7).expect("the settings are in range");
    let mut under_way: Vec<(i64, i64, RequestId)> = Vec::new();
    let (mut reads, mut events) = (Vec::new(), Vec::new());
    for now in 0..held + 3_000 {
        for &(there, _, id) in under_way.iter().filter(|it| it.1 == now) {
            let there = ServerTime::from_ticks((there + AHEAD) * MS);
            let reply = Reply { id, epoch: 1, received: there, sent: there, wait: None };
            client.handle_reply(&reply, local(now)).expect("the reply is genuine");
        }
        if let Some(request) = client.tick(local(now)).expect("time goes on") {
            let there = now.max(held) + DELAY;
            under_way.push((there, there + DELAY, request.id));
        }
        events.extend(std::iter::from_fn(|| client.next_event()));
        if client.is_time_synced() {
            reads.push(client.read(local(now)));
        }
    }
    (reads, events)
}

fn error_ms(reading: &Reading, now: i64) -> f64 {
    (reading.server_time - ServerTime::from_ticks((now + AHEAD) * MS)).as_millis_f64()
}

#[test]
fn a_held_first_packet_is_doubted_and_corrected_by_one_step() {
    for held in [0, 300, 830] {
        let (reads, events) = follow(held);
        let first = held + 2 * DELAY;
        let errors: Vec<f64> =
            reads.iter().zip(first..).map(|(reading, now)| error_ms(reading, now)).collect();
        let expected = reads[0].expected_error.as_millis_f64();
        let late = errors.iter().rposition(|error| error.abs() >= 50.0).map_or(0, |ms| ms + 1);
        assert!(errors[0] <= 2.0 * expected, "the expected error does not cover a held packet");
        assert!(late <= 300 && errors[1_000..].iter().all(|error| error.abs() < 5.0), "{late} ms");
        let settled = reads[1_000].expected_error;
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
        let went_back = reads
            .windows(2)
            .any(|pair| pair[1].epoch == pair[0].epoch && pair[1].server_time < pair[0].server_time);
        assert!(!went_back, "{held} ms");
    }
}
