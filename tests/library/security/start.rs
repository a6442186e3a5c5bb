use netclock::start::{Organiser, OrganiserConfig, Participant, Proposal, StartError};
use netclock::{LocalTime, Reading, ServerTime, Span};

const EPOCH: u64 = 4;
const FRAME: Span = Span::from_millis(16);

fn at(millis: i64) -> ServerTime {
    ServerTime::from_ticks(0) + Span::from_millis(millis)
}

fn reading(now: ServerTime) -> Reading {
    netclock_sim::reading(EPOCH, now, Span::from_millis(20))
}

/// Returns an organiser that waits for participant 0.
fn organiser() -> Organiser {
    let mut organiser = Organiser::new(OrganiserConfig::default(), EPOCH).expect("valid");
    organiser.admit(0).expect("there is room");
    organiser
}

/// Runs one frame of the organiser and of the participant, which is admitted as 0. Returns true if the
/// participant starts in this frame.
fn frame(organiser: &mut Organiser, player: &mut Participant, now: ServerTime) -> bool {
    while let Some((_, datagram)) = organiser.next_message(now) {
        // The start is addressed to the forger's key, so the participant rejects it.
        let _by_its_key = player.receive(&datagram);
    }
    let fires = player.tick(LocalTime::from_ticks(now.ticks()), &reading(now)).expect("valid").fires;
    while let Some(datagram) = player.next_message() {
        let _refused_while_the_forger_is_believed = organiser.receive(0, &datagram, now);
    }
    fires
}

fn forged(now: ServerTime) -> [u8; 32] {
    let mut forger = Participant::new(0xBAD);
    let _ = forger.tick(LocalTime::from_ticks(now.ticks()), &reading(now)).expect("valid");
    forger.next_message().expect("its first readiness")
}

#[test]
fn a_forged_first_readiness_does_not_lock_the_participant_out() {
    let mut organiser = organiser();
    assert_eq!(organiser.receive(0, &forged(at(0)), at(0)), Ok(()));
    let mut player = Participant::new(100);
    let (mut now, mut scheduled, mut fired) = (at(0), None, 0);
    while now < at(20_000) {
        now += FRAME;
        if scheduled.is_none() {
            if let Ok(Proposal::Scheduled { at, .. }) = organiser.propose(now, 0.999) {
                scheduled = Some(at);
            }
        }
        fired += u32::from(frame(&mut organiser, &mut player, now));
    }
    assert_eq!(fired, 1, "scheduled for {scheduled:?}");
    let known = organiser.participation(0, now).expect("admitted");
    assert!(known.acknowledged, "{known:?}");
    assert!(known.lateness.is_some(), "{known:?}");
    assert_eq!(organiser.result().map(|result| (result.counted, result.fired)), Ok((1, 1)));
}

#[test]
fn a_forged_readiness_of_an_active_participant_is_rejected() {
    let mut organiser = organiser();
    let mut player = Participant::new(100);
    for millis in 0..100 {
        frame(&mut organiser, &mut player, at(16 * millis));
    }
    let now = at(1_600);
    let before = organiser.participation(0, now);
    assert_eq!(organiser.receive(0, &forged(now), now), Err(StartError::WrongKey));
    assert_eq!(organiser.participation(0, now), before);
}

#[test]
fn without_a_key_a_persistent_forger_excludes_the_participant() {
    let mut organiser = organiser();
    let mut forger = Participant::new(0xBAD);
    let mut player = Participant::new(100);
    let mut fired = 0;
    for millis in 0..1_000 {
        let now = at(16 * millis);
        let _ = forger.tick(LocalTime::from_ticks(now.ticks()), &reading(now)).expect("valid");
        while let Some(datagram) = forger.next_message() {
            let _first_or_later = organiser.receive(0, &datagram, now);
        }
        let _held_up_or_pending = organiser.propose(now, 0.999);
        fired += u32::from(frame(&mut organiser, &mut player, now));
    }
    assert_eq!(fired, 0, "a limit of unkeyed mode, as the page says");
}
