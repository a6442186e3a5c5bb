use netclock::start::{Participant, Stage, StartError};
use netclock::wire::Datagram;
use netclock::{LocalTime, Span, WireError};

use super::{MILLISECOND, game, reading};

fn of_kind(kind: u8, mut next: impl FnMut() -> Option<Datagram>) -> Datagram {
    std::iter::from_fn(&mut next).find(|datagram| datagram[3] == kind).expect("it has one")
}

#[test]
fn impossible_results_are_rejected() {
    let mut game = game(1);
    let start = game.start();
    game.frames(3);
    game.tick(0, &reading(start, Span::from_millis(5)));
    let result = of_kind(7, || game.players[0].next_message());
    let mut early = result;
    early[16..24].copy_from_slice(&(start.ticks() - 1).to_be_bytes());
    let mut other = result;
    other[7] = 9;
    // The clock may be ahead by its bound of 20 ms.
    let soonest = start + Span::from_millis(5) - Span::from_millis(20);
    let organiser = &mut game.organiser;
    let before = organiser.participation(0, start);
    for (datagram, at, error) in [
        (&early, start + MILLISECOND, StartError::Implausible),
        (&result, soonest - Span::from_ticks(1), StartError::Implausible),
        (&other, start + MILLISECOND, StartError::Stale),
    ] {
        assert_eq!(organiser.receive(0, datagram, at), Err(error));
        assert_eq!(organiser.participation(0, start), before, "a rejected result changed the state");
        assert_eq!(organiser.result().expect("scheduled").fired, 0);
    }
    assert_eq!(organiser.receive(0, &result, soonest), Ok(()));
    assert_eq!(organiser.receive(0, &result, start + MILLISECOND), Err(StartError::Duplicate));
    assert_eq!(organiser.result().expect("scheduled").fired, 1, "once");
    assert_eq!(organiser.participation(0, start).expect("admitted").lateness, Some(Span::from_millis(5)));
}

#[test]
fn messages_that_a_participant_rejects_change_nothing() {
    let mut game = game(1);
    let now = game.now;
    let announcement =
        |game: &mut super::Simulation| game.organiser.next_message(now).expect("due at once").1;
    game.start();
    let first = announcement(&mut game);
    game.organiser.cancel(now).expect("under way");
    let cancel = announcement(&mut game);
    let second = game.start();
    let newest = announcement(&mut game);
    let mut changed = newest;
    changed[15] ^= 1;
    let mut other_run = newest;
    other_run[31] ^= 1;
    let mut unsynced = Participant::default();
    assert_eq!(unsynced.receive(&newest), Err(StartError::OtherRun));

    let player = &mut game.players[0];
    assert_eq!(player.receive(&newest), Ok(()));
    let acknowledgement = of_kind(6, || player.next_message());
    for (datagram, error) in [
        (&first[..], StartError::Stale),
        (&cancel, StartError::Stale),
        (&changed, WireError::Reserved.into()),
        (&other_run, StartError::OtherRun),
        (&newest[..31], WireError::Length(31).into()),
        (&[0; 4096], WireError::Length(4096).into()),
        (&acknowledgement, WireError::Kind(6).into()),
    ] {
        assert_eq!(player.receive(datagram), Err(error));
        assert_eq!(player.next_message(), None, "it answered");
    }
    let progress = player.tick(LocalTime::from_ticks(now.ticks()), &reading(now, Span::ZERO)).expect("valid");
    assert_eq!((progress.stage, progress.version, progress.at), (Stage::Announced, 3, second));
    assert_eq!(player.receive(&newest), Ok(()), "once more");
    assert_eq!(
        of_kind(6, || player.next_message()),
        acknowledgement,
        "the repeated start is not acknowledged"
    );
}
