//! Tests which segments a publisher sends when the world loses time, the game reads its clock late, or the
//! server is too slow. A slow server's world advances by a fixed step per frame at a stated rate of 1.

use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment, Timeline, TimelineConfig};
use netclock::{ServerTime, Span, WorldTime};
use netclock_sim::random::{Random, seed};

const MS: i64 = 10_000;
const SECOND: i64 = 1000 * MS;
/// The world advances by this many ticks per frame.
const STEP: i64 = 166_667;
/// Delay between the publication of a segment and its arrival (ticks).
const NEWS: i64 = 30 * MS;
const EPOCH: u64 = 7;

struct Read {
    at: i64,
    /// Displayed world time minus true world time (ticks).
    error: i64,
    /// How far the displayed world has advanced since the previous frame (ticks).
    moved: i64,
    tolerance: i64,
}

/// A frame of the world takes `frame(now)` ticks. The client displays 60 frames per second.
fn run(length: i64, mut frame: impl FnMut(i64) -> i64) -> (Vec<Read>, Vec<Segment>) {
    let mut publisher = Publisher::new(PublisherConfig::default(), EPOCH, 1).expect("valid settings");
    let mut timeline = Timeline::new(TimelineConfig::default()).expect("valid settings");
    let mut news: Vec<(i64, Segment)> = Vec::new();
    let (mut frames, mut real, mut world) = (Vec::new(), 0, 0);
    while real <= length + SECOND {
        let segment =
            publisher.observe(ServerTime::from_ticks(real), WorldTime::from_ticks(world), Rate::ONE);
        let arrival = |segment| (real + NEWS, segment);
        news.extend(segment.expect("frames are in order").map(arrival));
        frames.push((real, world));
        real += frame(real);
        world += STEP;
    }
    // Once the timeline knows all segments, it must be correct in every frame.
    let mut hindsight = Timeline::new(TimelineConfig { segments: 4096, ..TimelineConfig::default() })
        .expect("valid settings");
    news.iter().for_each(|(_, segment)| assert_eq!(hindsight.insert(segment), Ok(true)));
    for &(real, world) in &frames[..frames.len() - 2] {
        let stated = hindsight.world_at(EPOCH, ServerTime::from_ticks(real)).expect("all segments are kept");
        let (off, bound) = ((stated.world.ticks() - world).abs(), stated.error_bound_if_unchanged.ticks());
        assert!(off <= bound, "{off} ticks off at {real}, and the bound is {bound}");
    }
    let (mut reads, mut before, mut next) = (Vec::new(), 0, 0);
    for at in (2 * NEWS..length).step_by(STEP as usize) {
        while let Some((_, segment)) = news.get(next).filter(|(arrives, _)| *arrives <= at) {
            timeline.insert(segment).expect("a new segment");
            next += 1;
        }
        let now = netclock_sim::reading(EPOCH, ServerTime::from_ticks(at), Span::ZERO);
        let shown = timeline.show(&now).expect("known");
        assert_eq!(shown.jump, Span::ZERO, "at {at}");
        // Any value between the world times of the two adjacent frames is correct.
        let frame = frames.partition_point(|(real, _)| *real <= at) - 1;
        let (from, to) = (frames[frame], frames[frame + 1]);
        let truth = from.1 + (to.1 - from.1) * (at - from.0) / (to.0 - from.0);
        let world = shown.world.ticks();
        assert!(world >= before, "at {at}");
        let tolerance = timeline.world_at(EPOCH, now.server_time).expect("known").error_bound_if_unchanged;
        let (error, tolerance) = (world - truth, tolerance.ticks());
        reads.push(Read { at, error, moved: world - before, tolerance });
        before = world;
    }
    (reads, news.into_iter().map(|(_, segment)| segment).collect())
}

fn largest(reads: &[Read]) -> i64 {
    reads.iter().map(|read| read.error.abs()).max().expect("there are reads")
}

#[test]
fn an_overloaded_world_is_followed_at_any_speed() {
    let mut random = Random::new(seed(1), "overload");
    for _ in 0..40 {
        // The world runs at 0.3 to 1 times real time, and its frame times vary by up to a third.
        let speed = random.between(0.3, 0.999);
        let spread = random.between(0.0, 0.33);
        let mut length = Random::new(random.word(), "frames");
        let (reads, segments) =
            run(30 * SECOND, |_| (STEP as f64 / speed * length.between(1.0 - spread, 1.0 + spread)) as i64);
        let settled = &reads[120..];
        let still = settled.iter().filter(|read| read.moved == 0).count();
        let what = format!("speed {speed:.3}, frames vary by {spread:.3}");
        assert!(largest(settled) <= 35 * MS, "{what}: {} ticks off", largest(settled));
        assert_eq!(still, 0, "{what}");
        let fastest = settled.iter().map(|read| read.moved).max().expect("there are reads");
        let rate = segments.iter().map(|segment| segment.rate.as_f64()).fold(1.0, f64::max);
        let limit = (1.25 * rate * STEP as f64) as i64 + 2;
        assert!(fastest <= limit, "{what}: moved {fastest} ticks in a frame, more than {limit}");
    }
}

