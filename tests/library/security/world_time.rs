//! Forged segments of world time. Without a key, a timeline recovers from them. With a key, it rejects them.

use netclock::keyed::{Channel, KeyError, SEALED_MOST, SealedChannel, SessionKey};
use netclock::timeline::{Publisher, PublisherConfig, Rate, Segment, SegmentError, Timeline, TimelineConfig};
use netclock::{Direction, Reading, ServerTime, Span, WorldTime};

const EPOCH: u64 = 9;
const SECOND: i64 = 10_000_000;

fn real(ticks: i64) -> ServerTime {
    ServerTime::from_ticks(ticks)
}

fn clock(at: i64) -> Reading {
    netclock_sim::reading(EPOCH, real(at), Span::from_millis(5))
}

/// A server whose world changes its rate every two seconds, and a client that receives the segments.
struct WorldSimulation {
    publisher: Publisher,
    timeline: Timeline,
    now: i64,
    world: i64,
    /// The epoch and the world time of the previous reading.
    last: (u32, WorldTime),
    /// The number of rejected genuine segments, and the number of all genuine segments.
    refused: (u32, u32),
}

impl WorldSimulation {
    fn played(seconds: i64) -> Self {
        let config = PublisherConfig { read_lag: Span::from_ticks(1), ..PublisherConfig::default() };
        let mut game = WorldSimulation {
            publisher: Publisher::new(config, EPOCH, 1).expect("valid"),
            timeline: Timeline::new(TimelineConfig::default()).expect("valid"),
            now: 100 * SECOND,
            world: 0,
            last: (0, WorldTime::from_ticks(0)),
            refused: (0, 0),
        };
        game.play(seconds);
        game
    }

    fn rate(&self) -> f64 {
        if (self.now / (2 * SECOND)) % 2 == 0 { 1.0 } else { 0.5 }
    }

    /// Continues the simulation. Every fourth second, a reply confirms the segment in force.
    fn play(&mut self, seconds: i64) {
        let end = self.now + seconds * SECOND;
        while self.now < end {
            let rate = self.rate();
            let (at, world) = (real(self.now), WorldTime::from_ticks(self.world));
            let frame =
                self.publisher.observe(at, world, Rate::new(rate).expect("a rate")).expect("in order");
            if let Some(segment) = frame {
                self.refused.1 += 1;
                self.refused.0 += u32::from(self.timeline.insert(&segment).is_err());
            }
            if self.now % (4 * SECOND) == 0 {
                self.confirm();
            }
            let shown = self.timeline.show(&clock(self.now));
            assert!(shown.is_ok() || self.refused.0 > 0, "{shown:?}");
            if let Ok(shown) = shown {
                assert!(shown.epoch != self.last.0 || shown.world >= self.last.1, "it went back: {shown:?}");
                self.last = (shown.epoch, shown.world);
            }
            self.world += (rate * (SECOND / 50) as f64) as i64;
            self.now += SECOND / 50;
        }
    }

    /// Delivers what a reply contains, and the newest segment if the client lacks it and requests it.
    fn confirm(&mut self) {
        let Some(newest) = self.publisher.newest() else { return };
        let through = newest.through.expect("a publisher states it");
        let _of_an_older_world = self.timeline.confirm(EPOCH, newest.instance, newest.version, through);
        let shown = self.timeline.show(&clock(self.now));
        if shown.is_err() || shown.is_ok_and(|shown| shown.is_missing_news) {
            let _still_refused = self.timeline.insert(&newest);
        }
    }

    fn error(&mut self) -> Span {
        match self.timeline.show(&clock(self.now)) {
            Ok(shown) => (shown.world - WorldTime::from_ticks(self.world)).abs(),
            Err(_) => Span::MAX,
        }
    }

    fn forge(&mut self, change: impl FnOnce(&mut Segment)) {
        let mut forged = self.publisher.newest().expect("the world has begun");
        forged.through = None;
        change(&mut forged);
        assert_eq!(self.timeline.insert(&forged), Ok(true), "it looks genuine without a key");
    }
}

/// The largest error that can be explained by frames and slewing.
const FINE: Span = Span::from_millis(60);

/// Changes a segment, given the current time.
type Forgery = fn(&mut Segment, i64);

