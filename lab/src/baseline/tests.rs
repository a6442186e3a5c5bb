//! The rules of published clocks on exchanges computed by hand.

use super::beatsync::beatsync;
use super::engine_average::EngineAverage;
use super::engine_push::EnginePush;
use super::ircam::Ircam;
use super::lightyear::Lightyear;
use super::median::Median;
use super::min_per_leg::MinPerLeg;
use super::min_rtt_forever::MinRttForever;
use super::netfox::Netfox;
use super::one_shot::OneShot;
use super::rule::Rule;
use super::rule::testing::{exchange, offset_ms};
use super::sendspin::{Burst, Sendspin};
use super::smallest_trip::ntp_min8;
use super::trimmed_mean::TrimmedMean;
use super::vorixo::{Smallest, Trimmed};

#[test]
fn beatsync_takes_the_smallest_of_the_last_sixteen() {
    let mut rule = beatsync();
    rule.take(&exchange(0.0, 10.0, 10.0, 5.0));
    let later = exchange(1.0, 30.0, 20.0, 0.0);
    (0..15).for_each(|_| rule.take(&later));
    assert_eq!(offset_ms(&mut rule, 2.0), 5.0);
    rule.take(&later);
    assert_eq!(offset_ms(&mut rule, 2.0), 5.0, "theta 0 and half of 10 ms asymmetry");
}

#[test]
fn engine_average_moves_half_way_to_the_mean() {
    let mut rule = EngineAverage::default();
    rule.take(&exchange(0.0, 10.0, 30.0, 0.0));
    assert_eq!(offset_ms(&mut rule, 0.0), -30.0);
    rule.take(&exchange(1.0, 10.0, 10.0, 0.0));
    assert_eq!(offset_ms(&mut rule, 1.0), -25.0);
}

#[test]
fn engine_average_folds_at_250() {
    let mut rule = EngineAverage::default();
    for _ in 0..250 {
        rule.take(&exchange(0.0, 10.0, 30.0, 0.0));
    }
    rule.take(&exchange(0.0, 10.0, 10.0, 0.0));
    assert_eq!(offset_ms(&mut rule, 0.0), -25.0, "the 250 count as one");
}

#[test]
fn engine_push_lags_by_the_way_back_until_the_next_push() {
    let mut rule = EnginePush::default();
    rule.take(&exchange(0.0, 10.0, 30.0, 100.0));
    rule.take(&exchange(4.0, 10.0, 10.0, 100.0));
    assert_eq!(offset_ms(&mut rule, 4.5), 70.0);
    rule.take(&exchange(5.0, 10.0, 10.0, 100.0));
    assert_eq!(offset_ms(&mut rule, 5.5), 90.0);
}

#[test]
fn ircam_takes_the_shortest_of_a_series() {
    let mut rule = Ircam::default();
    for i in 0..10 {
        assert_eq!(rule.offset(0.0), None);
        rule.take(&exchange(f64::from(i), if i == 4 { 20.0 } else { 50.0 }, 20.0, 3.0));
    }
    assert_eq!(offset_ms(&mut rule, 10.0), 3.0);
}

#[test]
fn ircam_follows_a_line_after_training() {
    let mut rule = Ircam::default();
    // theta grows by 0.1 ms per second.
    for i in 0..600 {
        let t0 = f64::from(i);
        rule.take(&exchange(t0, 20.0, 20.0, 0.1 * t0));
    }
    // The true theta at 600 s is 60 ms, but fading at 160 ppm the shown one has just caught up.
    let offset = offset_ms(&mut rule, 600.0);
    assert!((offset - 60.0).abs() < 0.01, "{offset}");
}

#[test]
fn lightyear_smooths_two_samples() {
    let mut rule = Lightyear::default();
    rule.take(&exchange(0.0, 60.0, 60.0, 0.0));
    assert_eq!(offset_ms(&mut rule, 0.0), 0.0);
    // r = 120 - 60 / 12 = 115, v = 60 - 0 / 6 = 60, raw = -30 + 57.5 = 27.5, weight 0.02.
    rule.take(&exchange(1.0, 30.0, 30.0, 0.0));
    assert_eq!(offset_ms(&mut rule, 1.0), 0.55);
}

#[test]
fn median_is_the_middle_of_three() {
    let mut rule = Median::default();
    for forward_ms in [20.0, 90.0, 24.0] {
        rule.take(&exchange(0.0, forward_ms, 20.0, 0.0));
    }
    assert_eq!(offset_ms(&mut rule, 0.0), 2.0);
}

#[test]
fn min_per_leg_takes_the_directions_apart() {
    let mut rule = MinPerLeg::default();
    rule.take(&exchange(0.0, 20.0, 90.0, 7.0));
    rule.take(&exchange(1.0, 80.0, 20.0, 7.0));
    assert_eq!(offset_ms(&mut rule, 2.0), 7.0);
    rule.take(&exchange(10.5, 80.0, 20.0, 7.0));
    assert_eq!(offset_ms(&mut rule, 11.0), 37.0, "the good way up has left the window");
}

