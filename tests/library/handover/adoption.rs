//! A new server adopts the timescale from its clients. Whatever the tolerated liars claim, the true time is
//! within the dispersion, and invalid replies are rejected.

use netclock::adoption::{Adopted, Adoption, AdoptionConfig, AdoptionError};
use netclock::authority::{AdoptionReply, AdoptionRequest, MAX_DISPERSION};
use netclock::{LocalTime, ServerTime, Span};
use netclock_sim::pair::SEED;
use netclock_sim::random::{Random, seed};

const TIMESCALE: u64 = 77;
/// The timescale minus the raw clock.
const OFFSET: Span = Span::from_secs(-4_000);
const START: LocalTime = LocalTime::from_ticks(80_000_000_000);

fn truth(raw: LocalTime) -> ServerTime {
    ServerTime::from_ticks(raw.ticks()) + OFFSET
}

fn adoption(liars: u32) -> Adoption {
    Adoption::new(&AdoptionConfig { liars, ..AdoptionConfig::of(TIMESCALE) }, 9).expect("in range")
}

/// A participant's reply, with the delays of the request and of the reply.
#[derive(Clone, Copy)]
struct Said {
    bound: Span,
    /// The error of the stated time.
    off: Span,
    forward: Span,
    reverse: Span,
}

fn ms(millis: i64) -> Span {
    Span::from_millis(millis)
}

fn ask(adoption: &mut Adoption, name: u64, at: LocalTime) -> AdoptionRequest {
    adoption.request(name, at).expect("there is room").expect("it is due")
}

fn say(question: &AdoptionRequest, said: &Said, at: LocalTime) -> (AdoptionReply, LocalTime) {
    let time = truth(at + said.forward) + said.off;
    let answer = AdoptionReply { id: question.id, timescale: TIMESCALE, time, error_bound: said.bound };
    (answer, at + said.forward + said.reverse)
}

/// Asks participant `name` at `at`, and handles its answer.
fn exchange(adoption: &mut Adoption, name: u64, said: &Said, at: LocalTime) -> Result<(), AdoptionError> {
    let question = ask(adoption, name, at);
    let (answer, arrived) = say(&question, said, at);
    adoption.handle_reply(name, &answer, arrived)
}

/// An honest reply, which is off by no more than its bound.
fn honest(random: &mut Random) -> Said {
    let bound = 5.0 + 25.0 * random.unit();
    let delay = |random: &mut Random| Span::from_secs_f64((5.0 + 60.0 * random.unit()) / 1000.0);
    Said {
        bound: Span::from_secs_f64(bound / 1000.0),
        off: Span::from_secs_f64(bound * (2.0 * random.unit() - 1.0) / 1000.0),
        forward: delay(random),
        reverse: delay(random),
    }
}

fn error(adopted: &Adopted, at: LocalTime) -> Span {
    (adopted.server_time(at) - truth(at)).abs()
}

#[test]
fn the_truth_is_within_the_dispersion_whatever_the_tolerated_liars_claim() {
    let mut random = Random::new(seed(SEED), "liars");
    for liars in (0..40).map(|round| round % 5) {
        let (mut adoption, mut now) = (adoption(liars), START);
        for name in 0..2 * u64::from(liars) + 1 + random.below(4) as u64 {
            let mut said = honest(&mut random);
            if name < u64::from(liars) {
                said.off = Span::from_ticks(random.below(1 << 30) - (1 << 29));
            }
            assert_eq!(exchange(&mut adoption, name, &said, now), Ok(()));
            now += said.forward + said.reverse;
        }
        let adopted = adoption.settle(now).expect("enough participants are honest");
        assert!(error(&adopted, now) <= adopted.dispersion, "{liars} liars: {adopted:?}");
    }
}

