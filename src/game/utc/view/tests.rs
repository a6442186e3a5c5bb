//! Tests which claims are used, and the resulting readings.

use super::super::claim::MAX_UTC;
use super::super::publisher::{UtcPublisher, UtcPublisherConfig};
use super::*;
use crate::clock::MAX_INSTANT_TICKS;
use crate::clock::for_parts::Unguessable;

const EPOCH: u64 = 7;
const ZERO: UtcTime = UtcTime::from_ticks(17_000_000_000_000_000);

fn second(seconds: i64) -> ServerTime {
    ServerTime::from_ticks(Span::from_secs(seconds).ticks())
}

/// Returns a claim made at the given second.
fn claim(version: u32, read: i64) -> UtcClaim {
    let bound = Some(Span::from_millis(3));
    UtcClaim { server_epoch: EPOCH, version, zero: ZERO, read: second(read), bound, drift_ppm: 50 }
}

/// Returns a claim that shifts UTC by the given number of seconds.
fn moved(version: u32, read: i64, by: i64) -> UtcClaim {
    UtcClaim { zero: ZERO + Span::from_secs(by), ..claim(version, read) }
}

fn reading(seconds: i64) -> Reading {
    Reading {
        server_time: second(seconds),
        error_bound: Span::from_millis(20),
        expected_error: Span::from_millis(1),
        round_trip: Span::from_millis(40),
        frequency_ppm: 0.0,
        state: State::Synced,
        epoch: 1,
        server_epoch: EPOCH,
    }
}

fn change(jump: i64, is_first: bool) -> Option<UtcChange> {
    Some(UtcChange { server_epoch: EPOCH, jump: Span::from_secs(jump), is_first })
}

#[test]
fn utc_is_the_claim_plus_server_time_and_its_bound_that_of_both() {
    let mut view = ServerUtc::default();
    assert_eq!(view.read(&reading(10)), Err(UtcError::NoClaim));
    assert_eq!(view.insert(&claim(1, 10)), Ok(change(0, true)));
    let read = view.read(&reading(110)).expect("there is a claim");
    assert_eq!((read.utc, read.version), (ZERO + Span::from_secs(110), 1));
    // The bound is the sum of 20 ms for the clock, 3 ms for the claim, and 50 ppm of at most 100.02 s.
    assert_eq!(read.error_bound, Span::from_millis(28) + Span::from_micros(1));
    let before = view.read(&reading(-90)).expect("UTC of the past");
    assert_eq!(before.error_bound, read.error_bound);
    assert_eq!(view.server_time_at(EPOCH, read.utc), Ok(second(110)));
    let unbounded = Reading { error_bound: Span::MAX, ..reading(110) };
    assert_eq!(view.read(&unbounded).map(|read| read.error_bound), Ok(Span::MAX));
    let unstated = UtcClaim { bound: None, ..claim(2, 110) };
    assert!(view.insert(&unstated).is_ok());
    assert_eq!(view.read(&reading(110)).map(|read| read.error_bound), Ok(Span::MAX), "nobody states it");
}

#[test]
fn the_newest_version_counts_and_a_change_says_how_far_utc_jumps() {
    let mut view = ServerUtc::default();
    assert_eq!(view.insert(&claim(u32::MAX, 10)), Ok(change(0, true)));
    assert_eq!(view.insert(&moved(1, 30, -3600)), Ok(change(-3600, false)), "versions wrap");
    let after = view.clone();
    assert_eq!(view.insert(&moved(1, 30, -3600)), Ok(None), "a copy");
    assert_eq!(view.insert(&claim(0, 20)), Err(UtcClaimError::Outdated), "late");
    assert_eq!(view.insert(&claim(1, 30)), Err(UtcClaimError::Conflict));
    assert_eq!(view.insert(&claim(0x8000_0001, 1 << 32)), Err(UtcClaimError::Outdated), "neither is newer");
    assert_eq!(format!("{view:?}"), format!("{after:?}"));
}

#[test]
fn a_version_leaps_no_further_than_time_allows() {
    for (by, seconds, is_taken) in
        [(64, 0, true), (65, 0, false), (65, -9, false), (74, 10, true), (75, 10, false)]
    {
        let mut view = ServerUtc::default();
        view.insert(&claim(5, 100)).expect("the first");
        let leapt = view.insert(&claim(5 + by, 100 + seconds));
        assert_eq!(leapt.is_ok(), is_taken, "{by} in {seconds} s: {leapt:?}");
        assert_eq!(view.claim(EPOCH).map(|claim| claim.version), Some(if is_taken { 5 + by } else { 5 }));
    }
}

#[test]
fn no_claim_of_a_server_leaps_too_far_whatever_is_lost() {
    let mut publisher = UtcPublisher::new(UtcPublisherConfig::default(), EPOCH).expect("the default");
    let (mut view, mut arrived, mut random) = (ServerUtc::default(), 0, Unguessable::new(3));
    for quarter in 0..40_000_i64 {
        // UTC drifts as fast as time services slew it, and is observed more often than necessary.
        let at = ServerTime::from_ticks(quarter * 2_500_000);
        let utc = ZERO + Span::from_ticks(at.ticks() / 10 * 11);
        let Ok(Some(made)) = publisher.observe(at, utc, None) else { continue };
        if random.next() % 500 == 0 {
            assert!(matches!(view.insert(&made), Ok(Some(_))), "{made:?}");
            arrived += 1;
        }
    }
    assert!(arrived > 5, "{arrived}");
}

#[test]
fn another_run_of_the_clock_has_another_claim_and_a_late_one_of_the_old_run_does_no_harm() {
    let mut view = ServerUtc::default();
    view.insert(&claim(9, 10)).expect("the first run");
    let restarted = Reading { server_epoch: 8, ..reading(1) };
    assert_eq!(view.read(&restarted), Err(UtcError::NoClaim));
    let next = UtcClaim { server_epoch: 8, ..moved(1, 0, 500) };
    assert_eq!(view.insert(&next), Ok(Some(UtcChange { server_epoch: 8, jump: Span::ZERO, is_first: true })));
    assert_eq!(view.read(&restarted).map(|read| read.utc), Ok(ZERO + Span::from_secs(501)));
    assert_eq!(view.insert(&moved(10, 20, 9)), Ok(change(9, false)), "late, from the first run");
    assert_eq!(view.claim(8), Some(&next));
    view.insert(&UtcClaim { server_epoch: 9, ..next }).expect("a third run");
    assert_eq!(view.claim(8), None, "two are kept");
    assert_eq!(view.claim(EPOCH).map(|claim| claim.version), Some(10));
}

#[test]
fn extremes_are_refused_and_nothing_overflows() {
    let mut view = ServerUtc::default();
    view.insert(&claim(1, 0)).expect("a claim");
    let last = ServerTime::from_ticks(MAX_INSTANT_TICKS);
    assert_eq!(view.read(&Reading { server_time: last, ..reading(0) }), Err(UtcError::Date));
    let huge = Reading { error_bound: Span::from_ticks(i64::MAX - 1), ..reading(0) };
    assert_eq!(view.read(&huge).map(|read| read.error_bound), Ok(Span::MAX));
    let zero = UtcTime::from_ticks(-MAX_INSTANT_TICKS);
    assert!(view.insert(&UtcClaim { zero, read: last, ..claim(2, 0) }).is_ok());
    let never = view.server_time_at(EPOCH, MAX_UTC);
    assert_eq!(never, Err(UtcError::Instant), "the server's clock never gets there");
}
