//! Tests features for game engines, such as blobs, loading players, round-trip times and host migration.

use netclock::authority::Authority;
use netclock::session::{BLOB_MOST, Guest, GuestConfig, Host, HostConfig, SessionError};
use netclock::start::{HoldUp, Proposal, Stage};
use netclock::{Span, State, WorldTime};

use super::{Outcome, Pair, SECOND};

#[test]
fn a_mixture_of_two_blobs_is_rejected() -> Outcome {
    let mut pair = Pair::new()?;
    let mut blobs = Vec::new();
    for millis in [1_000, 2_000] {
        pair.play(millis)?;
        pair.host.begin_world(0)?;
        pair.play(millis + 10)?;
        let mut bytes = [0; BLOB_MOST];
        let length = pair.host.blob(&mut bytes);
        pair.play(millis + 500)?;
        let mut later = [0; BLOB_MOST];
        assert_eq!((length, bytes), (pair.host.blob(&mut later), later), "an unchanged blob differs");
        blobs.push(bytes[..length].to_vec());
    }
    let mut replay = Guest::new(GuestConfig::default(), 7)?;
    replay.read_blob(&blobs[0])?;
    replay.read_blob(&blobs[1])?;
    let epoch = replay.blob_epoch().ok_or("no epoch")?;
    let (now, server) = pair.now();
    let world = replay.world(0).ok_or("no world")?.world_at(epoch, server)?.world;
    assert_eq!((epoch, world), (pair.host.epoch(), WorldTime::from_ticks(now.ticks())));
    for at in 1..blobs[0].len() {
        let mixture = [&blobs[0][..at], &blobs[1][at..]].concat();
        let is_whole = blobs.contains(&mixture);
        assert_eq!(replay.read_blob(&mixture).is_ok(), is_whole, "{at} bytes of the first blob");
        assert!(replay.read_blob(&blobs[0][..at]).is_err(), "{at} bytes");
    }
    let spread: Vec<u8> = (0..blobs[0].len()).map(|at| blobs[at % 2][at]).collect();
    assert_eq!(replay.read_blob(&spread), Err(SessionError::Torn));
    Ok(())
}

fn has_start_message(datagram: &[u8]) -> bool {
    const HEAD: usize = 12;
    const START: u8 = 7;
    let mut rest = datagram.get(HEAD..).filter(|_| matches!(datagram[3], 20 | 21)).unwrap_or_default();
    while let Some((&[tag, length], sections)) = rest.split_first_chunk() {
        if tag == START {
            return true;
        }
        rest = &sections[usize::from(length)..];
    }
    false
}

#[test]
fn a_notice_of_another_version_does_not_replace_a_start_message() -> Outcome {
    let mut pair = Pair::ready()?;
    let (now, server) = pair.now();
    let mut of_version_2 = Guest::new(GuestConfig::default(), 9)?.next(now)?.ok_or("no request")?.0.to_vec();
    of_version_2[2] = 2;
    assert!(pair.host.receive(1, &of_version_2, server).is_err(), "another version is accepted");
    pair.schedule(Span::ZERO)?;
    let mut sent = Vec::new();
    while let Some((_, datagram, _)) = pair.host.next(server) {
        sent.push(has_start_message(datagram));
    }
    assert_eq!(sent, [false, true], "the notice and the start");
    Ok(())
}

#[test]
fn a_guest_reports_its_start_for_three_seconds_despite_loss() -> Outcome {
    let mut pair = Pair::ready()?;
    let at = pair.schedule(Span::ZERO)?;
    let mut last_report = None;
    while pair.now().1 < at + Span::from_secs(6) {
        let server = pair.now().1 + Span::from_millis(10);
        let is_lost = server > at - Span::from_millis(5) && server < at + Span::from_millis(2_600);
        let (of_guest, _) = pair.frame(is_lost)?;
        last_report = of_guest.iter().any(|it| has_start_message(it)).then_some(server).or(last_report);
    }
    assert_eq!(pair.host.start_result()?.fired, 1);
    let reported = last_report.ok_or("no report")? - at;
    assert!((2_700..=3_100).contains(&(reported.as_millis_f64() as i64)), "{reported} after the start");
    Ok(())
}

#[test]
fn a_guest_that_misses_a_cancellation_reports_its_start() -> Outcome {
    let mut pair = Pair::ready()?;
    let (_, server) = pair.now();
    let at = pair.schedule(Span::ZERO)?;
    pair.play(pair.millis + 50)?;
    assert!(pair.host.participation(1, server)?.acknowledged);
    pair.host.cancel_start(pair.now().1)?;
    assert!(!pair.host.participation(1, server)?.acknowledged);
    let mut sent = 0;
    // The network drops everything until one second after the start.
    while pair.now().1 < at + SECOND {
        sent += pair.frame(true)?.1.len();
    }
    let most = ((at - server).as_millis_f64() / 50.0) as usize + 3;
    assert!(sent > most / 2 && sent <= most, "{sent} datagrams for a silent guest, at most {most}");
    pair.play(pair.millis + 1_000)?;
    let missed = pair.host.participation(1, pair.now().1)?;
    assert!(missed.acknowledged && missed.lateness.is_some_and(|late| late < SECOND), "{missed:?}");
    let result = pair.host.start_result()?;
    assert_eq!((result.fired, result.cancelled), (1, true));
    Ok(())
}

