use super::*;

/// Simulates one exchange per second between clocks that differ by `ppm`. Each direction has a delay of 20 ms
/// plus up to 4 ms of queueing.
fn learn(estimator: &mut Estimator, ppm: f64, seconds: core::ops::Range<i64>) {
    for second in seconds {
        let at = second * TICKS_PER_SECOND;
        let server = |local: i64| local + (local as f64 * ppm * 1e-6) as i64;
        let (forward, reverse) = (200_000 + second * 37 % 97 * 400, 200_000 + second * 53 % 97 * 400);
        let received = server(at + forward);
        estimator.learn(&Exchange::of_ticks([at, received, received, at + forward + reverse]));
    }
}

fn estimator(prior: Prior) -> Estimator {
    Estimator::new(None, prior, None).expect("there is memory")
}

#[test]
fn a_learned_rate_survives_a_step_even_if_unusual() {
    let mut estimator = estimator(Prior::CRYSTALS);
    learn(&mut estimator, 200.0, 0..200);
    estimator.forget_offset();
    learn(&mut estimator, 200.0, 300..303);
    assert!((estimator.rate() - 200e-6).abs() < 5e-6, "{}", estimator.rate());
    // The next machine has a different crystal, and three exchanges do not reveal its rate.
    estimator.forget_server();
    learn(&mut estimator, -40.0, 400..500);
    assert!((estimator.rate() + 40e-6).abs() < 5e-6, "{}", estimator.rate());
}

