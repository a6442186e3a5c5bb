//! Tests which segments a publisher sends when the world loses time or the game reads its clock late.

use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment, Timeline, TimelineConfig};
use netclock::{ServerTime, Span, WorldTime};

const MS: i64 = 10_000;
const FRAME: i64 = 166_667;
const EPOCH: u64 = 7;

/// The world loses `lost` ticks before frame 60. Returns the segments and the frames that published them.
fn published(lost: i64) -> Vec<(i64, Segment)> {
    let mut publisher = Publisher::new(PublisherConfig::default(), EPOCH, 1).expect("valid settings");
    let observe = |frame: i64| {
        let real = ServerTime::from_ticks(frame * FRAME + if frame < 60 { 0 } else { lost });
        let segment = publisher.observe(real, WorldTime::from_ticks(frame * FRAME), Rate::ONE);
        segment.expect("frames are in order").map(|segment| (frame, segment))
    };
    (0..700).filter_map(observe).collect()
}

#[test]
fn lost_time_is_published_within_the_frame() {
    let all = published(400 * MS);
    let [_, (frame, segment)] = all[..] else { panic!("{all:?}") };
    assert_eq!((frame, segment.world.ticks()), (60, 60 * FRAME));
    assert_eq!((segment.version, segment.rate), (2, Rate::ONE), "the next version, at the same rate");
    assert!(
        segment.since.ticks() - 59 * FRAME <= 5 * MS,
        "it does not start after the last correct frame: {segment:?}"
    );
}

#[test]
fn a_lasting_slip_is_distinguished_from_a_late_reading() {
    // A slip of 0.9 ms could also be a late reading because the settings permit one that late.
    let all = published(9_000);
    let [_, (frame, segment)] = all[..] else { panic!("{all:?}") };
    assert!((80..=92).contains(&frame), "published in frame {frame}");
    let off = (segment.real.ticks() - segment.world.ticks() - 9_000).abs();
    assert!(off <= segment.tolerance.ticks(), "{off} ticks off: {segment:?}");
}

#[test]
fn late_readings_are_corrected_by_a_punctual_one() {
    // The game reads the clock 3 ms late in six of seven frames, including the one in which the rate changes.
    // A line through that frame alone would be 3 ms behind, whereas all earlier segments are exact.
    const CHANGE: i64 = 155;
    let config = PublisherConfig { read_lag: Span::from_millis(4), ..PublisherConfig::default() };
    let mut publisher = Publisher::new(config, EPOCH, 1).expect("valid settings");
    let mut after = Vec::new();
    for frame in 0..200_i64 {
        let (real, late) = (frame * FRAME, if frame % 7 == 3 { 0 } else { 3 * MS });
        let rate = if frame < CHANGE { Rate::ONE } else { Rate::new(0.95).expect("a rate") };
        let world = real.min(CHANGE * FRAME) + (frame - CHANGE).max(0) * 158_334;
        let seen = publisher.observe(ServerTime::from_ticks(real + late), WorldTime::from_ticks(world), rate);
        after.extend(seen.expect("in order").filter(|_| frame >= CHANGE));
    }
    assert_eq!(after.len(), 1, "the first segment after the rate change was corrected");
    let mut timeline = Timeline::new(TimelineConfig::default()).expect("valid settings");
    timeline.insert(&after[0]).expect("valid");
    let now = netclock_sim::reading(EPOCH, ServerTime::from_ticks(190 * FRAME), Span::ZERO);
    let shown = timeline.show(&now).expect("known");
    let truth = CHANGE * FRAME + 35 * 158_334;
    let error = shown.world.ticks() - truth;
    assert!(error.abs() <= MS, "{error} off");
}