/// Inserts two forged segments, each the successor of the other, because a single one would have to wait.
/// Genuine segments are locked out until the next reply at most.
#[test]
fn replies_restore_the_world_after_forged_segments() {
    let forgeries: [(&str, Forgery); 3] = [
        ("a leap of the version", |forged, now| {
            forged.version += 1 << 30;
            (forged.since, forged.real) = (real(now), real(now));
            forged.world += Span::from_secs(115);
        }),
        ("the far future", |forged, now| {
            forged.version += 1 << 30;
            (forged.since, forged.real) = (real(now + 600 * SECOND), real(now + 600 * SECOND));
            forged.world = WorldTime::from_ticks(0);
        }),
        ("another world", |forged, now| {
            forged.instance += 1 << 30;
            (forged.since, forged.real) = (real(now), real(now));
            forged.world = WorldTime::from_ticks(0);
        }),
    ];
    for (name, forge) in forgeries {
        let mut game = WorldSimulation::played(20);
        assert!(game.error() < FINE, "{}", game.error());
        assert_eq!(game.refused.0, 0);
        let now = game.now;
        game.forge(|segment| forge(segment, now));
        game.forge(|segment| {
            forge(segment, now + 1);
            segment.version += 1;
        });
        game.play(9);
        assert!(game.error() < FINE, "{name}: off by {} after two replies", game.error());
        game.refused = (0, 0);
        game.play(30);
        assert!(game.error() < FINE, "{name}: off by {}", game.error());
        assert_eq!(game.refused.0, 0, "{name}: of {} genuine segments", game.refused.1);
    }
}

#[test]
fn one_forged_version_locks_out_no_genuine_segment() {
    for leap in [10_000, 1 << 20, 1 << 30, (1 << 31) - 100] {
        // Long after any reply has confirmed it.
        let mut game = WorldSimulation::played(17);
        let now = game.now;
        game.refused = (0, 0);
        for copy in [true, false] {
            let mut forged = game.publisher.newest().expect("it has begun");
            (forged.version, forged.through) = (forged.version + leap, None);
            (forged.since, forged.real) = (real(now), real(now));
            forged.world += Span::from_secs(115);
            assert_eq!(game.timeline.insert(&forged), Ok(copy), "a copy counted as confirmation");
        }
        assert!(game.error() < FINE, "leap {leap}: off by {}", game.error());
        for seconds in [2, 30] {
            game.play(seconds);
            assert!(game.error() < FINE, "leap {leap}: off by {}", game.error());
            assert_eq!(game.refused.0, 0, "leap {leap}: of {} genuine segments", game.refused.1);
        }
    }
}

#[test]
fn a_true_leap_is_believed_once_a_reply_or_a_successor_confirms_it() {
    for by_reply in [true, false] {
        let mut game = WorldSimulation::played(17);
        let newest = game.publisher.newest().expect("it has begun");
        let version = newest.version + (1 << 20);
        let later = |version, seconds: i64| Segment {
            version,
            since: real(game.now + seconds * SECOND),
            real: real(game.now + seconds * SECOND),
            world: WorldTime::from_ticks(game.world + seconds * SECOND),
            through: None,
            ..newest
        };
        let (first, second) = (later(version, 0), later(version + 1, 1));
        assert_eq!(game.timeline.insert(&first), Ok(true));
        let known =
            |game: &WorldSimulation| game.timeline.world_at(EPOCH, real(game.now)).map(|world| world.version);
        assert_eq!(known(&game), Ok(newest.version));
        if by_reply {
            let through = real(game.now + SECOND);
            assert_eq!(game.timeline.confirm(EPOCH, newest.instance, version, through), Ok(()));
        } else {
            assert_eq!(game.timeline.insert(&second), Ok(true));
        }
        assert_eq!(known(&game), Ok(version), "confirmed by a reply: {by_reply}");
    }
}

/// An attacker on the path sees the version and can do this. So can fellow players, who know it.
#[test]
fn without_a_key_a_forged_next_version_is_believed_until_the_one_after_it() {
    for by in [1, 100] {
        let mut game = WorldSimulation::played(20);
        // Forges the next segment, in which the world leaps now.
        let (now, world) = (real(game.now), WorldTime::from_ticks(game.world));
        game.forge(|forged| {
            forged.version += 1;
            (forged.since, forged.real) = (now, now);
            forged.world = world + Span::from_secs(by);
        });
        let off = Span::from_secs(by) - Span::from_millis(500);
        assert!(game.error() > off, "the page states a limit that is gone: off by {}", game.error());
        let shown = game.timeline.show(&clock(game.now + SECOND)).expect("a world");
        assert!(by == 1 || shown.error_bound < Span::from_secs(1), "the bound covers it: {shown:?}");
        // The shown time slews back at a quarter of real time.
        game.play(15 * by);
        assert_eq!(game.refused.0, 1, "of {} genuine segments, one has that version", game.refused.1);
        assert!(game.error() < FINE, "off by {}", game.error());
    }
}

#[test]
fn genuine_confirmations_replace_a_forged_one() {
    let mut game = WorldSimulation::played(20);
    let newest = game.publisher.newest().expect("it has begun");
    let forged = newest.version + (1 << 30);
    assert_eq!(game.timeline.confirm(EPOCH, 1, forged, real(game.now)), Ok(()));
    assert!(game.timeline.show(&clock(game.now)).is_ok_and(|shown| shown.is_missing_news));
    game.play(9);
    let shown = game.timeline.show(&clock(game.now)).expect("known");
    assert!(!shown.is_missing_news, "{shown:?}");
    assert!(game.error() < FINE, "off by {}", game.error());
    assert_eq!(game.refused.0, 0, "of {} genuine segments", game.refused.1);
}

