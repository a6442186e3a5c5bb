//! Another authority takes the timescale over: the clock goes on, within its bound and never backwards; whoever has no
//! right to it is refused.

mod adoption;

use crate::world::{Link, World};
use netclock::authority::{AdoptionRequest, Authority, AuthorityError, AuthorityReply, MAX_DISPERSION};
use netclock::{Cause, Event, LocalTime, Span, State, TimeError};

/// The new server's epoch.
const NEW: u64 = 2;

/// What the new server's clock may be off the old one's.
const DISPERSION: Span = Span::from_millis(5);

/// A world that has been in sync for a while.
fn settled() -> World {
    let mut world = World::new(Link::default());
    let seen = world.run(20.0);
    assert_eq!((seen.outside_bound, seen.backwards), (0, 0));
    world
}

/// The new server shows the timescale that the old one defined.
fn successor(dispersion: Span) -> Authority {
    Authority { epoch: NEW, timescale: 1, dispersion }
}

/// The new server takes over, its clock `off` from the old one's.
fn take_over(world: &mut World, off: Span) {
    world.epoch = NEW;
    world.offset = world.offset + off;
}

fn is_restart(event: &Event) -> bool {
    matches!(event, Event::Discontinuity { cause: Cause::ServerRestart, .. })
}

/// Runs on and asserts that the clock continued without a step.
fn goes_on(world: &mut World) {
    let epoch = world.client.read(world.now).epoch;
    let seen = world.run(10.0);
    assert_eq!(seen.events, [Event::HandedOver]);
    assert_eq!((seen.outside_bound, seen.backwards), (0, 0));
    assert!(seen.worst_ms < 8.0, "{} ms", seen.worst_ms);
    assert!(seen.largest_rate_deviation <= 0.051, "{}", seen.largest_rate_deviation);
    let reading = world.client.read(world.now);
    assert_eq!((reading.epoch, reading.server_epoch, reading.state), (epoch, NEW, State::Synced));
    let late = world.run(20.0);
    assert_eq!((late.outside_bound, late.backwards), (0, 0));
    assert!(world.client.read(world.now).expected_error < Span::from_millis(3));
    is_stated(world, &successor(DISPERSION));
}

/// The client knows the authority, whose dispersion grows by what clocks may drift since it was stated.
fn is_stated(world: &World, expected: &Authority) {
    let known = world.client.authority(world.now).expect("it is in sync");
    assert_eq!(Authority { dispersion: expected.dispersion, ..known }, *expected);
    let grown = known.dispersion - expected.dispersion;
    assert!(Span::ZERO <= grown && grown < Span::from_millis(5), "{grown}");
    // No newer statement comes: it grows by 100.005 ppm, since each clock may err by 50 and a slow one counts fewer ticks.
    let late = world.client.authority(world.now + Span::from_secs(1_000)).expect("it is in sync");
    let minute_later = world.client.authority(world.now + Span::from_secs(1_060)).expect("it is in sync");
    assert_eq!(minute_later.dispersion - late.dispersion, Span::from_ticks(60_003));
}

#[test]
fn what_is_said_of_the_first_authority_before_its_first_reply_holds() {
    let mut world = World::new(Link::default());
    let first = Authority { epoch: 1, timescale: 77, dispersion: DISPERSION };
    assert_eq!(world.client.set_authority(&first, world.now), Ok(()));
    let seen = world.run(20.0);
    assert_eq!((seen.outside_bound, seen.backwards), (0, 0));
    is_stated(&world, &first);
    // So the next one goes on, if it is of that timescale.
    let next = Authority { timescale: 77, ..successor(DISPERSION) };
    assert_eq!(world.client.set_authority(&next, world.now), Ok(()));
    take_over(&mut world, DISPERSION);
    assert_eq!(world.run(10.0).events, [Event::HandedOver]);
}

#[test]
fn what_is_said_before_the_first_reply_makes_it_go_on() {
    for off in [-DISPERSION, Span::ZERO, DISPERSION] {
        let mut world = settled();
        assert_eq!(world.client.authority(world.now), Some(Authority::alone(1)));
        assert_eq!(world.client.set_authority(&successor(DISPERSION), world.now), Ok(()));
        let quiet = world.run(5.0);
        assert_eq!(quiet.events, [], "nothing happens until it answers");
        take_over(&mut world, off);
        goes_on(&mut world);
    }
}

