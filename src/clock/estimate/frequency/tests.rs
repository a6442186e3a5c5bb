use super::*;

/// Returns a history with one exchange per second over a path whose forward delay is `forward(i)` (s).
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
    fit.rate.mean * 1e6
}

#[test]
fn rates_far_beyond_ordinary_crystals_are_found() {
    for ppm in [0.0, 20.0, -80.0, 200.0, -400.0] {
        let found = rate_ppm(&history(ppm, 300, |_| 0.025), 300.0);
        assert!((found - ppm).abs() < 1.0, "{ppm} ppm found as {found}");
    }
}

#[test]
fn a_burst_reveals_no_more_about_the_rate_than_the_prior() {
    let mut history = History::new(true).expect("there is memory");
    for i in 0..10 {
        let (at, queue) = (0.03 * f64::from(i), f64::from(i * 7 % 10) * 1e-4);
        let point = |value| Point { at, value };
        history.add(Block::new(point(0.025 + queue), point(-0.025 - queue)), 0.0);
    }
    let fit = Posterior::fit(&history, 0.3, Prior::CRYSTALS, 0.2e-6, None);
    assert!(fit.rate.mean.abs() < 10e-6 && fit.rate.sigma < 30e-6, "{} {}", fit.rate.mean, fit.rate.sigma);
}

#[test]
fn a_route_change_in_one_direction_does_not_bend_the_rate() {
    for change in [0.040, -0.020] {
        let found = rate_ppm(&history(20.0, 600, |i| if i < 200 { 0.025 } else { 0.025 + change }), 600.0);
        assert!((found - 20.0).abs() < 1.0, "{found} ppm after a change by {change} s");
    }
}

#[test]
fn starting_from_the_last_fit_gives_the_same_answer() {
    let last = Posterior::fit(&history(50.0, 200, |_| 0.025), 200.0, Prior::CRYSTALS, 0.2e-6, None);
    let longer = history(50.0, 260, |_| 0.025);
    let again = Posterior::fit(&longer, 260.0, Prior::CRYSTALS, 0.2e-6, Some(&last));
    let fresh = Posterior::fit(&longer, 260.0, Prior::CRYSTALS, 0.2e-6, None);
    assert!((again.rate.mean - fresh.rate.mean).abs() < 0.2 * fresh.rate.sigma.max(1e-7));
}
