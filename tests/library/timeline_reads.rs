//! Tests timelines whose segments are late, duplicated, inexact or lost.

use netclock::timeline::{Rate, RealRange, Segment, SegmentError, Timeline, TimelineConfig, WorldError};
use netclock::{MAX_INSTANT_TICKS, Reading, ServerTime, Span, WorldTime};
use netclock_sim::random::{Random, seed};

const MS: i64 = 10_000;
const SECOND: i64 = 1000 * MS;
const TOLERANCE: i64 = 5_000;
const EPOCH: u64 = 7;

fn real(ticks: i64) -> ServerTime {
    ServerTime::from_ticks(ticks)
}

fn world(ticks: i64) -> WorldTime {
    WorldTime::from_ticks(ticks)
}

fn reading(server_time: i64, bound: i64) -> Reading {
    netclock_sim::reading(EPOCH, real(server_time), Span::from_ticks(bound))
}

fn rate(rate: f64) -> Rate {
    Rate::new(rate).unwrap_or(Rate::PAUSED)
}

fn timeline() -> Timeline {
    Timeline::new(TimelineConfig::default()).expect("valid settings")
}

fn segment(version: u32, from: i64, at: i64, speed: f64) -> Segment {
    Segment {
        server_epoch: EPOCH,
        instance: 1,
        version,
        since: real(from),
        real: real(from),
        world: world(at),
        rate: rate(speed),
        tolerance: Span::from_ticks(TOLERANCE),
        through: None,
    }
}

/// The world runs at rate 1, pauses from 10 to 12 s, and continues at half the rate.
fn paused() -> [Segment; 3] {
    [
        segment(1, 0, SECOND, 1.0),
        segment(2, 10 * SECOND, 11 * SECOND, 0.0),
        segment(3, 12 * SECOND, 11 * SECOND, 0.5),
    ]
}

fn knows(segments: &[Segment]) -> Timeline {
    let mut timeline = timeline();
    for segment in segments {
        assert_eq!(timeline.insert(segment), Ok(true), "{segment:?}");
    }
    timeline
}

fn pure(timeline: &Timeline, at: i64) -> i64 {
    timeline.world_at(EPOCH, real(at)).expect("known").world.ticks()
}

#[test]
fn changes_take_effect_at_their_instant() {
    let timeline = knows(&paused());
    let seconds = [5, 10, 11, 12, 14, 20].map(|second| pure(&timeline, second * SECOND));
    assert_eq!(seconds, [6, 11, 11, 11, 12, 15].map(|second| second * SECOND));
    assert_eq!(pure(&timeline, 13 * SECOND), 11 * SECOND + SECOND / 2);
    assert_eq!(pure(&timeline, 12 * SECOND - 1), 11 * SECOND);
    let then = timeline.world_at(EPOCH, real(11 * SECOND)).expect("known");
    assert_eq!((then.rate, then.version), (Rate::PAUSED, 2));
    // The next segment proves that no change went unreported in between.
    assert_eq!(then.error_bound, Span::from_ticks(TOLERANCE));
}

#[test]
fn the_map_never_decreases() {
    // Segments 3 and 4 are missing.
    let hitch = Segment { since: real(SECOND), ..segment(2, 2 * SECOND, SECOND + 400 * MS, 1.0) };
    let segments = [
        segment(1, 0, 0, 1.0),
        hitch,
        segment(5, 3 * SECOND, 3 * SECOND, 0.2),
        segment(6, 4 * SECOND, SECOND, 1.0),
    ];
    let timeline = knows(&segments);
    let mut last = i64::MIN;
    for at in (0..6 * SECOND).step_by(9_973) {
        let shown = pure(&timeline, at);
        assert!(shown >= last, "{shown} at {at} after {last}");
        last = shown;
        // Both ends of the range must convert back to the same world time.
        if at > 0 {
            let RealRange { first, last } =
                timeline.real_at(EPOCH, world(shown)).expect("the timeline just showed it");
            assert!(first <= real(at), "{at} is before {first:?}");
            assert!(last >= real(at), "{at} is after {last:?}");
            assert_eq!((pure(&timeline, first.ticks()), pure(&timeline, last.ticks())), (shown, shown));
            assert!(pure(&timeline, first.ticks() - 1) < shown, "{shown} before {first:?} already");
            assert!(pure(&timeline, last.ticks() + 1) > shown, "{shown} after {last:?} still");
        }
    }
}

