use super::super::history::Point;
use super::*;

fn upper<'a>(blocks: &'a [Block], segments: &'a Segments) -> Evidence<'a> {
    let mut evidence = Evidence::none(segments);
    evidence.take_upper(blocks);
    evidence
}

fn lower<'a>(blocks: &'a [Block], segments: &'a Segments) -> Evidence<'a> {
    let mut evidence = Evidence::none(segments);
    evidence.take_lower(blocks);
    evidence
}

/// Returns one block per second with upper bounds `gaps` (ms) above a line with a slope of `ppm`.
fn blocks(ppm: f64, gaps: &[f64]) -> Vec<Block> {
    let point = |i: usize, gap: f64| Point { at: i as f64, value: ppm * 1e-6 * i as f64 + gap / 1e3 };
    gaps.iter().enumerate().map(|(i, &gap)| Block::new(point(i, gap), point(i, -gap))).collect()
}

#[test]
fn the_right_rate_costs_least_in_both_directions() {
    let blocks = blocks(50.0, &[0.1, 2.0, 0.7, 0.0, 1.5, 3.0, 0.2, 0.9, 0.05, 1.1, 0.4, 0.0]);
    let segments = Segments::divide(&blocks, 50e-6);
    let (mut upper, mut lower) = (upper(&blocks, &segments), lower(&blocks, &segments));
    upper.measure_scale(50e-6);
    lower.measure_scale(-50e-6);
    assert!((upper.scale - lower.scale).abs() < 1e-9);
    let cost = |rate: f64| {
        let rates = Lanes::default().map(|_| rate);
        upper.costs(&rates)[0] + lower.costs(&rates.map(|rate| -rate))[0]
    };
    assert!(cost(50e-6) < cost(0.0) && cost(50e-6) < cost(300e-6));
    let tightest = upper.tightest(50e-6, 11.0, 0.0);
    assert!(tightest.intercept.abs() < 1e-9 && (tightest.at == 3.0 || tightest.at == 11.0));
}

#[test]
fn the_scale_at_the_floor_comes_from_the_smallest_delays() {
    let scale = |gaps: &[f64]| {
        let blocks = blocks(50.0, gaps);
        let segments = Segments::divide(&blocks, 50e-6);
        let mut evidence = upper(&blocks, &segments);
        evidence.measure_scale(50e-6);
        (evidence.scale_at_floor(evidence.spacing_at_floor(50e-6, 39.0, 0.0)), evidence.scale)
    };
    let (at_floor, of_all) = scale(&[0.1, 2.0, 0.7, 0.0, 1.5, 3.0, 0.2]);
    assert_eq!(at_floor, of_all, "too few");
    // A 20 ms queue delayed 32 of 40 messages.
    let queue = |i: u32| if i % 5 == 0 { 0.01 * f64::from(i) / 5.0 } else { 20.0 + f64::from(i) };
    let (at_floor, of_all) = scale(&(0..40).map(queue).collect::<Vec<_>>());
    assert!((at_floor - 3.0 * 40.0 * 0.01e-3).abs() < 1e-6 && of_all > 20e-3, "{at_floor} {of_all}");
}

fn share(gaps: &[f64]) -> f64 {
    let blocks = blocks(0.0, gaps);
    let segments = Segments::divide(&blocks, 0.0);
    let mut evidence = upper(&blocks, &segments);
    evidence.measure_share(0.0);
    evidence.share
}

#[test]
fn quiet_blocks_before_a_queue_still_show_the_rate() {
    // The first 14 blocks are within 20 us of the minimum. A shrinking queue delays the next 16 blocks.
    let gap = |i: usize| if i < 14 { 0.02 * (i * 7 % 10) as f64 / 10.0 } else { 200.0 - 2.0 * i as f64 };
    let blocks = blocks(50.0, &(0..30).map(gap).collect::<Vec<_>>());
    let segments = Segments::divide(&blocks, 50e-6);
    let mut evidence = upper(&blocks, &segments);
    evidence.measure_scale(50e-6);
    let cost = |evidence: &Evidence<'_>, ppm: f64| evidence.costs(&Lanes::default().map(|_| ppm * 1e-6))[0];
    assert!(cost(&evidence, 100.0) < cost(&evidence, 50.0));
    let all_alike = evidence.misfit();
    evidence.find_quiet(50e-6);
    assert_eq!(evidence.quiet, (1 << 14) - 1);
    assert!(evidence.misfit() < all_alike);
    for ppm in [0.0, 40.0, 60.0, 100.0] {
        assert!(cost(&evidence, ppm) > cost(&evidence, 50.0) + 10.0, "{ppm} ppm");
    }
}

#[test]
fn blocks_that_each_form_a_segment_are_not_quiet() {
    // The first 14 blocks have stalls, each shorter than the previous one, and the other blocks have 9 ms of
    // jitter.
    let gap = |i: usize| if i < 14 { 900.0 - 60.0 * i as f64 } else { (i * 7 % 10) as f64 };
    let blocks = blocks(50.0, &(0..40).map(gap).collect::<Vec<_>>());
    let segments = Segments::divide(&blocks, 50e-6);
    assert!(segments.count > 13, "{}", segments.count);
    let mut evidence = upper(&blocks, &segments);
    evidence.measure_scale(50e-6);
    evidence.find_quiet(50e-6);
    assert_eq!(evidence.quiet, 0);
}

#[test]
fn a_stretch_is_quiet_if_most_of_its_blocks_are() {
    let near = 0b1111_1110_1111_u64;
    assert_eq!(quiet(near, 2 * NEIGHBOURS - 2), 0);
    // The stretch around block 11 begins with block 5, so seven of its blocks are near.
    assert_eq!(quiet(near, 64), (1 << 12) - 1);
    assert_eq!(quiet(0b101_0101, 64), 0);
}

#[test]
fn similar_neighbours_count_as_less_evidence() {
    let slow: Vec<f64> = (0..40).map(|i| 2.0 + (f64::from(i) / 6.0).sin()).collect();
    let mixed: Vec<f64> = (0..40).map(|i| 2.0 + (f64::from(i * 17 % 40) / 6.0).sin()).collect();
    assert!(share(&slow) < 0.2, "{}", share(&slow));
    assert!(share(&mixed) > 0.6, "{}", share(&mixed));
}
