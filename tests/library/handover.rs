//! When another authority takes over the timescale, the clock must stay within its bound and never run
//! backwards. The client must reject authorities with other timescales.

use netclock::authority::{Authority, AuthorityError};
use netclock::{Cause, Config, Event, Span, State};
use netclock_sim::pair::{Link, Pair, RunRecord};

use crate::{assert_run, settled};

const NEW: u64 = 2;

const DISPERSION: Span = Span::from_millis(5);

fn successor(dispersion: Span) -> Authority {
    Authority { epoch: NEW, timescale: 1, dispersion }
}

fn take_over(pair: &mut Pair, off: Span) {
    pair.server.run.epoch = NEW;
    pair.set_server_ahead(off);
}

fn until_doubtful(pair: &mut Pair) -> RunRecord {
    loop {
        let seen = pair.run(0.001);
        if pair.client.read(pair.now).state == State::Doubtful {
            return seen;
        }
    }
}

fn is_restart(event: &Event) -> bool {
    matches!(event, Event::Discontinuity { cause: Cause::ServerRestart, .. })
}

fn restarts_once(pair: &mut Pair) -> RunRecord {
    let seen = pair.run(10.0);
    assert_eq!(seen.events.iter().filter(|event| is_restart(event)).count(), 1, "{:?}", seen.events);
    seen
}

fn goes_on(pair: &mut Pair) {
    let epoch = pair.client.read(pair.now).epoch;
    let seen = assert_run(pair, 10.0);
    assert_eq!(seen.events, [Event::HandedOver]);
    assert!(seen.worst_ms < 8.0, "{} ms", seen.worst_ms);
    assert!(seen.largest_rate_deviation <= 0.051, "{}", seen.largest_rate_deviation);
    let reading = pair.client.read(pair.now);
    assert_eq!((reading.epoch, reading.server_epoch, reading.state), (epoch, NEW, State::Synced));
    assert_run(pair, 20.0);
    assert!(pair.client.read(pair.now).expected_error < Span::from_millis(3));
    is_stated(pair, &successor(DISPERSION));
}

fn is_stated(pair: &Pair, expected: &Authority) {
    let known = pair.client.authority(pair.now).expect("it is in sync");
    assert_eq!(Authority { dispersion: expected.dispersion, ..known }, *expected);
    let grown = known.dispersion - expected.dispersion;
    assert!(Span::ZERO <= grown && grown < Span::from_millis(5), "{grown}");
    // Each clock may drift by 50 ppm. A slow local clock also counts fewer ticks per second. This adds 0.005
    // ppm.
    let late = pair.client.authority(pair.now + Span::from_secs(1_000)).expect("it is in sync");
    let minute_later = pair.client.authority(pair.now + Span::from_secs(1_060)).expect("it is in sync");
    assert_eq!(minute_later.dispersion - late.dispersion, Span::from_ticks(60_003));
}

#[test]
fn an_authority_announced_before_the_first_reply_is_kept() {
    let mut pair = Pair::new(Link::default());
    let first = Authority { epoch: 1, timescale: 77, dispersion: DISPERSION };
    assert_eq!(pair.client.set_authority(&first, pair.now), Ok(()));
    assert_run(&mut pair, 20.0);
    is_stated(&pair, &first);
    let next = Authority { timescale: 77, ..successor(DISPERSION) };
    assert_eq!(pair.client.set_authority(&next, pair.now), Ok(()));
    take_over(&mut pair, DISPERSION);
    assert_eq!(pair.run(10.0).events, [Event::HandedOver]);
}

#[test]
fn a_distant_clock_is_followed_within_its_stated_dispersion() {
    let far = Span::from_millis(120);
    for off in [-far, far] {
        let mut pair = settled(Link::default());
        assert_eq!(pair.client.set_authority(&successor(far), pair.now), Ok(()));
        take_over(&mut pair, off);
        let seen = assert_run(&mut pair, 10.0);
        assert_eq!(seen.events, [Event::HandedOver]);
        assert!(seen.largest_rate_deviation <= 0.051, "{}", seen.largest_rate_deviation);
        let reading = pair.client.read(pair.now);
        assert_eq!((reading.epoch, reading.server_epoch, reading.state), (1, NEW, State::Synced));
        let late = assert_run(&mut pair, 5.0);
        assert!(late.worst_ms < 3.0, "{} ms", late.worst_ms);
    }
}

#[test]
fn an_authority_announced_while_the_old_run_is_shown_hands_over() {
    for off in [-DISPERSION, Span::ZERO, DISPERSION] {
        let mut pair = settled(Link::default());
        take_over(&mut pair, off);
        let seen = until_doubtful(&mut pair);
        assert_eq!((seen.events, seen.account.backwards), (vec![], 0));
        assert_eq!(pair.client.authority(pair.now), Some(Authority::alone(1)), "the old run is shown");
        assert_eq!(pair.client.set_authority(&successor(DISPERSION), pair.now), Ok(()));
        assert_eq!(pair.client.read(pair.now).state, State::Synced);
        goes_on(&mut pair);
    }
}

