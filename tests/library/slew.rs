//! Tests slews that exceed the stated limit, and steps that the game requests. The exploration of small
//! sessions and the lab's study `slewed` check that bounds hold once a reply has revealed a slew.

use netclock::{Cause, Client, Config, Degradation, Event, Exchange, LocalTime, ServerTime, Span};
use netclock_sim::pair::{Link, Pair, RunRecord};

use crate::assert_run;

const SLEWED: Event = Event::Degraded(Degradation::Slewed);

fn lan() -> Link {
    Link { forward: 0.1, reverse: 0.1, jitter: 0.02, ..Link::default() }
}

/// Returns how fast the error bound grows, in ppm. The result includes a small allowance for the uncertain
/// rate.
fn growth_ppm(pair: &Pair) -> f64 {
    let (now, later) = (pair.now, pair.now + Span::from_secs(1_000));
    (pair.client.read(later).error_bound - pair.client.read(now).error_bound).as_millis_f64()
}

/// The client has measured no rate yet, so only the configured drift may limit the bound.
#[test]
fn a_tight_promise_gives_a_tight_bound() {
    let config = Config { client_drift_ppm: 0.5, server_drift_ppm: 0.5, ..Config::default() };
    let mut client = Client::new(config, 1).expect("the settings are valid");
    let (sent, at_server) = (LocalTime::from_ticks(0), ServerTime::from_ticks(100));
    let received = sent + Span::from_micros(20);
    let exchange = Exchange::from_stamps(sent, at_server, at_server, received);
    client.handle_exchange(&exchange, None).expect("the exchange is valid");
    for seconds in [2, 4, 8] {
        let bound = client.read(received + Span::from_secs(seconds)).error_bound;
        let wanted = Span::from_micros(10 + seconds);
        assert!((bound - wanted).abs() < Span::from_micros(1), "{bound} after {seconds} s");
    }
}

fn count(seen: &RunRecord, event: Event) -> usize {
    seen.events.iter().filter(|it| **it == event).count()
}

#[test]
fn after_a_step_the_bound_temporarily_allows_for_a_slew() {
    for (step, limit) in [(Span::from_millis(5), 5_630.0), (Span::from_millis(50), 111_200.0)] {
        let mut pair = Pair::new(lan());
        pair.run(60.0);
        pair.set_server_ahead(step);
        let seen = pair.run(10.0);
        assert!(seen.events.iter().any(|it| matches!(it, Event::Discontinuity { .. })), "{:?}", seen.events);
        assert!((limit..limit + 200.0).contains(&growth_ppm(&pair)), "{} ppm", growth_ppm(&pair));
        let later = assert_run(&mut pair, 20.0);
        assert!(growth_ppm(&pair) < 150.0, "{} ppm", growth_ppm(&pair));
        assert_eq!(count(&seen, SLEWED) + count(&later, SLEWED), 0, "the step was reported as a slew");
    }
}

#[test]
fn bounds_are_as_before_after_twenty_minutes_without_evidence() {
    let mut pair = Pair::new(lan());
    pair.run(60.0);
    pair.set_server_rate(520.0);
    assert_eq!(count(&pair.run(40.0), SLEWED), 1);
    pair.set_server_rate(20.0);
    let seen = pair.run(80.0);
    assert!(growth_ppm(&pair) > 600.0, "{} ppm, {:?}", growth_ppm(&pair), seen.events);
    // For up to three more minutes, the measurements from before the change still show the slew.
    let seen = pair.run(1_400.0);
    assert_eq!((seen.account.outside, count(&seen, Event::Recovered)), (0, 1), "{:?}", seen.events);
    assert!(growth_ppm(&pair) < 150.0, "{} ppm", growth_ppm(&pair));
}

