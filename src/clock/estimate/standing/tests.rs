use super::super::history::Point;
use super::*;

const RATE: f64 = 40e-6;

/// Judges forward and reverse delays (s) measured every 2 s, which include the session's smallest round trip.
fn judged(delays: impl Fn(u32) -> [f64; 2], frames: [f64; 2], shortest: Option<f64>) -> Queue {
    let (mut standing, mut least) = (Standing::new(), [f64::INFINITY; 2]);
    for i in 0..40 {
        let (at, [up, down]) = (2.0 * f64::from(i), delays(i));
        let point = |value| Point { at, value: value + RATE * at };
        standing.add(&Block::new(point(up), point(-down)));
        least = [least[0].min(up), least[1].min(down)];
    }
    standing.judge(Queue::default(), RATE, least[0] + least[1], frames, shortest)
}

/// Returns the delay behind one CUBIC flow (s), assuming that the other direction takes half of `base`.
fn cubic(i: u32, base: f64, largest: f64) -> f64 {
    let phase = f64::from(i * 7 % 23) / 22.0;
    largest * (0.85 + 0.15 * (2.0 * phase - 1.0).powi(3)) - base / 2.0
}

#[test]
fn a_cubic_queue_is_detected_in_either_direction() {
    for base in [0.020, 0.050, 0.100] {
        let saw = |i| cubic(i, base, base + 0.250);
        let up = judged(|i| [saw(i), base / 2.0], [0.0; 2], None);
        let stands = (0.7 * (base + 0.250) - base) / 2.0;
        assert!((up.beyond - stands).abs() < 0.025, "{up:?} for {stands}");
        assert!((up.beyond - stands).powi(2) < 2.0 * up.variance, "{up:?} for {stands}");
        let down = judged(|i| [base / 2.0, saw(i)], [0.0; 2], None);
        assert!((up.beyond + down.beyond).abs() < 1e-6, "{up:?} {down:?}");
    }
}

#[test]
fn a_known_round_trip_of_the_empty_path_decides() {
    let saw = |i| [cubic(i, 0.020, 0.300), 0.010];
    let known = judged(saw, [0.0; 2], Some(0.020));
    assert!((known.beyond - 0.095).abs() < 0.005 && known.variance < 0.015_f64.powi(2), "{known:?}");
    // The server really is 209 ms away.
    let far = judged(saw, [0.0; 2], Some(0.209));
    assert_eq!(far, Queue { beyond: 0.0, variance: 0.0, is_empty: true });
}

#[test]
fn emptying_queues_and_route_changes_are_not_standing_queues() {
    // The ratio of the delays matches CUBIC's by chance.
    let on_off = |i: u32| if i / 6 % 2 == 0 { 0.050 } else { cubic(i, 0.1, 0.143) };
    let half = judged(|i| [on_off(i), 0.050], [0.0; 2], None);
    assert!(half.beyond == 0.0 && half.variance < 0.015_f64.powi(2), "{half:?}");
    // The ratio of the delays does not match CUBIC's.
    let now_and_then = judged(|i| [if i % 3 == 0 { 0.2 } else { 0.025 }, 0.025], [0.0; 2], None);
    assert_eq!(now_and_then, Queue { beyond: 0.0, variance: 0.0, is_empty: true });
    for changes_at in 0..40 {
        let route = |i| if i < changes_at { 0.050 } else { 0.093 };
        let queue = judged(|i| [route(i), 0.050], [0.0; 2], None);
        assert!(queue.beyond == 0.0 && queue.variance < 0.004_f64.powi(2), "{changes_at}: {queue:?}");
    }
    let alike = judged(|_| [0.025; 2], [0.0; 2], None);
    assert!(alike.is_empty && alike.variance < 1e-18, "{alike:?}");
    let both = judged(|i| [cubic(i, 0.05, 0.3), cubic(i + 5, 0.05, 0.3)], [0.0; 2], None);
    assert_eq!(both.beyond, 0.0);
}

#[test]
fn frames_hold_messages_for_up_to_their_period() {
    let waits = |i: u32| [0.060 + f64::from(i * 11 % 40) / 40.0 * 0.033, 0.040];
    assert!(judged(waits, [0.0; 2], None).variance > 0.0);
    assert_eq!(judged(waits, [1.0 / 30.0, 0.0], None).variance, 0.0);
}

#[test]
fn frames_do_not_hide_a_queue() {
    const FRAME: f64 = 1.0 / 60.0;
    let wait = |i: u32| FRAME * f64::from(i % 40) / 40.0;
    for base in [0.020, 0.050, 0.100] {
        let delays = |i| [cubic(i, base, base + 0.250) + wait(i * 11), base / 2.0 + wait(i * 17)];
        let queue = judged(delays, [FRAME; 2], None);
        let stands = (0.7 * (base + 0.250) - base) / 2.0;
        assert!((queue.beyond - stands).abs() < 0.025, "{queue:?} for {stands}");
        // All messages are handled at the starts of frames, and both frame loops stay in phase.
        let found = |delay: f64| (delay / FRAME).ceil() * FRAME;
        let in_step = |i| [found(cubic(i, base, base + 0.250)), found(base / 2.0)];
        let queue = judged(in_step, [FRAME; 2], None);
        assert!((queue.beyond - stands).abs() < 0.025, "{queue:?} for {stands} in step");
    }
}

#[test]
fn a_small_busy_queue_adds_uncertainty_by_its_size() {
    let packets = |i: u32| 0.0254 + 0.002 * (0.5 + 0.5 * (f64::from(i * 13 % 40) / 20.0 - 1.0).powi(3));
    let queue = judged(|i| [packets(i), 0.025], [0.0; 2], None);
    assert!(queue.beyond == 0.0 && queue.is_empty, "{queue:?}");
    assert!((0.05e-3..0.15e-3).contains(&queue.variance.sqrt()), "{queue:?}");
}
