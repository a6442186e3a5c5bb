use super::*;

const MS: i64 = 10_000;
const SECOND: i64 = 1_000 * MS;
const AHEAD: i64 = -77 * SECOND;

fn watch() -> RateWatch {
    RateWatch::default()
}

fn server(ticks: i64) -> ServerTime {
    ServerTime::from_ticks(ticks)
}

/// Sends four reports per second from second `from` to `to`. The delay is 40 ms, and the client's clock has
/// gained `gained` seconds. If `hears` is set, the last server message was sent 60 ms earlier.
fn play(watch: &mut RateWatch, from: i64, to: i64, hears: bool, gained: impl Fn(f64) -> f64) {
    for quarter in 4 * from..4 * to {
        let sent = quarter * SECOND / 4;
        let stamp = sent + AHEAD + (gained(sent as f64 / 1e7) * 1e7) as i64;
        let heard = hears.then(|| server(sent - 60 * MS));
        watch.report(LocalTime::from_ticks(stamp), server(sent + 40 * MS), heard).unwrap();
    }
}

#[test]
fn the_level_is_unknown_at_first() {
    let mut watch = watch();
    play(&mut watch, 0, 10, false, |_| 0.0);
    assert_eq!(watch.verdict().level, RateLevel::Unknown);
    assert!(watch.verdict().mean_error_ppm.is_infinite());
    play(&mut watch, 10, 40, false, |_| 0.0);
    assert_eq!((watch.verdict().level, watch.verdict().findings), (RateLevel::Plausible, 0));
}

#[test]
fn the_proven_gain_grows_during_the_cheat() {
    let mut watch = watch();
    play(&mut watch, 0, 100, true, |_| 0.0);
    play(&mut watch, 100, 300, true, |t| 0.05 * (t - 100.0));
    let RateVerdict { findings, gained, duration, mean_ppm, .. } = watch.verdict();
    assert_eq!(findings, 1);
    // The 10 s are not proven in full, because of drift, a round trip of 100 ms and a timestamp age of 50 ms.
    assert!(gained > Span::from_millis(9_700), "{gained}");
    assert!(gained < Span::from_secs(10), "more than its real gain: {gained}");
    assert!(duration > Span::from_secs(190), "{duration}");
    assert!(duration < Span::from_secs(220), "longer than the cheat: {duration}");
    assert!((25_000.0..35_000.0).contains(&mean_ppm), "{mean_ppm} ppm");
}

#[test]
fn gains_are_proven_when_delays_cannot_explain_them() {
    for hears in [true, false] {
        let mut watch = watch();
        play(&mut watch, 0, 100, hears, |_| 0.0);
        let mut proved = 0;
        for second in 100..500 {
            play(&mut watch, second, second + 1, hears, |t| 0.1 * (t - 100.0).max(0.0));
            if watch.verdict().level == RateLevel::Proven {
                proved = second - 99;
                break;
            }
        }
        let verdict = watch.verdict();
        assert_eq!((verdict.finding, verdict.explained), (Some(RateFinding::Fast), Span::ZERO));
        assert!(verdict.gained > Span::ZERO);
        // In 1.5 s, a clock that is 10 % fast gains 150 ms, which is the round trip plus the age of a
        // timestamp. In 50 s, such a clock gains 5 s, which is the maximum delay.
        assert!(if hears { proved == 2 } else { (50..=60).contains(&proved) }, "hears {hears}: {proved} s");
    }
}

#[test]
fn losses_are_proven_with_acknowledgements_and_suspected_without() {
    let mut with = watch();
    play(&mut with, 0, 100, true, |_| 0.0);
    play(&mut with, 100, 110, true, |_| -1.0);
    let RateVerdict { worst, finding, gained: proved, .. } = with.verdict();
    assert_eq!((worst, finding), (RateLevel::Proven, Some(RateFinding::Removed)));
    assert!(proved > Span::from_millis(-900), "more than the acknowledgements prove: {proved}");
    assert!(proved < Span::from_millis(-800), "{proved}");

    let mut without = watch();
    play(&mut without, 0, 100, false, |_| 0.0);
    play(&mut without, 100, 140, false, |_| -4.0);
    assert_eq!(without.verdict().worst, RateLevel::Plausible, "a queue of four seconds");
    play(&mut without, 140, 180, false, |_| -6.0);
    assert_eq!(without.verdict().worst, RateLevel::Likely);
}

#[test]
fn findings_last_for_a_minute_and_are_recorded() {
    let mut watch = watch();
    play(&mut watch, 0, 100, true, |_| 0.0);
    play(&mut watch, 100, 140, true, |_| 0.5);
    assert_eq!(watch.verdict().level, RateLevel::Proven);
    play(&mut watch, 140, 170, true, |_| 0.5);
    let RateVerdict { level, worst, findings, finding, .. } = watch.verdict();
    assert_eq!((level, worst, findings), (RateLevel::Plausible, RateLevel::Proven, 1));
    assert_eq!(finding, Some(RateFinding::Added));
}

#[test]
fn stalls_count_as_delay() {
    let mut watch = watch();
    play(&mut watch, 0, 100, true, |_| 0.0);
    // The path stalls for half a minute, and then all messages arrive at once.
    for sent in 100..130 {
        let heard = Some(server(100 * SECOND - 60 * MS));
        watch.report(LocalTime::from_ticks(sent * SECOND + AHEAD), server(130 * SECOND), heard).unwrap();
    }
    play(&mut watch, 130, 200, true, |_| 0.0);
    assert_eq!((watch.verdict().worst, watch.verdict().findings), (RateLevel::Plausible, 0));
}

#[test]
fn silence_is_not_evidence() {
    for hears in [true, false] {
        let mut watch = watch();
        play(&mut watch, 0, 100, hears, |_| 0.0);
        // Two hours later, the clock has drifted at almost the maximum rate.
        play(&mut watch, 7_300, 7_400, hears, |t| 199e-6 * (t - 100.0));
        let RateVerdict { worst, findings, .. } = watch.verdict();
        assert_eq!((worst, findings), (RateLevel::Plausible, 0), "hears {hears}");
    }
}

#[test]
fn excused_times_are_ignored() {
    // The client's clock stops for 20 s, because the game pauses.
    let paused = |t: f64| -(t - 100.0).clamp(0.0, 20.0);
    let mut watch = watch();
    watch.excuse(server(99 * SECOND), server(121 * SECOND)).unwrap();
    play(&mut watch, 0, 300, true, paused);
    assert_eq!((watch.verdict().worst, watch.verdict().findings), (RateLevel::Plausible, 0));
    play(&mut watch, 300, 310, true, |t| paused(t) + 0.1 * (t - 300.0));
    assert_eq!(watch.verdict().level, RateLevel::Proven, "later reports count");
    watch.excuse(server(300 * SECOND), server(320 * SECOND)).unwrap();
    assert_eq!(watch.verdict().level, RateLevel::Plausible, "they can be excused afterwards");
}

#[test]
fn extreme_timestamps_are_accepted() {
    let far = crate::clock::MAX_INSTANT_TICKS;
    let mut watch = watch();
    for (stamp, at) in [(far, -far), (-far, -far), (far, 0), (-far, far), (far, far), (-far, far)] {
        watch.report(LocalTime::from_ticks(stamp), server(at), Some(server(-far))).unwrap();
        let _ = watch.verdict();
    }
    assert_eq!(watch.verdict().level, RateLevel::Proven);
}

#[test]
fn the_size_is_as_documented() {
    assert_eq!(size_of::<RateWatch>(), 240, "the size in its documentation");
}