/// At one rate, a late exchange can be the tightest in its block, but not at others.
#[test]
fn an_exchange_that_is_minutes_late_does_not_spoil_the_rate() {
    let frame = 1.0 / 60.0;
    let mut estimator = Estimator::new(Some((frame, frame)), Prior::CRYSTALS, None).expect("there is memory");
    for seconds in [0..3, 600..601, 1..2, 601..604] {
        learn(&mut estimator, 0.0, seconds);
    }
    assert!(estimator.rate().abs() < 100e-6, "{}", estimator.rate());
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Loops {
    Measured,
    Told,
    Unknown,
}

/// Simulates two frame loops at 60 Hz whose rates differ by `ppm`, while the clocks differ by 20 ppm. Returns
/// the offset error (ms), the expected error (ms), and the rate (ppm).
fn after_sliding(ppm: f64, seconds: i32, loops: Loops) -> [f64; 3] {
    let period = 1.0 / 60.0;
    let is_measured = loops == Loops::Measured;
    let told = Some(if loops == Loops::Told { (period, period) } else { (0.0, 0.0) });
    let mut estimator = Estimator::new(told, Prior::CRYSTALS, None).expect("there is memory");
    let mut random = Random(7);
    let slid = period * (1.0 + ppm * 1e-6);
    let next = |at: f64, period: f64| (at / period).ceil() * period;
    for second in 0..seconds {
        let sent = next(f64::from(second) + 0.1 * random.share(), slid);
        let received = next(sent + 0.025 + random.exponential(0.003), period);
        let found = next(received + 0.025 + random.exponential(0.003), slid);
        let server = received * (1.0 + 20e-6);
        let wait = is_measured.then_some(Span::from_ticks(ticks(period)));
        let stamps = Exchange::of_ticks([sent, server, server, found].map(ticks));
        estimator.learn(&Exchange { server_wait: wait, client_wait: wait, ..stamps });
    }
    let now = f64::from(seconds);
    let found = estimator.at(LocalTime::from_ticks(ticks(now))).expect("there were exchanges");
    [(found.offset - ticks(20e-6 * now)) as f64 / 1e4, found.sigma / 1e4, found.rate * 1e6]
}

#[test]
fn sliding_frames_are_not_mistaken_for_drift() {
    for ppm in [-1000.0, -300.0, -100.0, 0.0, 20.0, 100.0, 300.0, 1000.0, 3000.0] {
        let runs = [(Loops::Measured, 30), (Loops::Measured, 100), (Loops::Told, 250)];
        for (loops, seconds) in runs.into_iter().chain([(Loops::Unknown, 30), (Loops::Unknown, 250)]) {
            let [error, sigma, rate] = after_sliding(ppm, seconds, loops);
            let text = format!("{error:.2} +- {sigma:.2} ms, {rate:.0} ppm, {ppm} {seconds} {loops:?}");
            assert!(error.abs() < 3.0 * sigma && error.abs() < 6.0, "{text}");
            assert!((rate - 20.0).abs() < 70.0, "{text}");
        }
    }
}

#[test]
fn many_exchanges_of_a_loop_take_bounded_memory() {
    let [error, sigma, rate] = after_sliding(300.0, 4000, Loops::Measured);
    assert!(error.abs() < 3.0 * sigma.max(0.1) && (rate - 20.0).abs() < 2.0, "{error} +- {sigma} {rate}");
}

/// Returns the delay (s) that a CUBIC queue adds to request `i` if the empty path has a round-trip time of
/// 30 ms.
fn cubic_queue(i: i32) -> f64 {
    let phase = f64::from(i * 7 % 23) / 22.0;
    0.300 * (0.85 + 0.15 * (2.0 * phase - 1.0).powi(3)) - 0.030
}

/// Returns the offset error (ms) after two minutes behind a CUBIC queue.
fn error_beside_a_queue(estimator: &mut Estimator, from: f64) -> f64 {
    for i in 0..120 {
        estimator.learn(&exchange(from + f64::from(i), 0.015 + cubic_queue(i), 0.015));
    }
    let found = estimator.at(LocalTime::from_ticks(ticks(from + 120.0))).map_or(0, |found| found.offset);
    (found - ticks(25e-6 * (from + 120.0))) as f64 / 1e4
}

#[test]
fn a_few_long_frames_do_not_hide_a_queue() {
    let (frame, mut estimator, mut random) = (1.0 / 60.0, estimator(Prior::CRYSTALS), Random(7));
    let next = |at: f64| (at / frame).ceil() * frame;
    for i in 0..120 {
        let long = if i % 15 == 7 { 0.150 } else { 0.0 };
        let sent = next(f64::from(i) + 0.1 * random.share());
        let received = next(sent + 0.015 + cubic_queue(i)) + long;
        let found = next(received + 0.015) + long;
        let wait = Some(Span::from_ticks(ticks(frame + long)));
        let stamps = Exchange::of_ticks([sent, received, received, found].map(ticks));
        estimator.learn(&Exchange { server_wait: wait, client_wait: wait, ..stamps });
    }
    let found = estimator.at(LocalTime::from_ticks(ticks(120.0))).expect("there were exchanges");
    let (error, sigma) = (found.offset as f64 / 1e4, found.sigma / 1e4);
    // If the longest frame counted, the error would be 97 +- 40 ms.
    assert!(error.abs() < 30.0 && error.abs() < 1.5 * sigma, "{error} +- {sigma} ms");
}

#[test]
fn the_round_trip_of_an_empty_path_outlives_a_step_and_a_session() {
    let alone = error_beside_a_queue(&mut estimator(Prior::CRYSTALS), 0.0);
    assert!((8.0..25.0).contains(&alone.abs()), "{alone} ms");
    let mut known = estimator(Prior::CRYSTALS);
    for second in 0..60 {
        known.learn(&exchange(f64::from(second), 0.015, 0.015));
    }
    let later = known.asymmetry().expect("the path was empty").parts();
    known.forget_server();
    let after = error_beside_a_queue(&mut known, 100.0);
    assert!(after.abs() < 5.0, "{after} ms after a restart");
    let again = known.asymmetry().expect("it was empty once").parts();
    assert!((again[0] - later[0]).abs() < 1e-6, "{again:?}");
    let earlier = Asymmetry::earlier(later, 2.0);
    let mut next = Estimator::new(None, Prior::CRYSTALS, earlier).expect("there is memory");
    let after = error_beside_a_queue(&mut next, 0.0);
    assert!(after.abs() < 5.0, "{after} ms in the next session");
}

#[test]
fn a_sawtooth_queue_is_not_mistaken_for_routes() {
    for (seconds, told_from) in [(20, 0), (24, 0), (28, 0), (40, 60)] {
        let mut estimator = estimator(Prior::CRYSTALS);
        for second in 0..200 {
            let phase = f64::from(second % seconds) / f64::from(seconds - 1);
            let round_trip = 0.300 * (0.85 + 0.15 * (2.0 * phase - 1.0).powi(5));
            estimator.learn(&exchange(f64::from(second), round_trip - 0.025, 0.025));
            let asymmetry =
                estimator.asymmetry().filter(|asymmetry| asymmetry.is_unequal() && second >= told_from);
            assert_eq!(asymmetry, None, "second {second}, sawtooth of {seconds} s");
        }
        let (now, shown) = (200.0, estimator.at(LocalTime::from_ticks(ticks(200.0))));
        let error = shown.map_or(f64::NAN, |shown| (shown.offset - ticks(25e-6 * now)) as f64 / 1e4);
        assert!(error.abs() < 25.0, "{error} ms, sawtooth of {seconds} s");
    }
}

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn exponential(&mut self, scale: f64) -> f64 {
        -scale * (1.0 - self.share()).ln()
    }
}