#[test]
fn more_liars_than_tolerated_prevent_an_adoption() {
    let mut random = Random::new(seed(SEED), "adoption");
    let mut adoption = adoption(1);
    assert_eq!(adoption.settle(START), Err(AdoptionError::TooFew { answers: 0, needed: 3 }));
    for (name, off) in [(1, 0), (2, 500), (3, -500)] {
        let said = Said { off: ms(off), ..honest(&mut random) };
        assert_eq!(adoption.answers(), name - 1);
        assert_eq!(adoption.settle(START), Err(AdoptionError::TooFew { answers: name - 1, needed: 3 }));
        assert_eq!(exchange(&mut adoption, u64::from(name), &said, START), Ok(()));
    }
    assert_eq!(adoption.settle(START), Err(AdoptionError::NoAgreement { needed: 2 }));
    assert_eq!(adoption.answers(), 3, "it can be tried again with more");
    for extreme in [i64::MIN, i64::MAX] {
        assert_eq!(adoption.settle(LocalTime::from_ticks(extreme)), Err(AdoptionError::OutOfRange));
    }
}

#[test]
fn a_host_that_was_a_client_needs_no_replies() {
    let mut random = Random::new(seed(SEED), "adoption");
    let mut adoption = adoption(1);
    let own = truth(START) + ms(8);
    assert_eq!(adoption.add_own_reading(own, ms(20), START), Ok(()));
    let alone = adoption.settle(START).expect("it knows itself");
    assert_eq!((alone.offset, alone.dispersion), (OFFSET + ms(8), ms(20)));
    // The number of liars does not matter, because the honest participants help.
    for name in 1..=3 {
        let lie = Said { off: ms(300), bound: ms(1), ..honest(&mut random) };
        assert_eq!(exchange(&mut adoption, name, &lie, START), Ok(()));
    }
    let refused = adoption.settle(START);
    assert_eq!(refused, Err(AdoptionError::NoAgreement { needed: 3 }), "more lie than are tolerated: say so");

    let mut adoption = self::adoption(1);
    assert_eq!(adoption.add_own_reading(own, ms(20), START), Ok(()));
    let lie = Said { off: ms(11), bound: ms(1), forward: ms(1), reverse: ms(1) };
    assert_eq!(exchange(&mut adoption, 1, &lie, START), Ok(()));
    for name in 2..=4 {
        let said = Said { off: ms(2), bound: ms(4), forward: ms(1), reverse: ms(1) };
        assert_eq!(exchange(&mut adoption, name, &said, START), Ok(()));
    }
    let now = START + ms(2);
    let helped = adoption.settle(now).expect("it knows itself");
    assert!(helped.dispersion < ms(6), "{helped:?}");
    assert!(error(&helped, now) <= helped.dispersion, "{helped:?}");
    let stepped = adoption.add_own_reading(own + ms(100), ms(20), START);
    assert_eq!(stepped, Err(AdoptionError::NoAgreement { needed: 1 }));
    assert_eq!(adoption.settle(now), Ok(helped), "the first reading still counts");
}

#[test]
fn further_replies_tighten_the_bounds_of_a_participant() {
    let mut adoption = adoption(1);
    let late = Said { off: ms(-9), bound: ms(10), forward: ms(5), reverse: ms(5) };
    let early = Said { off: ms(9), ..late };
    assert_eq!(exchange(&mut adoption, 1, &late, START), Ok(()));
    assert_eq!(exchange(&mut adoption, 1, &early, START + ms(250)), Ok(()));
    assert_eq!(adoption.answers(), 1);
    assert_eq!(adoption.settle(START), Err(AdoptionError::TooFew { answers: 1, needed: 3 }));
    for name in 2..=3 {
        let said = Said { off: Span::ZERO, bound: ms(40), ..late };
        assert_eq!(exchange(&mut adoption, name, &said, START), Ok(()));
    }
    let now = START + ms(260);
    let adopted = adoption.settle(now).expect("three answered");
    assert_eq!((adopted.answers, adopted.agreeing), (3, 3));
    assert!(error(&adopted, now) <= adopted.dispersion, "{adopted:?}");
}