#[test]
fn a_clock_further_off_than_any_bound_is_followed_as_far_as_it_was_said_to_be() {
    let far = Span::from_millis(120);
    for off in [-far, far] {
        let mut world = settled();
        assert_eq!(world.client.set_authority(&successor(far), world.now), Ok(()));
        take_over(&mut world, off);
        let seen = world.run(10.0);
        assert_eq!(seen.events, [Event::HandedOver]);
        assert_eq!((seen.outside_bound, seen.backwards), (0, 0));
        assert!(seen.largest_rate_deviation <= 0.051, "{}", seen.largest_rate_deviation);
        assert!(world.run(5.0).worst_ms < 3.0);
    }
}

#[test]
fn what_is_said_while_the_old_run_is_still_shown_is_in_time() {
    for off in [-DISPERSION, Span::ZERO, DISPERSION] {
        let mut world = settled();
        take_over(&mut world, off);
        let mut seen = crate::world::Seen::default();
        while world.client.read(world.now).state != State::Doubtful {
            seen = world.run(0.001);
        }
        assert_eq!((seen.events, seen.backwards), (vec![], 0));
        assert_eq!(world.client.authority(world.now), Some(Authority::alone(1)), "the old run is shown");
        assert_eq!(world.client.set_authority(&successor(DISPERSION), world.now), Ok(()));
        assert_eq!(world.client.read(world.now).state, State::Synced);
        goes_on(&mut world);
    }
}

#[test]
fn what_is_said_too_late_or_never_leaves_a_restart() {
    let mut world = settled();
    take_over(&mut world, DISPERSION);
    let seen = world.run(10.0);
    assert_eq!(seen.events.iter().filter(|event| is_restart(event)).count(), 1);
    assert_eq!(world.client.authority(world.now), Some(Authority::alone(NEW)));
    assert_eq!(world.client.set_authority(&successor(DISPERSION), world.now), Ok(()));
    let seen = world.run(10.0);
    assert_eq!((seen.events, seen.backwards), (vec![], 0));
    is_stated(&world, &successor(DISPERSION));
}

#[test]
fn who_inquires_waits_longer_for_what_is_said() {
    let mut world = settled();
    assert!(matches!(world.client.request_authority(world.now), Ok(Some(_))));
    take_over(&mut world, DISPERSION);
    while world.client.read(world.now).state != State::Doubtful {
        world.run(0.001);
    }
    // Nothing is stated for as long as bursts and trips take.
    assert_eq!(world.run(1.5).events, []);
    assert_eq!(world.client.set_authority(&successor(DISPERSION), world.now), Ok(()));
    goes_on(&mut world);

    // Another timescale is no reason to wait longer, and the wait ends.
    for (epoch, statement, within) in [(3, Some(Authority::alone(3)), 0.1), (4, None, 2.0)] {
        world.client.begin_burst();
        assert!(matches!(world.client.request_authority(world.now), Ok(Some(_))));
        world.epoch = epoch;
        while world.client.read(world.now).state != State::Doubtful {
            world.run(0.001);
        }
        assert_eq!(world.run(1.5).events, []);
        if let Some(alone) = statement {
            assert_eq!(world.client.set_authority(&alone, world.now), Ok(()));
        }
        let seen = world.run(within);
        assert!(seen.events.first().is_some_and(is_restart), "{:?}", seen.events);
        world.run(20.0);
    }
}

#[test]
fn a_false_statement_is_found_out() {
    let mut world = settled();
    assert_eq!(world.client.set_authority(&successor(DISPERSION), world.now), Ok(()));
    take_over(&mut world, Span::from_millis(400));
    let seen = world.run(10.0);
    assert_eq!(seen.events.iter().filter(|event| is_restart(event)).count(), 1, "{:?}", seen.events);
    assert!(!seen.events.contains(&Event::HandedOver));
    assert_eq!((world.run(10.0).outside_bound, seen.backwards), (0, 0));
}

#[test]
fn an_unrelated_timescale_is_no_handover() {
    let mut world = settled();
    let unrelated = Authority { timescale: 77, ..successor(DISPERSION) };
    assert_eq!(world.client.set_authority(&unrelated, world.now), Err(AuthorityError::OtherTimescale(1)));
    take_over(&mut world, Span::ZERO);
    let seen = world.run(10.0);
    assert_eq!(seen.events.iter().filter(|event| is_restart(event)).count(), 1);
    // It is followed now, so it is believed about itself, once.
    assert_eq!(world.client.set_authority(&unrelated, world.now), Ok(()));
    assert_eq!(
        world.client.set_authority(&successor(DISPERSION), world.now),
        Err(AuthorityError::OtherTimescale(77))
    );
}

#[test]
fn a_local_pause_before_the_handover_leaves_nothing_to_go_on_with() {
    let mut world = settled();
    assert_eq!(world.client.set_authority(&successor(DISPERSION), world.now), Ok(()));
    take_over(&mut world, Span::ZERO);
    world.now += Span::from_secs(30);
    let seen = world.run(10.0);
    assert!(!seen.events.contains(&Event::HandedOver), "{:?}", seen.events);
    assert_eq!(seen.backwards, 0);
}

