use super::faded::{Ircam, MinRttForever};
use super::rule::Rule;
use super::rule::testing::{exchange, offset_ms};
use super::rules::*;
use super::sendspin::{Burst, Sendspin};

/// Send time (s), delays up and down (ms), and server minus client time (ms).
type X = (f64, f64, f64, f64);

#[track_caller]
fn check_offset(rule: &mut impl Rule, exchanges: &[X], now: f64, expected: f64) {
    exchanges.iter().for_each(|&(t0, up, down, theta)| rule.update(&exchange(t0, up, down, theta)));
    let offset = offset_ms(rule, now);
    assert!((offset - expected).abs() < 2e-6, "{offset} {expected}");
}

#[test]
fn smallest_of_uses_the_smallest_recent_round_trip() {
    for (count, most) in [(8, 7), (16, 15)] {
        let rule = &mut smallest_of(count);
        check_offset(rule, &[(0.0, 10.0, 10.0, 5.0)], 0.5, 5.0);
        let later: Vec<X> = (0..most).map(|i| (1.0, 40.0 - f64::from(i), 20.0, 0.0)).collect();
        check_offset(rule, &later, 2.0, 5.0);
        // By now, the first exchange has left the window. The error is half the asymmetry of the shortest
        // remaining exchange.
        check_offset(rule, &[(2.0, 50.0, 20.0, 0.0)], 3.0, f64::from(21 - most) / 2.0);
    }
}

#[test]
fn engine_average_moves_halfway_to_the_mean_and_resets_at_250() {
    let rule = &mut engine_average();
    check_offset(rule, &[(0.0, 10.0, 30.0, 0.0)], 0.0, -30.0);
    check_offset(rule, &[(1.0, 10.0, 10.0, 0.0)], 1.0, -25.0);
    let rule = &mut engine_average();
    check_offset(rule, &[(0.0, 10.0, 30.0, 0.0); 250], 0.0, -30.0);
    // From now on, the 250 pushes count as a single push.
    check_offset(rule, &[(0.0, 10.0, 10.0, 0.0)], 0.0, -25.0);
}

#[test]
fn engine_push_lags_by_the_delay_of_the_last_push() {
    let rule = &mut engine_push();
    check_offset(rule, &[(0.0, 10.0, 30.0, 100.0), (4.0, 10.0, 10.0, 100.0)], 4.5, 70.0);
    check_offset(rule, &[(5.0, 10.0, 10.0, 100.0)], 5.5, 90.0);
}

#[test]
fn ircam_and_burst_use_the_shortest_of_a_series() {
    let (rule, burst) = (&mut Ircam::default(), &mut Burst::default());
    for i in 0..10 {
        assert_eq!(rule.offset(0.0), None);
        rule.update(&exchange(f64::from(i), if i == 4 { 20.0 } else { 50.0 }, 20.0, 3.0));
    }
    check_offset(rule, &[], 10.0, 3.0);
    for i in 0..8 {
        assert_eq!(burst.offset(0.0), None);
        burst.update(&exchange(f64::from(i), if i == 3 { 20.0 } else { 50.0 }, 20.0, 3.0));
    }
    check_offset(burst, &[], 7.0, 3.0);
}

#[test]
fn ircam_and_sendspin_learn_a_drift() {
    fn offset(rule: &mut impl Rule, now: f64) -> f64 {
        (0..600).map(f64::from).for_each(|t0| rule.update(&exchange(t0, 20.0, 20.0, 0.1 * t0)));
        offset_ms(rule, now)
    }
    // The fade at 160 ppm has just ended.
    let ircam = offset(&mut Ircam::default(), 600.0);
    assert!((ircam - 60.0).abs() < 0.01, "{ircam}");
    let sendspin = offset(&mut Sendspin::default(), 599.04);
    assert!((sendspin - 59.9).abs() < 0.01, "{sendspin}");
}