fn ticks(seconds: f64) -> i64 {
    (seconds * TICKS_PER_SECOND as f64) as i64
}

/// Returns an exchange with a server whose clock is 25 ppm fast. Delays are in seconds.
fn exchange(at: f64, forward: f64, reverse: f64) -> Exchange {
    exchange_at_rate(25e-6, at, forward, reverse)
}

fn exchange_at_rate(rate: f64, at: f64, forward: f64, reverse: f64) -> Exchange {
    let server = (at + forward) * (1.0 + rate);
    Exchange::of_ticks([at, server, server, at + forward + reverse].map(ticks))
}

#[test]
fn level_changes_every_15_s_are_not_mistaken_for_an_unusual_crystal() {
    // As on a satellite path, each direction's delay changes by up to 20 ms, with 3 ms of queueing.
    let odd = |seed: u64| {
        let (mut estimator, mut random) = (estimator(Prior::said(26e-6, 1e-6)), Random(seed * 7_919));
        let mut levels = [0.0; 2];
        (0..300).any(|second| {
            if second % 15 == 0 {
                levels = [0.020 * random.share(), 0.020 * random.share()];
            }
            let [forward, reverse] = levels.map(|level| 0.015 + level + random.exponential(0.003));
            estimator.learn(&exchange(f64::from(second), forward, reverse));
            (estimator.rate() - 25e-6).abs() > 50e-6
        })
    };
    let sessions = (0..100).filter(|&seed| odd(seed)).count();
    // Currently, the estimate follows the delay levels in 27 sessions. Without the second search for unlikely
    // rates, there would be 51 such sessions. If all gaps counted as independent, there would be 72.
    assert!(sessions <= 35, "{sessions} of 100 sessions followed the levels");
}

#[test]
fn a_clock_with_an_unusual_rate_is_followed() {
    let missed = |seed: u64| {
        let (mut estimator, mut random) = (estimator(Prior::CRYSTALS), Random(seed * 7_919));
        for i in 0..60 {
            // Delays that rise and fall in both directions at once are weak evidence.
            let wave = 0.0015 * (1.0 + (f64::from(i) / 6.0).sin());
            let [forward, reverse] = [(); 2].map(|()| 0.025 + wave + random.exponential(0.001));
            estimator.learn(&exchange_at_rate(400e-6, f64::from(2 * i), forward, reverse));
        }
        (estimator.rate() - 400e-6).abs() > 25e-6
    };
    let sessions = (0..100).filter(|&seed| missed(seed)).count();
    // If we always used the second search's rate, 92 sessions would fail.
    assert_eq!(sessions, 0, "of 100 sessions");
}

#[test]
fn an_unusual_rate_survives_a_route_change_in_one_direction() {
    let error_ppm = |seed: u64| {
        let (mut estimator, mut random) = (estimator(Prior::CRYSTALS), Random(seed * 7_919));
        for second in 0..60 {
            let longer = if second < 28 { 0.0 } else { 0.040 };
            let [forward, reverse] = [longer, 0.0].map(|more| 0.025 + more + random.exponential(0.006));
            estimator.learn(&exchange_at_rate(80e-6, f64::from(second), forward, reverse));
        }
        (estimator.rate() - 80e-6).abs() * 1e6
    };
    let mean = (0..100).map(error_ppm).sum::<f64>() / 100.0;
    // The mean would be 40 ppm if both directions used the independent fraction of the changed direction.
    assert!(mean < 14.0, "{mean} ppm");
}

#[test]
fn a_later_queue_adds_little_uncertainty() {
    let (mut estimator, mut random) = (estimator(Prior::CRYSTALS), Random(7_919));
    let mut sigma_us_after = |seconds: core::ops::Range<i32>, queue: f64| {
        let end = f64::from(seconds.end);
        for second in seconds {
            let mut wait = || 0.025 + random.exponential(100e-6);
            let tooth = 0.7 + 0.01 * f64::from(second * 7 % 31);
            let (forward, reverse) = (wait() + queue * tooth, wait());
            estimator.learn(&exchange(f64::from(second), forward, reverse));
        }
        let estimate = estimator.at(LocalTime::from_ticks(ticks(end))).expect("there were exchanges");
        estimate.sigma / 10.0
    };
    let (before, after) = (sigma_us_after(0..30, 0.0), sigma_us_after(30..150, 0.300));
    // `after` would be 368 us if we used the scale of all exchanges.
    assert!((5.0..30.0).contains(&before) && after < 100.0, "{before} us, then {after} us");
}