#[test]
fn an_authority_announced_too_late_does_not_undo_a_restart() {
    let mut pair = settled(Link::default());
    take_over(&mut pair, DISPERSION);
    restarts_once(&mut pair);
    assert_eq!(pair.client.authority(pair.now), Some(Authority::alone(NEW)));
    let restarted = pair.client.read(pair.now);
    assert_eq!(pair.client.set_authority(&successor(DISPERSION), pair.now), Ok(()));
    assert_eq!(pair.client.read(pair.now), restarted, "the jump was undone");
    let seen = pair.run(10.0);
    assert_eq!((seen.events, seen.account.backwards), (vec![], 0));
    assert_eq!(seen.account.outside, 0);
    is_stated(&pair, &successor(DISPERSION));
}

#[test]
fn a_false_statement_is_detected() {
    let mut pair = settled(Link::default());
    assert_eq!(pair.client.set_authority(&successor(DISPERSION), pair.now), Ok(()));
    take_over(&mut pair, Span::from_millis(400));
    let seen = restarts_once(&mut pair);
    assert!(!seen.events.contains(&Event::HandedOver), "{:?}", seen.events);
    assert_eq!(seen.account.backwards, 0, "backwards within an epoch");
    assert_eq!(pair.run(10.0).account.outside, 0);
    let reading = pair.client.read(pair.now);
    assert_eq!((reading.epoch, reading.server_epoch, reading.state), (2, NEW, State::Synced));
}

#[test]
fn an_unrelated_timescale_restarts_the_clock() {
    let mut pair = settled(Link::default());
    let unrelated = Authority { timescale: 77, ..successor(DISPERSION) };
    let before = (pair.client.read(pair.now), pair.client.authority(pair.now));
    assert_eq!(pair.client.set_authority(&unrelated, pair.now), Err(AuthorityError::OtherTimescale(1)));
    assert_eq!((pair.client.read(pair.now), pair.client.authority(pair.now)), before);
    take_over(&mut pair, Span::ZERO);
    restarts_once(&mut pair);
    // The client now follows this server, which may announce its own timescale once.
    assert_eq!(pair.client.set_authority(&unrelated, pair.now), Ok(()));
    let related = pair.client.set_authority(&successor(DISPERSION), pair.now);
    assert_eq!(related, Err(AuthorityError::OtherTimescale(77)));
    is_stated(&pair, &unrelated);
}

#[test]
fn a_local_pause_prevents_a_handover() {
    for is_announced_before in [true, false] {
        let mut pair = settled(Link::default());
        if is_announced_before {
            assert_eq!(pair.client.set_authority(&successor(DISPERSION), pair.now), Ok(()));
            take_over(&mut pair, Span::ZERO);
            pair.now += Span::from_secs(30);
        } else {
            take_over(&mut pair, Span::ZERO);
            until_doubtful(&mut pair);
            pair.now += Span::from_secs(30);
            assert_eq!(pair.client.set_authority(&successor(DISPERSION), pair.now), Ok(()));
        }
        let seen = pair.run(10.0);
        assert!(!seen.events.contains(&Event::HandedOver), "{:?}", seen.events);
        assert_eq!(seen.account.backwards, 0);
        let reading = pair.client.read(pair.now);
        assert_eq!((reading.server_epoch, reading.state), (NEW, State::Synced));
    }
}

#[test]
fn a_client_that_becomes_the_server_continues_the_timescale() {
    for number in 1..=8 {
        // The asymmetric path shifts the estimate of the new server's clock by a few ms, within the bound.
        let link = Link { forward: 40.0, ..Link::default() };
        let mut host = Pair::numbered(link, Config::default(), number);
        host.run(20.0);
        let reading = host.client.read(host.now);
        let known = host.client.authority(host.now).expect("it is in sync");
        let (off, dispersion) =
            (reading.server_time - host.truth(host.now), reading.error_bound + known.dispersion);
        assert!(off.abs() > Span::from_millis(2) && off.abs() <= dispersion, "{off} of {dispersion}");
        let mut player = settled(Link::default());
        let served = Authority { timescale: known.timescale, ..successor(dispersion) };
        assert_eq!(player.client.set_authority(&served, player.now), Ok(()));
        take_over(&mut player, off);
        let seen = assert_run(&mut player, 10.0);
        assert_eq!(seen.events, [Event::HandedOver]);
        is_stated(&player, &served);
    }
}