#[test]
fn a_local_pause_before_the_statement_too() {
    let mut world = settled();
    take_over(&mut world, Span::ZERO);
    while world.client.read(world.now).state != State::Doubtful {
        world.run(0.001);
    }
    world.now += Span::from_secs(30);
    assert_eq!(world.client.set_authority(&successor(DISPERSION), world.now), Ok(()));
    assert!(!world.run(10.0).events.contains(&Event::HandedOver));
}

#[test]
fn statements_count_once_and_only_for_an_inquiry() {
    let mut world = settled();
    let inquiry =
        world.client.request_authority(world.now).expect("time is in order").expect("the first is due");
    assert_eq!(world.client.request_authority(world.now), Ok(None), "one is enough for now");
    let statement = AuthorityReply { id: inquiry.id, authority: successor(DISPERSION) };
    let forged = AuthorityReply { id: inquiry.id ^ 1, ..statement };
    assert_eq!(world.client.handle_authority_reply(&forged, world.now), Err(AuthorityError::UnknownRequest));
    assert_eq!(world.client.handle_authority_reply(&statement, world.now), Ok(()));
    assert_eq!(
        world.client.handle_authority_reply(&statement, world.now),
        Err(AuthorityError::UnknownRequest)
    );
    take_over(&mut world, DISPERSION);
    goes_on(&mut world);
}

#[test]
fn inquiries_come_at_once_to_a_new_authority_and_then_seldom() {
    let mut world = settled();
    let count = |world: &mut World, seconds: i64| {
        let (mut inquiries, end) = (0, world.now + Span::from_secs(seconds));
        while world.now < end {
            world.run(0.01);
            inquiries += u32::from(matches!(world.client.request_authority(world.now), Ok(Some(_))));
        }
        inquiries
    };
    assert!((5..=9).contains(&count(&mut world, 3)), "ever less often while nobody answers");
    assert!((8..=12).contains(&count(&mut world, 40)), "as often as requests");
    take_over(&mut world, Span::ZERO);
    assert!(count(&mut world, 10) >= 6, "another authority is asked at once");
    world.run(60.0);
    assert!(world.run(0.5).requests <= 1 && count(&mut world, 1) <= 1);
    world.client.begin_burst();
    assert!(
        world.run(0.5).requests >= 10 && count(&mut world, 1) >= 4,
        "whoever turns elsewhere asks at once"
    );
}

#[test]
fn what_cannot_be_stated_is_refused_and_changes_nothing() {
    let mut world = settled();
    let before = world.client.read(world.now);
    for dispersion in [Span::from_ticks(-1), MAX_DISPERSION + Span::from_ticks(1), Span::MAX] {
        let refused = world.client.set_authority(&successor(dispersion), world.now);
        assert_eq!(refused, Err(AuthorityError::Dispersion(dispersion)));
    }
    let extreme = LocalTime::from_ticks(i64::MAX);
    assert_eq!(
        world.client.set_authority(&successor(DISPERSION), extreme),
        Err(AuthorityError::Time(TimeError::OutOfRange))
    );
    assert_eq!(world.client.read(world.now), before);
    take_over(&mut world, Span::ZERO);
    assert!(!world.run(10.0).events.contains(&Event::HandedOver), "none of them counted");
}

#[test]
fn an_answer_encloses_the_truth_and_says_when_nothing_is_certain() {
    let mut world = settled();
    let question = AdoptionRequest { id: 9, timescale: 1 };
    let answer = world.client.respond_to_adoption(&question, world.now).expect("it is in sync");
    assert_eq!((answer.id, answer.timescale), (9, 1));
    assert!((answer.time - world.truth(world.now)).abs() <= answer.error_bound);
    assert!(answer.error_bound < Span::from_millis(40));
    // What the authority may be off the timescale is in the bound.
    let stated = Authority { epoch: 1, timescale: 1, dispersion: Span::from_secs(1) };
    assert_eq!(world.client.set_authority(&stated, world.now), Ok(()));
    let wide = world.client.respond_to_adoption(&question, world.now).expect("it is in sync");
    assert_eq!(wide.error_bound, answer.error_bound + stated.dispersion);

    let other = AdoptionRequest { timescale: 5, ..question };
    assert_eq!(world.client.respond_to_adoption(&other, world.now), Err(AuthorityError::OtherTimescale(1)));
    world.now += Span::from_secs(30);
    world.client.tick(world.now).expect("time is in order");
    assert_eq!(world.client.respond_to_adoption(&question, world.now), Err(AuthorityError::NothingCertain));
}