/// Returns the offset error (us) at the end of each session. Request intervals grow as on a link, each
/// direction has 4 ms of exponential queueing, and the clocks differ by 25 ppm.
fn errors_after_ever_rarer_exchanges(seeds: u64) -> Vec<f64> {
    let error = |seed: u64| {
        let (mut estimator, mut random, mut at) = (estimator(Prior::CRYSTALS), Random(seed * 7_919), 0.1);
        while at < 120.0 {
            let mut delay = || 0.025 + random.exponential(0.004);
            let (forward, reverse) = (delay(), delay());
            estimator.learn(&exchange(at, forward, reverse));
            at += (at / 100.0 * (at / 30.0).max(1.0)).clamp(0.02, 4.0);
        }
        let found = estimator.at(LocalTime::from_ticks(ticks(at))).map_or(0, |found| found.offset);
        (found - ticks(25e-6 * at)) as f64 / 10.0
    };
    (0..seeds).map(error).collect()
}

#[test]
fn blocks_of_few_exchanges_count_less_than_blocks_of_many() {
    let mut errors: Vec<f64> =
        errors_after_ever_rarer_exchanges(100).iter().map(|error| error.abs()).collect();
    errors.sort_by(f64::total_cmp);
    println!("median {:.0} us, 90th of 100 {:.0} us, worst {:.0} us", errors[50], errors[90], errors[99]);
    // If all blocks counted equally, the printed errors would be 41, 252 and 703 us.
    assert!(errors[90] < 180.0 && errors[99] < 350.0, "{errors:?}");
}

/// Three replies wait behind a queue of 0.92 s, which shrinks by 0.15 s per second.
#[test]
fn replies_behind_one_queue_do_not_show_the_floor() {
    let mut estimator = estimator(Prior::CRYSTALS);
    let stamps = [
        [10_000_000, 60_200_000, 19_400_000],
        [10_200_000, 60_400_000, 19_570_000],
        [10_400_000, 60_600_000, 19_740_000],
    ];
    for [sent, server, received] in stamps {
        estimator.learn(&Exchange::of_ticks([sent, server, server, received]));
        let found = estimator.at(LocalTime::from_ticks(received)).expect("there was a reply");
        let (error, sigma) = ((found.offset - 50_000_000) as f64 / 1e4, found.sigma / 1e4);
        assert!(error.abs() < 2.0 * sigma && sigma > 50.0, "{error} +- {sigma} ms");
    }
}

/// Returns the errors and expected errors (ms) in each of the first 30 seconds. The session begins with a
/// queue of 0.1 to 1 s in one direction that drains in 2 to 8 s. `queues` multiplies the queue's size.
fn errors_behind_a_queue(seed: u64, queues: f64) -> Vec<[f64; 2]> {
    let (mut estimator, mut random) = (estimator(Prior::CRYSTALS), Random(seed * 7_919 + 1));
    let mut between = |least: f64, most: f64| least * (most / least).powf(random.share());
    let (queue, lasts) = (queues * between(0.1, 1.0), between(2.0, 8.0));
    let (base, jitter) = (between(0.005, 0.080), between(0.3e-3, 0.010));
    let is_up = random.share() < 0.3;
    let (mut replies, mut at) = (Vec::new(), 0.0);
    while at < 30.0 {
        let queue = |at: f64| queue * (1.0 - at / lasts).max(0.0);
        let [forward, reverse] = [(); 2].map(|()| base + random.exponential(jitter));
        let (up, down) = if is_up { (queue(at), 0.0) } else { (0.0, queue(at + forward)) };
        let exchange = exchange(at, forward + up, reverse + down);
        replies.push((at + forward + up + reverse + down, exchange));
        at += if replies.len() < 10 { 0.03 } else { 0.9 + 0.2 * random.share() };
    }
    replies.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut replies = replies.into_iter().peekable();
    let mut at_second = |second: f64| {
        while let Some((_, exchange)) = replies.next_if(|(arrived, _)| *arrived < second) {
            estimator.learn(&exchange);
        }
        let found = estimator.at(LocalTime::from_ticks(ticks(second)))?;
        Some([(found.offset - ticks(25e-6 * second)) as f64 / 1e4, found.sigma / 1e4])
    };
    (1..=30).map(|second| at_second(f64::from(second)).unwrap_or([0.0, f64::INFINITY])).collect()
}