#[test]
fn duplicates_are_ignored_and_conflicting_versions_rejected() {
    let [one, two, three] = paused();
    let mut timeline = knows(&[one, two, three]);
    let before = format!("{timeline:?}");
    for (again, told) in [
        (two, Ok(false)),
        (Segment { rate: Rate::ONE, ..two }, Err(SegmentError::Conflict)),
        (Segment { tolerance: Span::ZERO, ..three }, Err(SegmentError::Conflict)),
    ] {
        assert_eq!(timeline.insert(&again), told);
        assert_eq!(format!("{timeline:?}"), before, "{told:?}, but the state changed");
    }
    // Version 4 replaces version 3 for good because version 4 begins earlier.
    let four = segment(4, 11 * SECOND, 11 * SECOND, 1.0);
    assert_eq!(timeline.insert(&four), Ok(true));
    assert_eq!(timeline.insert(&three), Err(SegmentError::Superseded));
    assert_eq!(pure(&timeline, 14 * SECOND), 14 * SECOND);
    assert_eq!(pure(&timeline, 5 * SECOND), 6 * SECOND, "the past changed");
}

#[test]
fn versions_and_worlds_wrap() {
    let mut timeline = timeline();
    for (at, version) in (0..200_i64).zip((u32::MAX - 99..=u32::MAX).chain(0..100)) {
        assert_eq!(timeline.insert(&segment(version, at * SECOND, at * SECOND, 1.0)), Ok(true));
    }
    assert_eq!(timeline.world_at(EPOCH, real(199 * SECOND)).map(|then| then.version), Ok(99));
    assert_eq!(timeline.world_at(EPOCH, real(150 * SECOND)).map(|then| then.version), Ok(50));
    // If two versions are half the number range apart, it is unknown which one is newer.
    let opposite = segment(99_u32.wrapping_add(1 << 31), 300 * SECOND, 0, 1.0);
    assert_eq!(timeline.insert(&opposite), Err(SegmentError::Superseded));
    let old = segment(u32::MAX, 99 * SECOND, 99 * SECOND, 1.0);
    assert_eq!(timeline.insert(&old), Err(SegmentError::Superseded));
    // This is the highest version that counts as newer. This version replaces all stored segments except
    // those that begin before it.
    let far = segment(99_u32.wrapping_add((1 << 31) - 1), 300 * SECOND, 300 * SECOND, 1.0);
    assert_eq!(timeline.insert(&far), Ok(true));
    assert_eq!(timeline.insert(&Segment { instance: 0x8000_0000, ..segment(1, 0, 0, 1.0) }), Ok(true));
    let older = Segment { instance: 0, ..segment(1, 0, 0, 1.0) };
    assert_eq!(timeline.insert(&older), Err(SegmentError::OldWorld));
    assert_eq!(timeline.insert(&Segment { instance: 0xFFFF_FFFF, ..segment(1, 0, 0, 1.0) }), Ok(true));
    assert_eq!(timeline.insert(&older), Ok(true), "it should be newer");
}

#[test]
fn a_late_pause_is_corrected_without_going_back() {
    let mut timeline = knows(&[segment(1, 0, 0, 1.0)]);
    let mut last = 0;
    let mut done = None;
    for frame in 0..2_000_i64 {
        let now = frame * 16 * MS;
        if now == 1_600 * MS {
            // The world pauses for 100 ms at 1.5 s, and both segments arrive when the pause ends.
            assert_eq!(timeline.insert(&segment(2, 1_500 * MS, 1_500 * MS, 0.0)), Ok(true));
            assert_eq!(timeline.insert(&segment(3, 1_600 * MS, 1_500 * MS, 1.0)), Ok(true));
        }
        let shown = timeline.show(&reading(now, 0)).expect("known");
        let step = shown.world.ticks() - last;
        // The displayed world may stop only in the frame in which the segments arrive.
        let is_news = now == 0 || now == 1_600 * MS;
        assert!(is_news || (12 * MS..=16 * MS).contains(&step), "a step of {step} ticks");
        assert_eq!(shown.world.ticks(), pure(&timeline, now) + shown.ahead.ticks());
        assert!(shown.error_bound_if_unchanged >= Span::from_ticks(TOLERANCE) + shown.ahead);
        assert_eq!(shown.jump, Span::ZERO);
        last = shown.world.ticks();
        if now > 1_600 * MS && shown.ahead == Span::ZERO {
            done = done.or(Some(now - 1_600 * MS));
        }
    }
    // The displayed world is 84 ms ahead, so it runs at three quarters of real time until it is correct
    // again.
    assert!(done.is_some_and(|done| (330 * MS..350 * MS).contains(&done)), "{done:?}");
}

