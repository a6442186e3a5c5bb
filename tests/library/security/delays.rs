//! An attacker on the path who can only delay: a key does not keep him from it. The error bound covers whatever he does.

use netclock::{Client, Config, LocalTime, Reply, Responder, ServerTime, Span, State};

use crate::dice::Dice;
use crate::seed::seed;

const OFFSET: Span = Span::from_secs(-700);

/// What an attacker adds to the two directions of an exchange that began at this time.
type Delays = fn(&mut Dice, LocalTime) -> (Span, Span);

/// How far the clock was off at worst after the first 20 s, and its error bound at that time.
fn attacked(delays: Delays, seconds: i64) -> (Span, Span) {
    let mut dice = Dice(seed(2026));
    let mut client = Client::new(Config::default(), 3).expect("the default is valid");
    let responder = Responder::new(1);
    let start = LocalTime::from_ticks(1_000_000_000);
    let mut under_way: Vec<(LocalTime, Reply)> = Vec::new();
    let truth = |local: LocalTime| ServerTime::from_ticks(local.ticks()) + OFFSET;
    let mut worst = (Span::ZERO, Span::ZERO);
    for frame in 0..seconds * 100 {
        let now = start + Span::from_millis(10 * frame);
        let (there, later): (Vec<_>, Vec<_>) = under_way.drain(..).partition(|&(at, _)| at <= now);
        under_way = later;
        for (at, reply) in there {
            let _refused_ones_are_part_of_the_game = client.handle_reply(&reply, at);
        }
        if let Some(request) = client.tick(now).expect("in order") {
            let (forward, reverse) = delays(&mut dice, now);
            let jitter = |dice: &mut Dice| Span::from_secs_f64(0.025 - 0.004 * (1.0 - dice.fraction()).ln());
            let received = now + forward + jitter(&mut dice);
            let reply = responder.respond(&request, truth(received), truth(received)).expect("in order");
            under_way.push((received + reverse + jitter(&mut dice), reply));
        }
        let reading = client.read(now);
        if reading.state == State::Unsynced {
            continue;
        }
        let error = (reading.server_time - truth(now)).abs();
        assert!(error <= reading.error_bound, "{error} of {} at {now:?}", reading.error_bound);
        if error > worst.0 && frame > 2_000 {
            worst = (error, reading.error_bound);
        }
    }
    worst
}

fn millis(fraction: f64, most: f64) -> Span {
    Span::from_secs_f64(fraction * most / 1000.0)
}

#[test]
fn some_delayed_messages_change_next_to_nothing() {
    // One in a hundred, by up to 200 ms, in either direction.
    let (error, bound) = attacked(
        |dice, _| {
            let held = if dice.fraction() < 0.01 { millis(dice.fraction(), 200.0) } else { Span::ZERO };
            if dice.fraction() < 0.5 { (held, Span::ZERO) } else { (Span::ZERO, held) }
        },
        600,
    );
    println!("off by {error}, bound {bound}");
    assert!(error < Span::from_millis(3), "{error}");
}

#[test]
fn half_of_all_messages_delayed_at_random_stay_within_the_bound() {
    let (error, bound) = attacked(
        |dice, _| {
            let held = |dice: &mut Dice| {
                if dice.fraction() < 0.5 { millis(dice.fraction(), 200.0) } else { Span::ZERO }
            };
            (held(dice), held(dice))
        },
        600,
    );
    println!("off by {error}, bound {bound}");
}

#[test]
fn one_direction_delayed_for_ever_is_half_of_it_and_within_the_bound() {
    // From the first message on: no stamp shows it, as docs/theory.md proves. It is what the bound is for.
    let (error, bound) = attacked(|_, _| (Span::ZERO, Span::from_millis(200)), 120);
    println!("off by {error}, bound {bound}");
    assert!(error > Span::from_millis(90) && error < Span::from_millis(110), "{error}");
    assert!(bound < Span::from_millis(140), "{bound}: and the bound is no wider than half of the round trip");
}

/// Replies whose stamps somebody on the path shifts, one in a hundred by as much as 200 ms in either direction. How far the
/// error exceeded the bound at worst, with this delay in each direction, and how long the longest round trip was.
fn shifted(delay: f64, seeds: u64) -> (Span, Span) {
    let (mut beyond, mut longest) = (Span::from_secs(-1), Span::ZERO);
    for run in 0..seeds {
        let mut dice = Dice(seed(2026) + run);
        let mut client = Client::new(Config::default(), u128::from(run) + 3).expect("the default is valid");
        let responder = Responder::new(1);
        let start = LocalTime::from_ticks(1_000_000_000);
        let mut under_way: Vec<(LocalTime, Reply, LocalTime)> = Vec::new();
        let truth = |local: LocalTime| ServerTime::from_ticks(local.ticks()) + OFFSET;
        for frame in 0..6_000 {
            let now = start + Span::from_millis(10 * frame);
            let (there, later): (Vec<_>, Vec<_>) = under_way.drain(..).partition(|&(at, ..)| at <= now);
            under_way = later;
            for (at, reply, sent) in there {
                let _refused_ones_are_part_of_the_game = client.handle_reply(&reply, at);
                longest = longest.max(at - sent);
            }
            if let Some(request) = client.tick(now).expect("in order") {
                let jitter =
                    |dice: &mut Dice| Span::from_secs_f64(delay - 0.004 * (1.0 - dice.fraction()).ln());
                let received = now + jitter(&mut dice);
                let mut reply =
                    responder.respond(&request, truth(received), truth(received)).expect("in order");
                if dice.fraction() < 0.01 {
                    let by = millis(2.0 * dice.fraction() - 1.0, 200.0);
                    (reply.received, reply.sent) = (reply.received + by, reply.sent + by);
                }
                under_way.push((received + jitter(&mut dice), reply, now));
            }
            let reading = client.read(now);
            if reading.state == State::Synced {
                beyond = beyond.max((reading.server_time - truth(now)).abs() - reading.error_bound);
            }
        }
    }
    (beyond, longest)
}

#[test]
fn experiment() {
    for delay in [0.010, 0.025, 0.1, 0.13, 0.25] {
        println!("{delay}: {:?}", shifted(delay, 100));
    }
}