#[test]
fn a_participant_that_contradicts_itself_does_not_count() {
    let mut random = Random::new(seed(SEED), "adoption");
    let mut adoption = adoption(1);
    let said = Said { bound: ms(10), off: Span::ZERO, forward: ms(10), reverse: ms(10) };
    assert_eq!(exchange(&mut adoption, 1, &said, START), Ok(()));
    let moved = Said { off: ms(100), ..said };
    assert_eq!(exchange(&mut adoption, 1, &moved, START + ms(300)), Err(AdoptionError::Liar(1)));
    assert_eq!(adoption.request(1, START + Span::from_secs(1)), Ok(None), "he is not asked again");
    assert_eq!(adoption.answers(), 0);
    // He was the liar that is tolerated. So the others have to agree, but one of them is enough.
    assert_eq!(adoption.settle(START), Err(AdoptionError::TooFew { answers: 0, needed: 1 }));
    assert_eq!(exchange(&mut adoption, 2, &honest(&mut random), START), Ok(()));
    assert_eq!(adoption.settle(START).map(|adopted| adopted.answers), Ok(1));
}

#[test]
fn invalid_replies_are_rejected_and_change_nothing() {
    let mut adoption = adoption(0);
    let said = Said { bound: ms(10), off: Span::ZERO, forward: ms(10), reverse: ms(10) };
    let question = ask(&mut adoption, 1, START);
    let (good, arrived) = say(&question, &said, START);
    let before = format!("{adoption:?}");
    let mut refused = |answer: &AdoptionReply, name, arrived, expected| {
        assert_eq!(adoption.handle_reply(name, answer, arrived), Err(expected), "{answer:?}");
        assert_eq!(adoption.answers(), 0);
        assert_eq!(format!("{adoption:?}"), before, "{answer:?}");
    };
    refused(&good, 2, arrived, AdoptionError::UnknownParticipant(2));
    refused(&AdoptionReply { id: good.id ^ 1, ..good }, 1, arrived, AdoptionError::UnknownRequest);
    refused(&AdoptionReply { timescale: 5, ..good }, 1, arrived, AdoptionError::OtherTimescale(5));
    for bound in [Span::from_ticks(-1), MAX_DISPERSION + Span::from_ticks(1), Span::MAX] {
        refused(&AdoptionReply { error_bound: bound, ..good }, 1, arrived, AdoptionError::OutOfRange);
    }
    for ticks in [i64::MIN, i64::MAX, (1 << 62) - 1, 1 - (1 << 62)] {
        let extreme = AdoptionReply { time: ServerTime::from_ticks(ticks), ..good };
        refused(&extreme, 1, arrived, AdoptionError::OutOfRange);
    }
    refused(&good, 1, LocalTime::from_ticks(i64::MAX), AdoptionError::OutOfRange);
    refused(&good, 1, START - ms(1), AdoptionError::ArrivedBeforeSent);
    refused(&good, 1, START + Span::from_secs(6), AdoptionError::TooSlow(Span::from_secs(6)));
    assert_eq!(adoption.handle_reply(1, &good, arrived), Ok(()), "after all that");
    assert_eq!(adoption.handle_reply(1, &good, arrived), Err(AdoptionError::UnknownRequest), "a replay");
    let adopted = adoption.settle(arrived).expect("nobody may lie, and one answered");
    assert_eq!(
        adopted.dispersion,
        ms(20) + Span::from_ticks(11),
        "bound, half the trip, and its drift, rounded outwards"
    );
}

#[test]
fn requests_are_paced_and_participants_limited() {
    let mut adoption = adoption(0);
    let first = ask(&mut adoption, 7, START);
    assert_eq!(adoption.request(7, START + ms(249)), Ok(None));
    let mut last = first;
    for turn in 1..=3 {
        last = ask(&mut adoption, 7, START + ms(250 * turn));
    }
    let said = Said { bound: ms(1), off: Span::ZERO, forward: Span::ZERO, reverse: Span::ZERO };
    let mut answer = |question| adoption.handle_reply(7, &say(question, &said, START).0, START + ms(900));
    assert_eq!(answer(&first), Err(AdoptionError::UnknownRequest), "forgotten");
    assert_eq!(answer(&last), Ok(()));
    for name in 100..163 {
        ask(&mut adoption, name, START);
    }
    assert_eq!(adoption.request(1, START), Err(AdoptionError::Full), "64 are there");
    assert_eq!(adoption.answers(), 1);
    assert_eq!(adoption.request(7, LocalTime::from_ticks(i64::MAX)), Err(AdoptionError::OutOfRange));
}