#[test]
fn a_shown_world_leaps_forwards_and_waits_when_ahead() {
    let mut timeline = knows(&[segment(1, 0, 0, 0.0)]);
    assert_eq!(timeline.show(&reading(9 * SECOND, 0)).map(|shown| shown.world), Ok(world(0)));
    assert_eq!(timeline.insert(&segment(2, SECOND, 0, 1.0)), Ok(true));
    let leap = timeline.show(&reading(10 * SECOND, 0)).expect("known");
    assert_eq!((leap.world, leap.jump, leap.ahead), (world(9 * SECOND), Span::from_secs(8), Span::ZERO));
    assert_eq!(timeline.show(&reading(10 * SECOND, 0)).map(|shown| shown.jump), Ok(Span::ZERO));
    assert_eq!(timeline.insert(&segment(3, 10 * SECOND, 6 * SECOND, 1.0)), Ok(true));
    for ms in (0..2_700).step_by(10) {
        let held = timeline.show(&reading(10 * SECOND + ms * MS, 0)).expect("known");
        assert_eq!((held.world, held.jump, held.epoch), (world(9 * SECOND), Span::ZERO, 1), "after {ms} ms");
        assert_eq!(held.ahead, Span::from_millis(3_000 - ms));
        assert!(held.error_bound_if_unchanged >= held.ahead);
    }
    let moving = timeline.show(&reading(13 * SECOND, 0)).expect("known");
    assert!(moving.world > world(9 * SECOND), "{moving:?}");
    assert!(moving.ahead <= Span::from_millis(250), "{moving:?}");
}

#[test]
fn only_one_bound_covers_unreported_changes() {
    let mut timeline = knows(&[segment(1, 0, 0, 0.5)]);
    let bounds = |timeline: &mut Timeline, at: i64, bound: i64| {
        let shown = timeline.show(&reading(at, bound)).expect("known");
        (shown.error_bound, shown.error_bound_if_unchanged.ticks())
    };
    assert_eq!(bounds(&mut timeline, SECOND, 0), (Span::MAX, TOLERANCE), "a bound without a confirmation");
    assert_eq!(timeline.confirm(EPOCH, 1, 1, real(2 * SECOND)), Ok(()));
    assert_eq!(bounds(&mut timeline, 2 * SECOND, 0), (Span::from_ticks(TOLERANCE), TOLERANCE));
    // During the following second, the world may have paused or run at rate 1, so the reading may be off by
    // 0.5 s.
    let half = Span::from_ticks(SECOND / 2 + TOLERANCE + 1);
    assert_eq!(bounds(&mut timeline, 3 * SECOND, 0), (half, TOLERANCE));
    // The first bound scales the clock's error by the highest possible rate, and the second bound by the
    // world's rate.
    let late = (Span::from_ticks(SECOND / 2 + 10 * MS + TOLERANCE + 1), 5 * MS + TOLERANCE);
    assert_eq!(bounds(&mut timeline, 3 * SECOND, 10 * MS), late);
    assert_eq!(timeline.confirm(EPOCH, 1, 1, real(SECOND)), Ok(()), "old news");
    assert_eq!(bounds(&mut timeline, 3 * SECOND, 10 * MS), late);
    assert_eq!(timeline.confirm(EPOCH, 1, 2, real(3 * SECOND)), Ok(()), "an unknown version");
    assert_eq!(bounds(&mut timeline, 3 * SECOND, 10 * MS), late);
    let unbounded = Reading { error_bound: Span::MAX, ..reading(4 * SECOND, 0) };
    let shown = timeline.show(&unbounded).expect("known");
    assert_eq!((shown.error_bound, shown.error_bound_if_unchanged), (Span::MAX, Span::MAX));
}