#[test]
fn replies_that_come_late_drop_nothing() {
    let mut game = WorldSimulation::played(20);
    let old = game.publisher.newest().expect("it has begun");
    game.play(5);
    let through = old.through.expect("a publisher states it");
    let before = game.timeline.world_at(EPOCH, real(game.now));
    assert_eq!(game.timeline.confirm(EPOCH, 1, old.version, through), Ok(()));
    assert_eq!(game.timeline.world_at(EPOCH, real(game.now)), before);
    game.play(5);
    assert_eq!(game.refused.0, 0);
    assert!(game.error() < FINE);
}

#[test]
fn segments_of_an_unknown_run_change_nothing() {
    // An off-path attacker does not know the server's random epoch.
    let mut game = WorldSimulation::played(20);
    let before = game.timeline.world_at(EPOCH, real(game.now));
    for guess in 0..1_000 {
        let newest = game.publisher.newest().expect("it has begun");
        let forged = Segment {
            server_epoch: EPOCH + 1 + guess,
            world: WorldTime::from_ticks(0),
            through: None,
            ..newest
        };
        let _waits_for_its_run = game.timeline.insert(&forged);
        assert_eq!(game.timeline.world_at(EPOCH, real(game.now)), before);
    }
    game.play(5);
    assert_eq!(game.refused.0, 0);
    assert!(game.error() < FINE);
}

#[test]
fn a_server_that_lies_about_its_world_is_believed() {
    let mut game = WorldSimulation::played(20);
    // No player knows the true world, so nothing can disprove the server.
    game.world += 50 * SECOND;
    game.play(2);
    assert!(game.error() < FINE, "the lie was not believed: off by {}", game.error());
    assert_eq!(game.refused.0, 0);
}

fn end(id: u32, sends: Direction) -> SealedChannel {
    let key = SessionKey::new(id, [id as u8; 16]).expect("a secret");
    SealedChannel::new(&key, Channel::Messages, sends)
}

/// A fellow player knows the server's epoch, world and version.
#[test]
fn with_a_key_a_fellow_player_cannot_forge_segments() {
    let game = WorldSimulation::played(20);
    let sealed_only = TimelineConfig { sealed: true, ..TimelineConfig::default() };
    let mut victim = Timeline::new(sealed_only).expect("valid");
    let [mut server, mut client, mut fellow] =
        [(7, Direction::ToClient), (7, Direction::ToServer), (8, Direction::ToClient)]
            .map(|(id, sends)| end(id, sends));
    let mut out = [0; SEALED_MOST];
    let newest = game.publisher.newest().expect("it has begun");
    let bytes = newest.encode().expect("valid");
    let genuine = server.seal(&bytes, &mut out).expect("a message").to_vec();
    assert_eq!(victim.insert_sealed(&mut client, &genuine), Ok(true));
    let before = victim.show(&clock(game.now)).expect("a world");
    // The next segment, and one that leaps. The fellow player sends both unsealed, and sealed with its key.
    for leap in [1, 1_000_000] {
        let mut forged = Segment { version: newest.version + leap, through: None, ..newest };
        (forged.since, forged.real) = (real(game.now), real(game.now));
        forged.world += Span::from_secs(100);
        assert_eq!(victim.insert(&forged), Err(SegmentError::Key(KeyError::NotKeyed)));
        let bytes = forged.encode().expect("valid");
        assert_eq!(victim.insert_sealed(&mut client, &bytes), Err(SegmentError::Key(KeyError::NotKeyed)));
        // Garbage is rejected for the same reason, because the seal is verified before anything is decoded.
        for message in [&bytes[..], &[1; 32]] {
            let datagram = fellow.seal(message, &mut out).expect("a message").to_vec();
            let refused = victim.insert_sealed(&mut client, &datagram);
            assert_eq!(refused, Err(SegmentError::Key(KeyError::UnknownKey(8))));
        }
        let again = victim.insert_sealed(&mut client, &genuine);
        assert_eq!(again, Err(SegmentError::Key(KeyError::Replayed)));
        assert_eq!(victim.show(&clock(game.now)), Ok(before));
    }
    // The caller can open a sealed datagram even if it does not contain a segment.
    let other = server.seal(&[1; 32], &mut out).expect("a message").to_vec();
    assert!(matches!(victim.insert_sealed(&mut client, &other), Err(SegmentError::Wire(_))));
    assert_eq!(client.open(&other), Ok(&[1; 32][..]));
}
