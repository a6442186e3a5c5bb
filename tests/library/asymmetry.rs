//! A route change can reveal a path's asymmetry. The client then remembers it across restarts, reconnects and
//! sessions.

use netclock::{Cause, Client, Config, Earlier, Event, Saved, Span};
use netclock_sim::pair::{Link, Pair};

use crate::assert_run;

/// Unix time at the end of the first session (s).
const THEN: i64 = 1_800_000_000;
const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;

/// The new server's timestamps do not reveal the asymmetry, so the client must remember it. The client must
/// remember the asymmetry even if it was unsure just before the restart.
#[test]
fn a_known_asymmetry_survives_a_restart_of_the_server() {
    for number in 0..20 {
        let (forward, reverse) = if number % 2 == 0 { (65.0, 25.0) } else { (25.0, 65.0) };
        let link = Link { jitter: 2.0, ..Link::default() };
        let mut pair = Pair::numbered(link, Config::default(), number);
        pair.run(300.0);
        (pair.link.forward, pair.link.reverse) = (forward, reverse);
        let changed = pair.run(120.0);
        assert!(changed.worst_ms < 3.0, "{} ms", changed.worst_ms);
        pair.restart_server(2, -Span::from_secs(100));
        pair.run(10.0);
        let seen = assert_run(&mut pair, 60.0);
        assert!(seen.worst_ms < 3.0, "{} ms", seen.worst_ms);
        let doubt = pair.client.read(pair.now).expected_error;
        assert!(doubt > Span::from_millis(1), "as certain as if the route had been observed again: {doubt}");
        assert!(doubt < Span::from_millis(8), "{doubt}");
        // The path returns to the first route, so the remembered asymmetry is now wrong.
        (pair.link.forward, pair.link.reverse) = (25.0, 25.0);
        pair.run(20.0);
        let back = assert_run(&mut pair, 60.0);
        assert!(back.worst_ms < 3.0, "{} ms", back.worst_ms);
    }
}

/// After 17 minutes, the history no longer contains exchanges over the first route.
#[test]
fn a_known_asymmetry_outlives_the_exchanges_that_revealed_it() {
    let mut pair = Pair::new(Link { jitter: 2.0, frame: 100.0, ..Link::default() });
    pair.run(400.0);
    pair.link.forward = 65.0;
    let seen = assert_run(&mut pair, 3_000.0);
    assert!(seen.worst_ms < 4.0, "{} ms", seen.worst_ms);
}

/// Returns a client whose forward delay has grown by 40 ms, and its saved state.
fn unequal() -> (Pair, Saved) {
    let mut pair = Pair::new(Link { jitter: 2.0, ..Link::default() });
    pair.run(120.0);
    pair.link.forward = 65.0;
    pair.run(120.0);
    let saved = pair.client.save(THEN).expect("the rate is known");
    (pair, saved)
}

/// Runs for 60 s and returns the largest error in ms after the first 5 s.
fn later_ms(pair: &mut Pair) -> f64 {
    pair.run(5.0);
    let seen = assert_run(pair, 55.0);
    seen.worst_ms
}

#[test]
fn a_known_asymmetry_survives_a_step() {
    for by in [Span::from_secs(5), -Span::from_secs(5)] {
        let (mut pair, _) = unequal();
        pair.set_server_ahead(by);
        let seen = pair.run(30.0);
        let stepped = |event: &Event| matches!(event, Event::Discontinuity { cause: Cause::ProvenStep, .. });
        assert!(seen.events.iter().any(stepped), "{:?}", seen.events);
        let worst = later_ms(&mut pair);
        assert!(worst < 3.0, "{worst} ms");
    }
}

#[test]
fn a_known_asymmetry_survives_a_reconnect() {
    let (mut pair, _) = unequal();
    pair.link.loss = 1.0;
    pair.run(120.0);
    pair.link.loss = 0.0;
    pair.restart_server(2, Span::from_secs(77));
    pair.client.begin_burst();
    let worst = later_ms(&mut pair);
    assert!(worst < 3.0, "{worst} ms");
}

fn session_after(saved: &Saved, age: i64, link: Link) -> Pair {
    let mut pair = Pair::new(link);
    let earlier = Earlier { machine: &saved.machine, server: &saved.server, seconds: THEN + age, boot: 0 };
    pair.client = Client::with_saved(Config::default(), 5, &earlier).expect("the configuration is valid");
    pair
}

#[test]
fn a_known_asymmetry_is_saved() {
    let (pair, saved) = unequal();
    let mut next = session_after(&saved, HOUR, pair.link);
    let worst = later_ms(&mut next);
    assert!(worst < 3.0, "{worst} ms");
    let doubt = next.client.read(next.now).expected_error;
    assert!(doubt > Span::from_millis(2), "as certain as if the route had been observed: {doubt}");
    assert!(doubt < Span::from_millis(8), "{doubt}");
    // The asymmetry must also survive a session without a route change.
    let saved = next.client.save(THEN + HOUR).expect("the rate is known");
    let mut third = session_after(&saved, 2 * HOUR, pair.link);
    let worst = later_ms(&mut third);
    assert!(worst < 3.0, "{worst} ms");
    assert!(
        third.client.read(third.now).expected_error > doubt,
        "more certain than without observing the route"
    );
    // The client ignores the asymmetry after a month because the route may have changed.
    let mut late = session_after(&saved, 30 * DAY, pair.link);
    let worst = later_ms(&mut late);
    assert!((19.0..22.0).contains(&worst), "{worst} ms");
}

#[test]
fn a_route_change_between_sessions_costs_no_more_than_a_cold_start() {
    let (pair, saved) = unequal();
    for (forward, reverse) in
        [(25.0, 25.0), (45.0, 25.0), (58.0, 25.0), (72.0, 25.0), (65.0, 15.0), (65.0, 40.0), (200.0, 25.0)]
    {
        let link = Link { forward, reverse, ..pair.link };
        let warm = later_ms(&mut session_after(&saved, HOUR, link));
        let cold = later_ms(&mut Pair::new(link));
        assert!(warm < cold + 0.5, "{forward} up, {reverse} down: {warm} ms, and {cold} ms cold");
    }
}

/// The client saved the asymmetry of the second route, but the path is back on the first route.
#[test]
fn a_saved_asymmetry_is_dropped_with_its_route() {
    let (pair, saved) = unequal();
    let mut next = session_after(&saved, HOUR, pair.link);
    next.run(120.0);
    (next.link.forward, next.link.reverse) = (25.0, 25.0);
    next.run(60.0);
    let seen = assert_run(&mut next, 60.0);
    assert!(seen.worst_ms < 5.0, "{} ms", seen.worst_ms);
    let saved = next.client.save(THEN).expect("the rate is known");
    let worst = later_ms(&mut session_after(&saved, HOUR, Link { jitter: 2.0, ..Link::default() }));
    assert!(worst < 3.0, "{worst} ms");
}

/// The bound must cover both a lying server and a new route with the same round trip, because no client can
/// detect them.
#[test]
fn a_false_asymmetry_with_the_right_round_trip_stays_within_the_bound() {
    let (pair, saved) = unequal();
    let link = Link { forward: 45.0, reverse: 45.0, ..pair.link };
    let mut next = session_after(&saved, HOUR, link);
    let seen = assert_run(&mut next, 120.0);
    assert!(seen.worst_ms < 23.0, "{} ms", seen.worst_ms);
}