#[test]
fn a_gap_is_interpolated_with_a_wider_bound() {
    let mut timeline = knows(&[segment(1, 0, 0, 1.0), segment(3, 10 * SECOND, 4 * SECOND, 1.0)]);
    assert_eq!(timeline.confirm(EPOCH, 1, 1, real(2 * SECOND)), Ok(()));
    // The world ran at rate 1 for the first 2 s, and advanced by only 2 s in the other 8 s.
    assert_eq!(pure(&timeline, 2 * SECOND), 2 * SECOND);
    let middle = timeline.world_at(EPOCH, real(6 * SECOND)).expect("known");
    assert_eq!(middle.world, world(3 * SECOND));
    assert_eq!(middle.error_bound, Span::from_ticks(SECOND + TOLERANCE));
    assert_eq!(middle.error_bound_if_unchanged, middle.error_bound);
    let late = segment(2, 4 * SECOND, 4 * SECOND, 0.0);
    assert_eq!(timeline.insert(&late), Err(SegmentError::Superseded), "it arrived out of order");
    // If the clock may be late, the reading may lie before the first segment and has no bound.
    assert_eq!(timeline.world_at(EPOCH, real(-1)), Err(WorldError::NotKept));
    assert_eq!(timeline.show(&reading(-SECOND, SECOND - 1)), Err(WorldError::NotKept));
    let guess = timeline.show(&reading(-SECOND, SECOND)).expect("the clock may be at the first segment");
    assert_eq!((guess.world, guess.error_bound), (world(-SECOND), Span::MAX));
}

fn slow_motions(count: u32) -> Vec<Segment> {
    let (mut from, mut at) = (0, 0);
    let each = |version| {
        let (length, speed) = if version % 2 == 1 { (3 * SECOND, 1.0) } else { (SECOND, 0.25) };
        let made = segment(version, from, at, speed);
        from += length;
        at += (length as f64 * speed) as i64;
        made
    };
    (1..=count).map(each).collect()
}

#[test]
fn instants_before_the_oldest_segment_have_a_status() {
    let all = slow_motions(200);
    let keeps = |segments| Timeline::new(TimelineConfig { segments, ..TimelineConfig::default() });
    assert!(keeps(15).is_err() && keeps(4097).is_err());
    let mut whole = keeps(200).expect("valid settings");
    let mut usual = timeline();
    for segment in &all {
        assert_eq!((whole.insert(segment), usual.insert(segment)), (Ok(true), Ok(true)));
    }
    let oldest = all[200 - 64];
    for at in (0..400 * SECOND).step_by(999_983) {
        let truth = whole.world_at(EPOCH, real(at)).expect("all segments are kept");
        let kept = real(at) >= oldest.real;
        let expected = if kept { Ok(truth) } else { Err(WorldError::NotKept) };
        assert_eq!(usual.world_at(EPOCH, real(at)), expected, "{at}");
        let instants = usual.real_at(EPOCH, truth.world);
        assert_eq!(instants, if kept { whole.real_at(EPOCH, truth.world) } else { Err(WorldError::NotKept) });
        let shown = usual.show(&Reading { epoch: 1 + u32::from(kept), ..reading(at, 0) });
        assert_eq!(shown.map(|shown| shown.world), expected.map(|truth| truth.world), "{at}");
    }
    // The world time first reaches 1 s when the pause begins.
    let stands = knows(&[segment(9, 5 * SECOND, SECOND, 0.0)]);
    let range = stands.real_at(EPOCH, world(SECOND)).expect("the world pauses there");
    assert_eq!((range.first, range.last), (real(5 * SECOND), real(MAX_INSTANT_TICKS)));
    assert_eq!(stands.real_at(EPOCH, world(SECOND - 1)), Err(WorldError::NotKept));
}

#[test]
fn a_delayed_view_uses_each_segment_in_its_time_and_can_seek() {
    let all = slow_motions(200);
    let truth = |at: i64| {
        let segment = all.iter().rfind(|segment| segment.real <= real(at)).expect("a segment began earlier");
        segment.world + Span::from_ticks(((at - segment.real.ticks()) as f64 * segment.rate.as_f64()) as i64)
    };
    let mut random = Random::new(seed(1), "seeks");
    for _ in 0..50 {
        // To seek, we fill a new timeline with the segments before the new position, and then with the
        // others.
        let from = random.below(350 * SECOND);
        let mut view = timeline();
        let mut next = all.partition_point(|segment| segment.since <= real(from));
        for segment in &all[next.saturating_sub(2)..next] {
            assert_eq!(view.insert(segment), Ok(true));
        }
        for at in (from..from + 20 * SECOND).step_by(166_667) {
            while let Some(due) = all.get(next).filter(|segment| segment.since <= real(at)) {
                assert_eq!(view.insert(due), Ok(true));
                next += 1;
            }
            let shown = view.show(&reading(at, 0)).expect("known");
            let error = (shown.world - truth(at)).abs();
            assert!(error <= Span::from_ticks(1), "{error} off at {at}, started at {from}");
        }
    }
}