#[test]
fn precision_returns_after_a_second_of_calm() {
    let mut random = Random::new(seed(1), "pressure");
    for _ in 0..40 {
        let (bad, speed) = (random.between(1.0, 60.0) as i64, random.between(0.3, 0.9));
        let mut length = Random::new(random.word(), "frames");
        let (from, to) = (SECOND, SECOND + bad * STEP);
        let (reads, _) = run(5 * SECOND, |now| match now {
            now if (from..to).contains(&now) => (STEP as f64 / speed * length.between(0.7, 1.3)) as i64,
            _ => STEP,
        });
        let calm: Vec<_> = reads.into_iter().filter(|read| read.at > to + SECOND + 3 * STEP + NEWS).collect();
        let tolerance = calm.iter().map(|read| read.tolerance).max().expect("there are reads");
        let what = format!("{bad} frames at {speed:.3}");
        assert!(largest(&calm) <= MS, "{what}: {} ticks off", largest(&calm));
        assert!(tolerance <= MS + MS / 100, "{what}: a tolerance of {tolerance} ticks");
    }
}

/// The world loses `lost` ticks before frame 60. Returns each published segment with the number of its frame.
fn published(lost: i64) -> Vec<(i64, Segment)> {
    let mut publisher = Publisher::new(PublisherConfig::default(), EPOCH, 1).expect("valid settings");
    let observe = |frame: i64| {
        let real = ServerTime::from_ticks(frame * STEP + if frame < 60 { 0 } else { lost });
        let segment = publisher.observe(real, WorldTime::from_ticks(frame * STEP), Rate::ONE);
        segment.expect("frames are in order").map(|segment| (frame, segment))
    };
    (0..700).filter_map(observe).collect()
}

#[test]
fn lost_time_is_published_within_the_frame() {
    let all = published(400 * MS);
    let [_, (frame, segment)] = all[..] else { panic!("{all:?}") };
    assert_eq!((frame, segment.world.ticks()), (60, 60 * STEP));
    assert_eq!((segment.version, segment.rate), (2, Rate::ONE), "the next version, at the same rate");
    assert!(
        segment.since.ticks() - 59 * STEP <= 5 * MS,
        "it does not start after the last correct frame: {segment:?}"
    );
}

#[test]
fn a_lasting_slip_is_distinguished_from_a_late_reading() {
    // A loss of 0.9 ms could also be a late reading, because the settings allow readings to be that late.
    let all = published(9_000);
    let [_, (frame, segment)] = all[..] else { panic!("{all:?}") };
    assert!((80..=92).contains(&frame), "published in frame {frame}");
    let off = (segment.real.ticks() - segment.world.ticks() - 9_000).abs();
    assert!(off <= segment.tolerance.ticks(), "{off} ticks off: {segment:?}");
}

#[test]
fn late_readings_are_corrected_by_a_punctual_one() {
    // The game reads the clock 3 ms late in six of seven frames, including the frame in which the rate
    // changes. A line through that frame alone would be 3 ms late.
    const CHANGE: i64 = 155;
    let config = PublisherConfig { read_lag: Span::from_millis(4), ..PublisherConfig::default() };
    let mut publisher = Publisher::new(config, EPOCH, 1).expect("valid settings");
    let mut after = Vec::new();
    for frame in 0..200_i64 {
        let (real, late) = (frame * STEP, if frame % 7 == 3 { 0 } else { 3 * MS });
        let rate = if frame < CHANGE { Rate::ONE } else { Rate::new(0.95).expect("a rate") };
        let world = real.min(CHANGE * STEP) + (frame - CHANGE).max(0) * 158_334;
        let seen = publisher.observe(ServerTime::from_ticks(real + late), WorldTime::from_ticks(world), rate);
        after.extend(seen.expect("in order").filter(|_| frame >= CHANGE));
    }
    assert_eq!(after.len(), 1, "the first segment after the rate change was corrected");
    let mut timeline = Timeline::new(TimelineConfig::default()).expect("valid settings");
    timeline.insert(&after[0]).expect("valid");
    let now = netclock_sim::reading(EPOCH, ServerTime::from_ticks(190 * STEP), Span::ZERO);
    let shown = timeline.show(&now).expect("known");
    let truth = CHANGE * STEP + 35 * 158_334;
    let error = shown.world.ticks() - truth;
    assert!(error.abs() <= MS, "{error} off");
}
