//! The rules of published clocks on exchanges computed by hand.

use super::faded::{Ircam, MinRttForever};
use super::rule::Rule;
use super::rule::testing::{exchange, offset_ms};
use super::rules::*;
use super::sendspin::{Burst, Sendspin};

/// An exchange: sent (s), up, down, and server minus client (ms).
type X = (f64, f64, f64, f64);

/// The offset (ms) at `now` after these exchanges.
#[track_caller]
fn is_after(rule: &mut impl Rule, exchanges: &[X], now: f64, expected: f64) {
    exchanges.iter().for_each(|&(t0, up, down, theta)| rule.take(&exchange(t0, up, down, theta)));
    let offset = offset_ms(rule, now);
    assert!((offset - expected).abs() < 2e-6, "{offset} {expected}");
}

#[test]
fn the_smallest_round_trip_of_the_last_ones_wins() {
    for (count, most) in [(8, 7), (16, 15)] {
        let rule = &mut smallest_of(count);
        is_after(rule, &[(0.0, 10.0, 10.0, 5.0)], 0.5, 5.0);
        let later: Vec<X> = (0..most).map(|i| (1.0, 40.0 - f64::from(i), 20.0, 0.0)).collect();
        is_after(rule, &later, 2.0, 5.0);
        // The first exchange has left the window. Half of the asymmetry of the smallest one remains.
        is_after(rule, &[(2.0, 50.0, 20.0, 0.0)], 3.0, f64::from(21 - most) / 2.0);
    }
}

#[test]
fn engine_average_moves_half_way_to_the_mean_and_folds_at_250() {
    let rule = &mut engine_average();
    is_after(rule, &[(0.0, 10.0, 30.0, 0.0)], 0.0, -30.0);
    is_after(rule, &[(1.0, 10.0, 10.0, 0.0)], 1.0, -25.0);
    let rule = &mut engine_average();
    is_after(rule, &[(0.0, 10.0, 30.0, 0.0); 250], 0.0, -30.0);
    // The 250 pushes now count as one.
    is_after(rule, &[(0.0, 10.0, 10.0, 0.0)], 0.0, -25.0);
}

#[test]
fn engine_push_lags_by_the_way_back_until_the_next_push() {
    let rule = &mut engine_push();
    is_after(rule, &[(0.0, 10.0, 30.0, 100.0), (4.0, 10.0, 10.0, 100.0)], 4.5, 70.0);
    is_after(rule, &[(5.0, 10.0, 10.0, 100.0)], 5.5, 90.0);
}

#[test]
fn series_give_their_shortest() {
    let (rule, burst) = (&mut Ircam::default(), &mut Burst::default());
    for i in 0..10 {
        assert_eq!(rule.offset(0.0), None);
        rule.take(&exchange(f64::from(i), if i == 4 { 20.0 } else { 50.0 }, 20.0, 3.0));
    }
    is_after(rule, &[], 10.0, 3.0);
    for i in 0..8 {
        assert_eq!(burst.offset(0.0), None);
        burst.take(&exchange(f64::from(i), if i == 3 { 20.0 } else { 50.0 }, 20.0, 3.0));
    }
    is_after(burst, &[], 7.0, 3.0);
}

/// theta grows by 0.1 ms per second.
#[test]
fn drifts_are_learned() {
    fn offset(rule: &mut impl Rule, now: f64) -> f64 {
        (0..600).map(f64::from).for_each(|t0| rule.take(&exchange(t0, 20.0, 20.0, 0.1 * t0)));
        offset_ms(rule, now)
    }
    // At a fading rate of 160 ppm, the shown offset has just caught up.
    let ircam = offset(&mut Ircam::default(), 600.0);
    assert!((ircam - 60.0).abs() < 0.01, "{ircam}");
    let sendspin = offset(&mut Sendspin::default(), 599.04);
    assert!((sendspin - 59.9).abs() < 0.01, "{sendspin}");
}