#[test]
fn another_map_starts_over_and_another_server_run_waits_for_the_clock() {
    let mut timeline = knows(&paused());
    let first = timeline.show(&reading(20 * SECOND, 0)).expect("known");
    assert_eq!((first.epoch, first.instance, first.world), (1, 1, world(15 * SECOND)));
    let travelled = Segment { instance: 2, ..segment(1, 21 * SECOND, 0, 1.0) };
    assert_eq!(timeline.insert(&travelled), Ok(true));
    let second = timeline.show(&reading(22 * SECOND, 0)).expect("known");
    assert_eq!((second.epoch, second.instance, second.world, second.jump), (2, 2, world(SECOND), Span::ZERO));
    assert_eq!(timeline.insert(&paused()[2]), Err(SegmentError::OldWorld));

    // The restarted server's segments arrive before the clock has noticed the restart.
    let restarted = Segment { server_epoch: 8, ..segment(1, 5 * SECOND, SECOND, 1.0) };
    assert_eq!(timeline.insert(&restarted), Ok(true));
    assert_eq!(timeline.insert(&restarted), Ok(false));
    assert!(timeline.show(&reading(23 * SECOND, 0)).is_ok(), "the old run is still shown");
    let other = Reading { server_epoch: 8, epoch: 2, ..reading(6 * SECOND, 0) };
    let third = timeline.show(&other).expect("known");
    assert_eq!((third.epoch, third.instance, third.world), (3, 1, world(2 * SECOND)));
    assert_eq!(timeline.show(&reading(23 * SECOND, 0)), Err(WorldError::NoWorld));
    assert_eq!(timeline.world_at(EPOCH, real(0)), Err(WorldError::NoWorld));
}

#[test]
fn world_time_is_unknown_without_a_clock_or_a_segment() {
    let mut empty = timeline();
    assert_eq!(empty.show(&reading(0, 0)), Err(WorldError::NoWorld));
    assert_eq!(empty.confirm(EPOCH, 1, 1, real(0)), Err(SegmentError::OtherEpoch));
    let mut timeline = knows(&paused());
    let shown = timeline.show(&reading(20 * SECOND, 0));
    let late = timeline.show(&reading(5 * SECOND, 0)).expect("a read by a slower thread");
    let then = timeline.world_at(EPOCH, real(5 * SECOND)).expect("known");
    assert_eq!(Ok(late.world), shown.map(|shown| shown.world));
    assert_eq!(late.ahead, late.world - then.world);
    assert_eq!(late.error_bound, late.ahead + then.error_bound);
    assert_eq!(timeline.show(&reading(20 * SECOND, 0)), shown, "the late read changed the shown world");
    // The displayed world can only go back in time after a reset.
    let anew = timeline.show(&Reading { epoch: 2, ..reading(14 * SECOND, 0) }).expect("known");
    assert_eq!((anew.epoch, anew.world, anew.jump), (2, world(12 * SECOND), Span::from_secs(-3)));
}

#[test]
fn a_pause_maps_many_instants_to_one_world_time() {
    let range = knows(&paused()).real_at(EPOCH, world(11 * SECOND)).expect("the world paused at this time");
    assert_eq!(range.first, real(10 * SECOND));
    let stands = knows(&paused()[..2]);
    let last = stands.real_at(EPOCH, world(11 * SECOND)).expect("paused there").last;
    assert_eq!(last, real(MAX_INSTANT_TICKS));
    assert_eq!(stands.real_at(EPOCH, world(12 * SECOND)), Err(WorldError::Never));
}

#[test]
fn nothing_is_allocated_after_creation() {
    let mut timeline = timeline();
    let calls = || {
        for version in 1..500 {
            let at = i64::from(version) * SECOND;
            assert_eq!(timeline.insert(&segment(version, at, at, 1.0)), Ok(true));
            assert_eq!(timeline.confirm(EPOCH, 1, version, real(at)), Ok(()));
            assert!(timeline.show(&reading(at, 0)).is_ok() && timeline.real_at(EPOCH, world(at)).is_ok());
        }
    };
    assert_eq!(allocation_counter::measure(calls).count_total, 0);
}