/// Starts a client while a queue of 0.9 s in one direction drains within 6 s. Returns the client and its
/// error.
fn joined_behind_a_queue(down: bool) -> (Pair, Span) {
    let mut pair = Pair::new(Link::default());
    for tenth in 0..65 {
        let queue = (900.0 - 15.0 * f64::from(tenth)).max(0.0);
        *(if down { &mut pair.link.reverse } else { &mut pair.link.forward }) = 25.0 + queue;
        pair.run(0.1);
    }
    let off = pair.client.read(pair.now).server_time - pair.truth(pair.now);
    (pair, off)
}

#[test]
fn a_requested_step_replaces_the_rest_of_a_slew() {
    for down in [true, false] {
        let (mut pair, off) = joined_behind_a_queue(down);
        assert!(off.abs() > Span::from_millis(20), "{off} is left");
        while pair.client.next_event().is_some() {}
        let before = pair.client.read(pair.now);
        assert_eq!(pair.client.make_step(pair.now, Span::from_secs(1)), Ok(Span::ZERO), "too small a step");
        assert_eq!(pair.client.read(pair.now), before);
        let step = pair.client.make_step(pair.now, Span::ZERO).expect("time is in order");
        let after = pair.client.read(pair.now);
        let left = after.server_time - pair.truth(pair.now);
        assert!(left.abs() < Span::from_millis(10) && left.abs() <= after.error_bound, "{left}");
        assert_eq!(after.server_time - before.server_time, step);
        // A queue in the reverse direction makes the client's clock slow, so the clock steps forward.
        assert_eq!((step > Span::ZERO, after.epoch - before.epoch), (down, u32::from(!down)));
        let cause = Cause::Requested;
        assert_eq!(
            pair.client.next_event(),
            Some(Event::Discontinuity { cause, jump: step, epoch: after.epoch })
        );
        assert_eq!(
            pair.client.make_step(pair.now, Span::ZERO),
            Ok(Span::ZERO),
            "a second step corrected something"
        );
        assert_eq!(pair.client.next_event(), None);
        let seen = assert_run(&mut pair, 5.0);
        assert!(seen.worst_ms < 10.0, "{} ms", seen.worst_ms);
    }
}

#[test]
fn a_step_keeps_readings_of_future_times_in_its_epoch() {
    let (mut pair, _) = joined_behind_a_queue(true);
    // Without the step, the slew would last 1.5 s, in which the clock would gain more than the step.
    let ahead = [0, 500, 1_500].map(|ms| pair.now + Span::from_millis(ms));
    let before = ahead.map(|at| pair.client.read(at));
    pair.client.make_step(pair.now, Span::ZERO).expect("time is in order");
    for (at, before) in ahead.into_iter().zip(before) {
        let after = pair.client.read(at);
        assert!(after.epoch > before.epoch || after.server_time >= before.server_time, "at {at:?}");
    }
}

#[test]
fn a_step_without_a_clock_or_at_a_wrong_time_changes_nothing() {
    let mut pair = Pair::new(Link::default());
    assert_eq!(pair.client.make_step(pair.now, Span::ZERO), Ok(Span::ZERO));
    assert_eq!(pair.client.next_event(), None);
    pair.run(1.0);
    let before = pair.client.read(pair.now);
    assert!(pair.client.make_step(pair.now - Span::from_millis(200), Span::ZERO).is_err());
    assert!(pair.client.make_step(LocalTime::from_ticks(i64::MAX), Span::MAX).is_err());
    assert_eq!(pair.client.read(pair.now), before);
}

#[test]
fn a_clock_for_broadcast_is_slewed_by_100_ppm_at_most() {
    let config = Config { max_slew: 1e-4, ..Config::default() };
    let mut pair = Pair::with_config(Link::default(), config);
    pair.run(30.0);
    pair.client.make_step(pair.now, Span::ZERO).expect("time is in order");
    pair.run(0.1);
    let seen = assert_run(&mut pair, 600.0);
    assert!(seen.largest_rate_deviation <= 1e-4 + 1e-9, "{}", seen.largest_rate_deviation);
    assert!(pair.run(60.0).worst_ms < 0.5, "the clock does not follow 20 ppm");
}