#[test]
fn lightyear_smooths_two_samples_and_clamps_outliers() {
    let rule = &mut lightyear();
    is_after(rule, &[(0.0, 60.0, 60.0, 0.0)], 0.0, 0.0);
    // r = 120 - 60 / 12 = 115, v = 60 - 0 / 6 = 60, raw = -30 + 57.5 = 27.5, weight 0.02.
    is_after(rule, &[(1.0, 30.0, 30.0, 0.0)], 1.0, 0.55);
    // 1000 ms count as 40 + 3 * 20: r = 45, raw = -980 + 22.5.
    is_after(&mut lightyear(), &[(0.0, 20.0, 20.0, 0.0), (1.0, 20.0, 980.0, 0.0)], 1.0, -19.15);
}

#[test]
fn median_is_the_middle_of_three() {
    let exchanges = [20.0, 90.0, 24.0].map(|up| (0.0, up, 20.0, 0.0));
    is_after(&mut median(), &exchanges, 0.0, 2.0);
}

#[test]
fn min_per_leg_takes_the_directions_apart() {
    let rule = &mut min_per_leg();
    is_after(rule, &[(0.0, 20.0, 90.0, 7.0), (1.0, 80.0, 20.0, 7.0)], 2.0, 7.0);
    // The fast exchange has left the window.
    is_after(rule, &[(10.5, 80.0, 20.0, 7.0)], 11.0, 37.0);
}

#[test]
fn min_rtt_forever_approaches_smaller_trips_only() {
    let rule = &mut MinRttForever::default();
    rule.take(&exchange(0.0, 400.0, 200.0, 0.0));
    assert_eq!(rule.offset(1.0), None, "600 ms are refused");
    is_after(rule, &[(1.0, 30.0, 20.0, 100.0)], 1.05, 105.0);
    is_after(rule, &[(2.0, 20.0, 20.0, 100.0)], 2.04, 105.0);
    is_after(rule, &[], 2.05, 101.7);
    is_after(rule, &[], 3.0, 100.0);
    is_after(rule, &[(3.0, 20.0, 21.0, 200.0)], 4.0, 100.0);
}

#[test]
fn netfox_nudges_by_an_eighth_in_reference_time() {
    let rule = &mut netfox();
    is_after(rule, &[(0.0, 20.0, 20.0, 0.0), (1.0, 20.0, 20.0, 8.0)], 1.04, 1.0);
    // The second sample is 7 ms in reference time; the mean of 8 and 7 (equal weights) is 7.5.
    is_after(rule, &[(2.0, 20.0, 20.0, 8.0)], 2.04, 1.9375);
    let rule = &mut netfox();
    is_after(rule, &[(0.0, 20.0, 20.0, 0.0), (1.0, 10.0, 10.0, 8.0)], 1.02, 1.0);
    // Sent when the reference was at 0 ms and received when it was at 1 ms, so the sample is 7.5 ms. Its
    // trip weighs twice as much as the other one.
    let mean = (8.0 * 1.02_f64.ln() + 7.5 * 1.041_f64.ln()) / (1.02_f64.ln() + 1.041_f64.ln());
    is_after(rule, &[(1.0, 20.0, 20.0, 8.0)], 1.04, 1.0 + mean / 8.0);
}

#[test]
fn one_shot_keeps_the_first() {
    is_after(&mut one_shot(), &[(0.0, 30.0, 20.0, 100.0), (1.0, 20.0, 20.0, 100.0)], 2.0, 105.0);
}

#[test]
fn trimmed_mean_leaves_outliers_out() {
    // Halves 200, 20, 22, 24 ms: median 23, deviation 89; the first is left out, the mean is 22.
    let exchanges = [200.0, 20.0, 22.0, 24.0].map(|half| (0.0, half, half, 0.0));
    is_after(&mut trimmed_mean(), &exchanges, 0.0, -2.0);
}

#[test]
fn vorixo_takes_the_smallest_ever_or_leaves_out_largest_and_smallest() {
    let exchanges = [(30.0, 0.0), (24.0, 50.0), (26.0, 90.0)].map(|(up, theta)| (0.0, up, 20.0, theta));
    is_after(&mut vorixo_min(), &exchanges, 0.0, 52.0);
    let ups = [5.0, 500.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0];
    is_after(&mut vorixo_trim(), &ups.map(|up| (0.0, up, 20.0, 0.0)), 0.0, 0.0);
}
