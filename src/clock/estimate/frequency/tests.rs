//! Rates of simulated paths.

use super::*;

/// A history of one exchange per second over a path whose forward delay is `forward(i)` (s).
fn history(ppm: f64, seconds: i32, forward: impl Fn(i32) -> f64) -> History {
    let mut history = History::new(true).expect("there is memory");
    for i in 0..seconds {
        let at = f64::from(i);
        let offset = ppm * 1e-6 * at;
        let noise = |factor: i32| f64::from((i * factor) % 97) / 97.0 * 2e-3;
        let upper = Point { at, value: offset + forward(i) + noise(37) };
        let lower = Point { at, value: offset - 0.025 - noise(53) };
        history.add(Block::new(upper, lower), ppm * 1e-6);
    }
    history
}

fn rate_ppm(history: &History, now: f64) -> f64 {
    let fit = Posterior::fit(history, now, Prior::CRYSTALS, 0.2e-6, None);
    assert!((fit.nodes.iter().map(|node| node.weight).sum::<f64>() - 1.0).abs() < 1e-9);
    fit.mean * 1e6
}

#[test]
fn it_finds_rates_from_nothing_to_far_beyond_ordinary_crystals() {
    for ppm in [0.0, 20.0, -80.0, 200.0, -400.0] {
        let found = rate_ppm(&history(ppm, 300, |_| 0.025), 300.0);
        assert!((found - ppm).abs() < 1.0, "{ppm} ppm found as {found}");
    }
}

#[test]
fn a_burst_says_nothing_of_the_rate_that_crystals_do_not_say() {
    let mut history = History::new(true).expect("there is memory");
    for i in 0..10 {
        let (at, queue) = (0.03 * f64::from(i), f64::from(i * 7 % 10) * 1e-4);
        let point = |value| Point { at, value };
        history.add(Block::new(point(0.025 + queue), point(-0.025 - queue)), 0.0);
    }
    let fit = Posterior::fit(&history, 0.3, Prior::CRYSTALS, 0.2e-6, None);
    assert!(fit.mean.abs() < 10e-6 && fit.sigma < 30e-6, "{} {}", fit.mean, fit.sigma);
}

#[test]
fn queueing_in_one_direction_does_not_move_the_middle() {
    // Delays of the way up are spread over 20 ms, so the smallest of 60 is a third of a millisecond above
    // the floor.
    let mut history = History::new(true).expect("there is memory");
    for i in 0..60 {
        let at = f64::from(i);
        let queue = (f64::from(i * 13 % 60) + 1.0) / 3e3;
        let back = f64::from(i * 49 % 61) / 1e5;
        let (upper, lower) = (Point { at, value: 0.025 + queue }, Point { at, value: -0.025 - back });
        history.add(Block::new(upper, lower), 0.0);
    }
    let fit = Posterior::fit(&history, 60.0, Prior::said(0.0, 0.3e-6), 0.2e-6, None);
    assert!((0.15e-3..0.5e-3).contains(&fit.lag), "{}", fit.lag);
}

#[test]
fn a_route_change_in_one_direction_does_not_bend_the_rate() {
    for change in [0.040, -0.020] {
        let found = rate_ppm(&history(20.0, 600, |i| if i < 200 { 0.025 } else { 0.025 + change }), 600.0);
        assert!((found - 20.0).abs() < 1.0, "{found} ppm after a change by {change} s");
    }
}

#[test]
fn like_lags_are_chance_and_unlike_ones_are_not() {
    assert_eq!(beyond_chance(1.0, 1.3), 0.0);
    let shrunk = beyond_chance(10.0, 1.0);
    assert!(shrunk > 7.0 && shrunk < 9.0, "{shrunk}");
    assert_eq!(beyond_chance(1.0, 10.0), -shrunk);
}

#[test]
fn starting_from_the_last_fit_gives_the_same_answer() {
    let last = Posterior::fit(&history(50.0, 200, |_| 0.025), 200.0, Prior::CRYSTALS, 0.2e-6, None);
    let longer = history(50.0, 260, |_| 0.025);
    let again = Posterior::fit(&longer, 260.0, Prior::CRYSTALS, 0.2e-6, Some(&last));
    let fresh = Posterior::fit(&longer, 260.0, Prior::CRYSTALS, 0.2e-6, None);
    assert!((again.mean - fresh.mean).abs() < 0.2 * fresh.sigma.max(1e-7));
}
