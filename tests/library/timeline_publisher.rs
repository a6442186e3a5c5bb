//! What a server publishes of its world's clock: how often, how exactly, and which readings do not mislead
//! it.

use crate::dilated::{MS, SECOND, SEED, Server, off, reading};
use netclock::timeline::{Publisher, PublisherConfig, Rate, Timeline, TimelineConfig};
use netclock::{ServerTime, Span, WorldTime};
use netclock_sim::random::seed;

fn rate(rate: f64) -> Rate {
    Rate::new(rate).expect("a rate")
}

/// A timeline that got everything.
fn informed(server: &Server) -> Timeline {
    let mut timeline = Timeline::new(TimelineConfig::default()).expect("valid settings");
    for segment in &server.published {
        timeline.insert(segment).expect("a segment of the newest world");
    }
    timeline
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
