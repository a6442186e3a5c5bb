//! What a server publishes of its world's clock: how often, how exactly, and which readings do not mislead
//! it.

use crate::dilated::{MS, SECOND, SEED, Server, off, reading};
use netclock::timeline::{Publisher, PublisherConfig, Rate, Timeline, TimelineConfig};
use netclock::{ServerTime, Span, WorldTime};
use netclock_sim::random::seed;

const TICK: Span = Span::from_ticks(1);

fn rate(rate: f64) -> Rate {
    Rate::new(rate).expect("a rate")
}

/// A server that reads real time exactly when its world's clock is set.
fn prompt() -> PublisherConfig {
    PublisherConfig { read_lag: TICK, ..PublisherConfig::default() }
}

/// A timeline that got everything.
fn informed(server: &Server) -> Timeline {
    let mut timeline = Timeline::new(TimelineConfig::default()).expect("valid settings");
    for segment in &server.published {
        timeline.insert(segment).expect("a segment of the newest world");
    }
    timeline
}

/// What was published, and how far it is from the truth.
#[derive(Debug)]
struct Outcome {
    published: usize,
    most_in_a_second: usize,
    /// The largest error of all instants, and the largest by which it was more than promised; ms.
    worst: f64,
    broken: f64,
    widest: Span,
}

/// Plays frames of `length` for `seconds`, at the rate of the time since the start.
fn play(config: PublisherConfig, length: i64, seconds: f64, rate_at: impl Fn(f64) -> f64) -> Outcome {
    let mut server = Server::new(config, seed(SEED));
    let frames = (seconds * SECOND as f64 / length as f64) as i64;
    for frame in 0..=frames {
        let now = (frame * length) as f64 / SECOND as f64;
        server.frame(if frame == 0 { 0 } else { length }, rate(rate_at(now)));
    }
    let reals: Vec<i64> = server.published.iter().map(|segment| segment.real.ticks()).collect();
    let in_second = |from: i64| reals.iter().filter(|&&at| (from..from + SECOND).contains(&at)).count();
    let most_in_a_second = reals.iter().map(|&from| in_second(from)).max().unwrap_or(0);
    let (mut worst, mut broken) = (0, 0);
    let (first, last) = (server.began(), server.now());
    for real in (first..last).step_by(9_973.max((last - first) as usize / 100_000)) {
        // By the segment in force at the time, as a client without latency had it.
        let segment = server.published.iter().rev().find(|segment| segment.real.ticks() <= real);
        let Some(segment) = segment else { continue };
        let mut timeline = Timeline::new(TimelineConfig::default()).expect("valid settings");
        timeline.insert(segment).expect("valid");
        let then = timeline.world_at(crate::dilated::EPOCH, ServerTime::from_ticks(real)).expect("known");
        let error = off(then.world, server.truth(real));
        worst = worst.max(error);
        broken = broken.max(error - segment.tolerance.ticks());
    }
    Outcome {
        published: server.published.len(),
        most_in_a_second,
        worst: worst as f64 / 1e4,
        broken: broken as f64 / 1e4,
        widest: server.published.iter().map(|segment| segment.tolerance).max().unwrap_or(Span::ZERO),
    }
}

/// 1.0 to 0.2 and back over three seconds, linearly.
fn there_and_back(now: f64) -> f64 {
    if now < 1.5 { 1.0 - now * 0.8 / 1.5 } else { (0.2 + (now - 1.5) * 0.8 / 1.5).min(1.0) }
}

/// The same, beginning and ending gently.
fn gently(now: f64) -> f64 {
    0.6 + 0.4 * (now.min(3.0) * core::f64::consts::TAU / 3.0).cos()
}