#[test]
fn sessions_that_begin_behind_a_queue_expect_large_errors() {
    for queues in [1.0, 0.0] {
        let sessions: Vec<_> = (0..300).map(|seed| errors_behind_a_queue(seed, queues)).collect();
        for second in 0..30 {
            let mut sigmas: Vec<f64> = sessions.iter().map(|session| session[second][1]).collect();
            let is_within = |session: &&Vec<[f64; 2]>| session[second][0].abs() < 3.0 * session[second][1];
            let within = sessions.iter().filter(is_within).count();
            sigmas.sort_by(f64::total_cmp);
            let text = format!("{} s: {within} of 300 within three, {:.2} ms", second + 1, sigmas[150]);
            assert!(within >= 291, "{text}");
            // All queues are gone after 8 s. Without a queue, the estimate is good from the start.
            let most = if queues == 0.0 { 1.0 } else { 2.0 };
            assert!(sigmas[150] < most || (queues > 0.0 && second < 9), "{text}");
        }
    }
}

/// Returns the root mean squares of the error and the expected error (us), the fraction of errors below three
/// times the expected error, and the median of the runs' largest errors (us). The first five minutes are
/// ignored. For half an hour, there is an exchange every 4 s, with 5 ms of delay each way and exponential
/// `jitter` (s). The rate grows by `ramp` ppm per minute.
fn beside_a_ramp(ramp: f64, jitter: f64) -> [f64; 4] {
    let ([mut count, mut squares, mut expected, mut within], mut largest) = ([0.0; 4], [0.0_f64; 20]);
    for (seed, largest) in (0..).zip(&mut largest) {
        let (mut estimator, mut random) = (estimator(Prior::CRYSTALS), Random(seed * 7_919 + 5));
        let offset = |at: f64| 20e-6 * at + ramp * 1e-6 / 120.0 * at * at;
        for at in (0..450).map(|i| 4.0 * f64::from(i)) {
            let [forward, reverse] = [(); 2].map(|()| 0.005 + random.exponential(jitter));
            let server = at + forward + offset(at + forward);
            estimator.learn(&Exchange::of_ticks([at, server, server, at + forward + reverse].map(ticks)));
            let now = at + 2.0;
            let found = estimator.at(LocalTime::from_ticks(ticks(now))).expect("there were exchanges");
            let error = (found.offset - ticks(offset(now))) as f64 / 10.0;
            if at > 300.0 {
                count += 1.0;
                squares += error.powi(2);
                expected += (found.sigma / 10.0).powi(2);
                within += f64::from(error.abs() < 0.3 * found.sigma);
                *largest = largest.max(error.abs());
            }
        }
    }
    largest.sort_by(f64::total_cmp);
    [(squares / count).sqrt(), (expected / count).sqrt(), within / count, largest[largest.len() / 2]]
}

#[test]
fn a_changing_rate_is_followed() {
    // A line through all exchanges would be off by 110, 670, 1,400 and 1,500 us. An estimate that lags would
    // be off by 38, 84, 150 and 560 us. With such exchanges, chronyd is off by 50, 70, 120 and 750 us. With
    // the smaller jitter, its largest errors are 110, 190 and 230 us.
    let steady = [(0.0, 0.5e-3, 20.0, 30.0)];
    let ramps = [
        (0.1, 0.5e-3, 33.0, 110.0),
        (0.5, 0.5e-3, 58.0, 190.0),
        (-1.0, 0.5e-3, 84.0, 265.0),
        (0.1, 5e-3, 165.0, 370.0),
        (0.5, 5e-3, 290.0, 760.0),
        (1.0, 5e-3, 380.0, 980.0),
    ];
    for (ramp, jitter, most, largest) in steady.into_iter().chain(ramps) {
        let [rms, expected, within, at_most] = beside_a_ramp(ramp, jitter);
        let errors = format!("{rms:.0} us, at most {at_most:.0}, {expected:.0} expected, {within:.3} within");
        let text = format!("{ramp} ppm a minute: {errors}");
        assert!(rms < most && at_most < largest && within > 0.97 && expected < 4.0 * rms, "{text}");
    }
}