#[test]
fn min_rtt_forever_approaches_smaller_trips_only() {
    let mut rule = MinRttForever::default();
    rule.take(&exchange(0.0, 400.0, 200.0, 0.0));
    assert_eq!(rule.offset(1.0), None, "600 ms are refused");
    rule.take(&exchange(1.0, 30.0, 20.0, 100.0));
    assert_eq!(offset_ms(&mut rule, 1.05), 105.0);
    rule.take(&exchange(2.0, 20.0, 20.0, 100.0));
    assert_eq!(offset_ms(&mut rule, 2.04), 105.0);
    assert_eq!(offset_ms(&mut rule, 2.05), 101.7);
    assert_eq!(offset_ms(&mut rule, 3.0), 100.0);
    rule.take(&exchange(3.0, 20.0, 21.0, 200.0));
    assert_eq!(offset_ms(&mut rule, 4.0), 100.0);
}

#[test]
fn netfox_nudges_by_an_eighth_in_reference_time() {
    let mut rule = Netfox::default();
    rule.take(&exchange(0.0, 20.0, 20.0, 0.0));
    rule.take(&exchange(1.0, 20.0, 20.0, 8.0));
    assert_eq!(offset_ms(&mut rule, 1.04), 1.0);
    // The second sample is 7 ms in reference time; the mean of 8 and 7 (equal weights) is 7.5.
    rule.take(&exchange(2.0, 20.0, 20.0, 8.0));
    assert_eq!(offset_ms(&mut rule, 2.04), 1.9375);
}

#[test]
fn one_shot_keeps_the_first() {
    let mut rule = OneShot::default();
    rule.take(&exchange(0.0, 30.0, 20.0, 100.0));
    rule.take(&exchange(1.0, 20.0, 20.0, 100.0));
    assert_eq!(offset_ms(&mut rule, 2.0), 105.0);
}

#[test]
fn sendspin_learns_the_drift() {
    let mut filter = Sendspin::default();
    for i in 0..600 {
        filter.take(&exchange(f64::from(i), 20.0, 20.0, 0.1 * f64::from(i)));
    }
    let offset = offset_ms(&mut filter, 599.04);
    assert!((offset - 59.9).abs() < 0.01, "{offset}");
}

#[test]
fn sendspin_burst_takes_the_shortest_of_eight() {
    let mut burst = Burst::default();
    for i in 0..8 {
        assert_eq!(burst.offset(0.0), None);
        burst.take(&exchange(f64::from(i), if i == 3 { 20.0 } else { 50.0 }, 20.0, 3.0));
    }
    assert_eq!(offset_ms(&mut burst, 7.0), 3.0);
}

#[test]
fn ntp_min8_takes_the_smallest_of_the_last_eight() {
    let mut rule = ntp_min8();
    rule.take(&exchange(0.0, 10.0, 10.0, 5.0));
    for i in 0..7 {
        rule.take(&exchange(1.0, 30.0 - f64::from(i), 20.0, 0.0));
    }
    assert_eq!(offset_ms(&mut rule, 2.0), 5.0);
    rule.take(&exchange(2.0, 40.0, 20.0, 0.0));
    assert_eq!(offset_ms(&mut rule, 3.0), 2.0, "the first has left the window");
}

#[test]
fn trimmed_mean_leaves_outliers_out() {
    let mut rule = TrimmedMean::default();
    // Halves 200, 20, 22, 24 ms: median 23, deviation 89; the first is left out, the mean is 22.
    for (forward_ms, reverse_ms) in [(200.0, 200.0), (20.0, 20.0), (22.0, 22.0), (24.0, 24.0)] {
        rule.take(&exchange(0.0, forward_ms, reverse_ms, 0.0));
    }
    assert_eq!(offset_ms(&mut rule, 0.0), -2.0);
}

#[test]
fn vorixo_min_keeps_the_smallest_for_ever() {
    let mut rule = Smallest::default();
    for (forward_ms, theta_ms) in [(30.0, 0.0), (24.0, 50.0), (26.0, 90.0)] {
        rule.take(&exchange(0.0, forward_ms, 20.0, theta_ms));
    }
    assert_eq!(offset_ms(&mut rule, 0.0), 52.0);
}

#[test]
fn vorixo_trim_leaves_out_largest_and_smallest() {
    let mut rule = Trimmed::default();
    for forward_ms in [5.0, 500.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0] {
        rule.take(&exchange(0.0, forward_ms, 20.0, 0.0));
    }
    assert_eq!(offset_ms(&mut rule, 0.0), 0.0);
}