#[test]
fn an_animated_rate_takes_few_segments_within_the_tolerance() {
    println!("animation    frames/s  segments  per s  most in a second  worst error, ms");
    type Animation = (&'static str, fn(f64) -> f64);
    let animations: [Animation; 2] = [("straight", there_and_back), ("gentle", gently)];
    for (name, animation) in animations {
        for fps in [30, 60, 144] {
            let outcome = play(prompt(), SECOND / fps, 3.0, animation);
            let per_second = outcome.published as f64 / 3.0;
            let (most, worst) = (outcome.most_in_a_second, outcome.worst);
            println!("{name:12} {fps:8} {:9} {per_second:6.1} {most:17} {worst:16.3}", outcome.published);
            assert!(per_second <= 13.0 && most <= 20 && worst <= 0.5 && outcome.broken <= 0.0, "{outcome:?}");
        }
    }
}

#[test]
fn a_tight_budget_is_kept_and_the_wider_tolerance_is_said() {
    let config = PublisherConfig { max_per_second: 4, ..prompt() };
    for fps in [30, 60, 144] {
        let outcome = play(config, SECOND / fps, 3.0, gently);
        println!("{fps} frames/s: {outcome:?}");
        assert!(outcome.most_in_a_second <= 4, "{outcome:?}");
        assert!(outcome.widest > Span::from_millis(1), "{outcome:?}");
        // What could not be told at once is not promised: see the test of what clients are shown.
        assert!(outcome.worst <= 40.0, "{outcome:?}");
    }
    let calm = play(config, SECOND / 60, 3.0, |now| if now < 1.0 { 1.0 } else { 0.5 });
    assert!(calm.published == 2 && calm.worst <= 0.5 && calm.widest <= Span::from_micros(501), "{calm:?}");
}

#[test]
fn late_readings_and_coarse_clocks_cause_no_segments() {
    for (read_lag, resolution) in [(5 * MS, 1), (1, 78_125), (2 * MS, 10_000)] {
        let config = PublisherConfig {
            read_lag: Span::from_ticks(read_lag),
            resolution: Span::from_ticks(resolution),
            ..PublisherConfig::default()
        };
        let outcome = play(config, 166_667, 60.0, |_| 1.0);
        println!("late by up to {read_lag}, in steps of {resolution}: {outcome:?}");
        // The first frame may have been read late. The best of the frames after it decides.
        assert!(outcome.published <= 8 && outcome.broken <= 0.0, "{outcome:?}");
    }
}

#[test]
fn lost_time_is_published_in_the_same_frame() {
    let mut server = Server::new(PublisherConfig::default(), seed(SEED));
    for _ in 0..60 {
        server.frame(166_667, Rate::ONE);
    }
    let before = server.world.last();
    let before_real = server.now();
    let segment = server.frame(800 * MS, Rate::ONE).expect("400 ms were lost");
    assert_eq!(server.published.len(), 2);
    assert_eq!(segment.world.ticks(), before.world + 400 * MS);
    assert!((segment.since.ticks() - before_real) <= 5 * MS, "right until the frame before");
    for _ in 0..600 {
        assert_eq!(server.frame(166_667, Rate::ONE), None);
    }
    // Before, after, and in between anything between the two.
    let timeline = informed(&server);
    for real in (server.began()..before_real + 5 * SECOND).step_by(99_991) {
        let then = timeline.world_at(crate::dilated::EPOCH, ServerTime::from_ticks(real)).expect("known");
        assert!(off(then.world, server.truth(real)) <= segment.tolerance.ticks(), "{then:?}");
    }
}

#[test]
fn a_small_slip_is_told_from_a_late_reading_by_its_staying() {
    let mut server = Server::new(PublisherConfig::default(), seed(SEED));
    // None of its readings is late, which it does not know.
    server.lag = 0;
    for _ in 0..60 {
        server.frame(166_667, Rate::ONE);
    }
    // The world's clock counts 0.9 ms less than the frame took: within what a late reading may be.
    let slip = 0.9e-3;
    let mut at = None;
    for frame in 0..60 {
        for seen in &mut server.world.frames {
            seen.at_s += if frame == 0 { slip } else { 0.0 };
        }
        if server.frame(166_667, Rate::ONE).is_some() && at.is_none() {
            at = Some(frame);
        }
    }
    assert!(at.is_some_and(|at| (20..=32).contains(&at)), "published after {at:?} frames");
    assert_eq!(server.published.len(), 2);
}

#[test]
fn a_hundred_pauses_accumulate_no_drift() {
    let mut server = Server::new(PublisherConfig::default(), seed(SEED));
    let mut worst = Vec::new();
    for _ in 0..100 {
        for _ in 0..17 {
            server.frame(166_667, rate(0.7));
        }
        for _ in 0..13 {
            server.frame(166_667, Rate::PAUSED);
        }
        let timeline = informed_of_last(&server, 64);
        let (paused, real) = (server.world.last(), server.now());
        let then = timeline.world_at(crate::dilated::EPOCH, ServerTime::from_ticks(real)).expect("known");
        worst.push(off(then.world, (paused.world, paused.world)));
    }
    // Each pause is published as it is, so that there is nothing that could add up.
    assert_eq!(worst, [0; 100]);
    assert_eq!(server.published.len(), 200, "one for each pause and one for each end of it");
}

fn informed_of_last(server: &Server, count: usize) -> Timeline {
    let mut timeline = Timeline::new(TimelineConfig::default()).expect("valid settings");
    let from = server.published.len().saturating_sub(count);
    for segment in &server.published[from..] {
        timeline.insert(segment).expect("in order");
    }
    timeline
}

#[test]
fn a_day_at_an_odd_rate_needs_one_segment() {
    let outcome = play(prompt(), SECOND / 4, 86_400.0, |_| 0.3);
    assert!(outcome.published <= 2 && outcome.worst <= 0.5, "{outcome:?}");
}

#[test]
fn a_clock_that_is_read_late_is_placed_by_its_best_frame() {
    // Read 3 ms late except in every seventh frame: what is published before a change of the rate is right to
    // that. The frame of the change is itself a late one, which alone would put the new line 3 ms behind.
    const CHANGE: i64 = 155;
    let config = PublisherConfig { read_lag: Span::from_millis(4), ..PublisherConfig::default() };
    let mut publisher = Publisher::new(config, crate::dilated::EPOCH, 1).expect("valid settings");
    let mut after = Vec::new();
    for frame in 0..200_i64 {
        let (real, late) = (frame * 166_667, if frame % 7 == 3 { 0 } else { 3 * MS });
        let rate = if frame < CHANGE { Rate::ONE } else { rate(0.95) };
        let world = real.min(CHANGE * 166_667) + (frame - CHANGE).max(0) * 158_334;
        let seen = publisher.observe(ServerTime::from_ticks(real + late), WorldTime::from_ticks(world), rate);
        after.extend(seen.expect("in order").filter(|_| frame >= CHANGE));
    }
    println!("{after:?}");
    assert_eq!(after.len(), 1, "published when the rate changed, and right at once");
    let mut timeline = Timeline::new(TimelineConfig::default()).expect("valid settings");
    timeline.insert(&after[0]).expect("valid");
    let now = reading(190 * 166_667, 0);
    let shown = timeline.show(&now).expect("known");
    let truth = CHANGE * 166_667 + 35 * 158_334;
    let error = shown.world.ticks() - truth;
    println!("{error} ticks off");
    assert!(error.abs() <= MS, "{error} off");
}