#[test]
fn lightyear_smooths_two_samples_and_clamps_outliers() {
    let rule = &mut lightyear();
    check_offset(rule, &[(0.0, 60.0, 60.0, 0.0)], 0.0, 0.0);
    // r = 120 - 60 / 12 = 115, v = 60 - 0 / 6 = 60, raw = -30 + 57.5 = 27.5, weight 0.02.
    check_offset(rule, &[(1.0, 30.0, 30.0, 0.0)], 1.0, 0.55);
    // The 1000 ms round trip is clamped to 40 + 3 * 20 ms, so r = 45 and raw = -980 + 22.5.
    check_offset(&mut lightyear(), &[(0.0, 20.0, 20.0, 0.0), (1.0, 20.0, 980.0, 0.0)], 1.0, -19.15);
}

#[test]
fn median_ignores_an_outlier() {
    let exchanges = [20.0, 90.0, 24.0].map(|up| (0.0, up, 20.0, 0.0));
    check_offset(&mut median_offset(), &exchanges, 0.0, 2.0);
}

#[test]
fn min_per_leg_treats_the_directions_separately() {
    let rule = &mut min_per_leg();
    check_offset(rule, &[(0.0, 20.0, 90.0, 7.0), (1.0, 80.0, 20.0, 7.0)], 2.0, 7.0);
    check_offset(rule, &[(10.5, 80.0, 20.0, 7.0)], 11.0, 37.0);
}

#[test]
fn min_rtt_forever_only_follows_smaller_round_trips() {
    let rule = &mut MinRttForever::default();
    rule.update(&exchange(0.0, 400.0, 200.0, 0.0));
    assert_eq!(rule.offset(1.0), None, "600 ms is rejected");
    check_offset(rule, &[(1.0, 30.0, 20.0, 100.0)], 1.05, 105.0);
    check_offset(rule, &[(2.0, 20.0, 20.0, 100.0)], 2.04, 105.0);
    check_offset(rule, &[], 2.05, 101.7);
    check_offset(rule, &[], 3.0, 100.0);
    check_offset(rule, &[(3.0, 20.0, 21.0, 200.0)], 4.0, 100.0);
}

#[test]
fn netfox_moves_by_an_eighth_of_the_mean() {
    let rule = &mut netfox();
    check_offset(rule, &[(0.0, 20.0, 20.0, 0.0), (1.0, 20.0, 20.0, 8.0)], 1.04, 1.0);
    // The second sample is 7 ms in reference time. With equal weights, the mean of 8 and 7 is 7.5.
    check_offset(rule, &[(2.0, 20.0, 20.0, 8.0)], 2.04, 1.9375);
    let rule = &mut netfox();
    check_offset(rule, &[(0.0, 20.0, 20.0, 0.0), (1.0, 10.0, 10.0, 8.0)], 1.02, 1.0);
    // The reference moved from 0 to 1 ms between the request and the reply, so the sample is 7.5 ms. The
    // second sample's round trip and weight are about twice those of the first.
    let mean = (8.0 * 1.02_f64.ln() + 7.5 * 1.041_f64.ln()) / (1.02_f64.ln() + 1.041_f64.ln());
    check_offset(rule, &[(1.0, 20.0, 20.0, 8.0)], 1.04, 1.0 + mean / 8.0);
}

#[test]
fn one_shot_never_changes() {
    check_offset(&mut one_shot(), &[(0.0, 30.0, 20.0, 100.0), (1.0, 20.0, 20.0, 100.0)], 2.0, 105.0);
}

#[test]
fn trimmed_mean_ignores_outliers() {
    // The half round trips have a median of 23 ms and a deviation of 89 ms. The last three half round trips
    // average 22 ms.
    let exchanges = [200.0, 20.0, 22.0, 24.0].map(|half| (0.0, half, half, 0.0));
    check_offset(&mut trimmed_mean(), &exchanges, 0.0, -2.0);
}

#[test]
fn vorixo_uses_the_smallest_or_a_trimmed_mean() {
    let exchanges = [(30.0, 0.0), (24.0, 50.0), (26.0, 90.0)].map(|(up, theta)| (0.0, up, 20.0, theta));
    check_offset(&mut vorixo_min(), &exchanges, 0.0, 52.0);
    let ups = [5.0, 500.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0];
    check_offset(&mut vorixo_trim(), &ups.map(|up| (0.0, up, 20.0, 0.0)), 0.0, 0.0);
}