#[test]
fn a_start_waits_for_loading_players_and_for_its_earliest_instant() -> Outcome {
    let mut pair = Pair::new()?;
    pair.play(2_000)?;
    // If there are no players, the match starts as early as possible.
    let mut alone = Host::new(HostConfig::default(), 42, 8)?;
    let (_, server) = pair.now();
    let proposal = alone.propose_start(server, server + SECOND, 0.99)?;
    assert!(matches!(proposal, Proposal::Scheduled { at, .. } if at == server + SECOND), "{proposal:?}");

    pair.host.prepare_start();
    pair.play(4_000)?;
    pair.host.end_starts();
    pair.guest.take_part(false);
    for _ in 0..200 {
        let (_, server) = pair.now();
        let proposal = pair.host.propose_start(server, server, 0.99)?;
        assert!(matches!(proposal, Proposal::HeldUp { reason: HoldUp::Silent, .. }), "{proposal:?}");
        pair.play(pair.millis + 10)?;
    }
    pair.guest.take_part(true);
    pair.play(pair.millis + 500)?;
    let earliest = pair.now().1 + SECOND + SECOND;
    assert_eq!(pair.schedule(SECOND + SECOND)?, earliest);
    pair.play(pair.millis + 2_100)?;
    assert_eq!(pair.view()?.start.stage, Stage::Started);
    Ok(())
}

/// The server has travelled to another world. The guest only learns of the new world at its next view,
/// because engines update a frame's view before they read messages.
#[test]
fn a_guest_reports_nothing_for_a_new_start_before_its_next_view() -> Outcome {
    for frames in 0..100 {
        let mut pair = Pair::ready()?;
        pair.play(4_000 + 10 * frames)?;
        pair.host.end_starts();
        pair.host.prepare_start();
        let mut has_heard = false;
        for _ in 0..10 {
            pair.millis += 10;
            let (now, server) = pair.now();
            pair.guest.view(now)?;
            pair.guest.take_part(!has_heard);
            while let Some((_, datagram, _)) = pair.host.next(server) {
                pair.guest.receive(datagram, now)?;
                has_heard = true;
            }
            while let Some((datagram, _)) = pair.guest.next(now)? {
                pair.host.receive(1, datagram, server)?;
            }
        }
        let (_, server) = pair.now();
        let proposal = pair.host.propose_start(server, server, 0.99)?;
        assert!(has_heard && matches!(proposal, Proposal::HeldUp { .. }), "{frames}: {proposal:?}");
    }
    Ok(())
}

#[test]
fn the_host_measures_round_trips_of_active_guests() -> Outcome {
    let mut pair = Pair::new()?;
    pair.play(2_000)?;
    let (_, server) = pair.now();
    assert_eq!(pair.host.round_trip(1, server)?, None);
    assert_eq!(pair.host.round_trip(2, server), Err(SessionError::UnknownPlayer));
    pair.play(8_000)?;
    let (_, server) = pair.now();
    // The round trip includes the wait for the guest's next frame, in which the guest answers the host's
    // datagram.
    assert_eq!(pair.host.round_trip(1, server)?, Some(Span::from_millis(10)));
    Ok(())
}

#[test]
fn a_guest_keeps_its_bound_after_a_migration_that_continues_the_time() -> Outcome {
    for continues in [true, false] {
        let mut pair = Pair::new()?;
        pair.play(5_000)?;
        let before = pair.view()?.reading;
        assert_eq!(pair.guest.host_epoch(), Some(42));
        pair.host = Host::new(HostConfig::default(), 77, 9)?;
        pair.host.admit(1, None)?;
        let timescale = if continues { 42 } else { 77 };
        pair.host.state_authority(Authority { epoch: 77, timescale, dispersion: Span::from_millis(1) })?;
        pair.guest.follow(None);
        assert_eq!(pair.guest.host_epoch(), None);
        assert_eq!(pair.view()?.reading.error_bound, before.error_bound, "the bound changed");
        pair.play(8_000)?;
        let after = pair.view()?.reading;
        assert_eq!((pair.guest.host_epoch(), after.server_epoch), (Some(77), 77));
        assert_eq!((after.state, after.epoch == before.epoch), (State::Synced, continues));
    }
    Ok(())
}
