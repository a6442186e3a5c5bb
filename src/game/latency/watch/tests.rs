use super::*;
use crate::clock::MAX_INSTANT_TICKS;

const MS: i64 = 10_000;
const SECOND: i64 = 1_000 * MS;
/// How far the server's clock is ahead.
const AHEAD: i64 = 777 * SECOND;

/// A path with invented delays, and a clock with an invented error.
struct Path {
    watch: LatencyWatch,
    number: i64,
    every: i64,
    /// (ticks)
    up: i64,
    down: i64,
    jitter: i64,
    clock_off: i64,
    epoch: u32,
    changes: Vec<LatencyChange>,
}

impl Path {
    fn new(every: i64) -> Self {
        let watch = LatencyWatch::new(&LatencyConfig::default()).expect("the default is valid");
        let (up, down, jitter) = (25 * MS, 30 * MS, 6 * MS);
        Path { watch, number: 0, every, up, down, jitter, clock_off: 0, epoch: 1, changes: Vec::new() }
    }

    /// A number that looks random, exponential with mean `mean`.
    fn noise(&self, salt: i64, mean: i64) -> i64 {
        let mut mixed = (self.number * 2 + salt) as u64;
        for factor in [0x9E37_79B9_7F4A_7C15_u64, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB] {
            mixed = (mixed ^ mixed >> 31).wrapping_mul(factor);
        }
        let unit = ((mixed >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        (-unit.ln() * mean as f64) as i64
    }

    fn exchange(&mut self) -> (Exchange, ServerTime) {
        self.number += 1;
        let sent = self.number * self.every;
        let received = sent + self.up + self.noise(0, self.jitter);
        let arrived = received + self.down + self.noise(1, self.jitter);
        let exchange = Exchange {
            client_sent: LocalTime::from_ticks(sent),
            server_received: ServerTime::from_ticks(received + AHEAD),
            server_sent: ServerTime::from_ticks(received + AHEAD),
            client_received: LocalTime::from_ticks(arrived),
        };
        (exchange, ServerTime::from_ticks(arrived + AHEAD + self.clock_off))
    }

    /// Learns from `count` exchanges and gives the reports.
    fn run(&mut self, count: usize) -> Vec<LatencyChange> {
        let before = self.changes.len();
        for _ in 0..count {
            let (exchange, shown) = self.exchange();
            // With jitter one may overtake another.
            let _ = self.watch.learn(&exchange, shown, self.epoch);
            while let Some(change) = self.watch.next_change() {
                self.changes.push(change);
            }
        }
        self.changes[before..].to_vec()
    }

    fn level(&self, direction: Direction) -> LatencyLevel {
        self.watch.level(direction).expect("exchanges were learnt")
    }
}

fn near(span: Span, ms: i64, within_ms: i64) -> bool {
    (span - Span::from_millis(ms)).abs() <= Span::from_millis(within_ms)
}

#[test]
fn a_step_is_reported_once_with_its_direction_and_its_size() {
    for every in [SECOND, SECOND / 16] {
        let mut path = Path::new(every);
        assert_eq!(path.run(2_000), []);
        let at = path.number * every;
        path.up += 40 * MS;
        let changes = path.run(1_000);
        let [change] = changes[..] else { panic!("{changes:?}") };
        assert_eq!(change.direction, Direction::ToServer);
        assert!(near(change.after - change.before, 40, 5) && near(change.before, 29, 2), "{change:?}");
        let delay = (change.found.ticks() - at) as f64 / SECOND as f64;
        assert!(delay < if every == SECOND { 10.0 } else { 2.0 }, "{delay}");
        // The report begins with one of the first exchanges after the change, or with an earlier slow one.
        assert!((change.since.ticks() - at).abs() <= 3 * SECOND && change.since < change.found, "{change:?}");
        assert!((0.98..=1.0).contains(&change.confidence), "{change:?}");
        assert!(near(path.level(Direction::ToServer).typical, 69, 2));
        path.down -= 20 * MS;
        let changes = path.run(1_000);
        let [change] = changes[..] else { panic!("{changes:?}") };
        assert_eq!(change.direction, Direction::ToClient);
        assert!(near(change.after - change.before, -20, 4), "{change:?}");
    }
}

#[test]
fn the_least_delay_is_that_since_the_change() {
    let mut path = Path::new(SECOND / 4);
    path.run(600);
    path.up += 40 * MS;
    path.run(300);
    let level = path.level(Direction::ToServer);
    assert!(near(level.least, 65, 1) && near(level.typical, 69, 2), "{level:?}");
}

#[test]
fn bursts_duplicates_and_gaps_are_no_change() {
    let mut path = Path::new(SECOND / 16);
    path.run(2_000);
    for _ in 0..50 {
        // Nothing passes for 300 ms. Then all messages arrive bunched.
        let (stuck, shown) = path.exchange();
        for late in 0..5 {
            let mut exchange = stuck;
            exchange.client_sent = stuck.client_sent - Span::from_ticks(300 * MS - late * 60 * MS);
            let _ = path.watch.learn(&exchange, shown, 1);
            assert_eq!(path.watch.learn(&exchange, shown, 1), Ok(LatencyUpdate::Known));
        }
        assert_eq!(path.run(64), []);
    }
    path.number += 100_000;
    assert_eq!(path.run(1_000), []);
}

#[test]
fn the_clocks_own_corrections_are_taken_over_silently() {
    // The clock slews by 60 ms within 1.2 s, and later in small parts within minutes.
    let mut path = Path::new(SECOND / 8);
    path.run(1_000);
    for _ in 0..10 {
        path.clock_off += 6 * MS;
        assert_eq!(path.run(1), []);
    }
    assert_eq!(path.run(1_000), []);
    assert!(near(path.level(Direction::ToServer).typical, 29 - 60, 3));
    for _ in 0..2_000 {
        path.clock_off -= MS / 50;
        assert_eq!(path.run(1), []);
    }
    assert_eq!(path.run(1_000), []);
    let speed = path.watch.speed(LocalTime::from_ticks(path.number * path.every));
    assert_eq!((speed.scale, speed.done, speed.is_hiding), (1.0, Span::ZERO, false));
}

#[test]
fn a_level_that_creeps_is_told_when_it_has_gone_far_enough() {
    let mut path = Path::new(SECOND);
    path.run(300);
    for _ in 0..1_000 {
        path.up += MS / 20;
        path.run(1);
    }
    path.run(200);
    let told: Span = path.changes.iter().fold(Span::ZERO, |sum, change| sum + (change.after - change.before));
    let typical = path.level(Direction::ToServer).typical;
    assert!(near(told, 50, 12) && near(typical, 79, 12), "{told}, {typical}");
    assert!(path.changes.len() <= 5, "{:?}", path.changes);
}

#[test]
fn a_queue_that_comes_and_goes_is_not_told_each_time_and_a_longer_route_is() {
    let mut path = Path::new(SECOND / 8);
    (path.up, path.jitter) = (25 * MS, MS);
    path.run(8 * 60);
    // Another level within 20 ms every ten seconds, for half an hour.
    let told: Vec<usize> = (0..180)
        .map(|episode: i64| {
            path.up = 25 * MS + episode * 7 % 11 * 2 * MS;
            path.run(80).len()
        })
        .collect();
    let [first, rest] = [&told[..20], &told[20..]].map(|part| part.iter().sum::<usize>());
    assert!(first >= 3 && rest <= 3, "{first} of 20, then {rest} of 160");
    // A longer route on top of it is told within five seconds.
    path.up = 85 * MS;
    let reports = path.run(40);
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert!(near(reports[0].after, 86, 4), "{reports:?}");
    // Twenty minutes without the queue, and the direction is as sensitive as any other.
    path.run(8 * 1_200);
    path.up = 100 * MS;
    let reports = path.run(40);
    assert!(reports.len() == 1 && near(reports[0].after, 101, 4), "{reports:?}");
}

#[test]
fn the_speed_hides_what_was_reported_and_what_it_settles_to() {
    for (hide, wanted) in [
        (Hide::RoundTrip, -40),
        (Hide::OneWay(Direction::ToServer), -60),
        (Hide::OneWay(Direction::ToClient), 20),
    ] {
        let mut path = Path::new(SECOND / 8);
        path.watch =
            LatencyWatch::new(&LatencyConfig { hide, ..LatencyConfig::default() }).expect("in range");
        path.run(1_000);
        path.up += 60 * MS;
        path.run(500);
        path.down -= 20 * MS;
        path.run(1_000);
        let end = path.watch.speed(LocalTime::from_ticks(path.number * path.every));
        assert!(near(end.done, wanted, 3) && end.scale == 1.0 && !end.is_hiding, "{hide:?}: {end:?}");
    }
}

#[test]
fn what_a_correction_of_the_clock_brings_with_it_is_hidden_of_both_directions() {
    // Only one direction changed. Then the clock corrects itself by 60 ms while the way gets 16 ms longer.
    let mut path = Path::new(SECOND / 8);
    path.run(1_000);
    path.up += 40 * MS;
    path.run(1_000);
    path.clock_off += 60 * MS;
    path.up += 16 * MS;
    assert_eq!(path.run(1_000), []);
    let end = path.watch.speed(LocalTime::from_ticks(path.number * path.every));
    assert!(near(end.done, -56, 3) && !end.is_hiding, "{end:?}");
}

#[test]
fn what_was_said_of_the_speed_is_not_taken_back() {
    let mut path = Path::new(SECOND / 8);
    path.run(1_000);
    path.up += 60 * MS;
    let (mut last, mut slowest): (Option<(i64, Speed)>, f64) = (None, 1.0);
    for _ in 0..200 {
        path.run(1);
        // The watch learns the exchange some frames after its arrival. Frames in between have asked for the
        // speed.
        for part in 1..=8 {
            let now = path.number * path.every + 300 * MS + part * path.every / 8;
            let speed = path.watch.speed(LocalTime::from_ticks(now));
            if let Some((before, last)) = last {
                let passed = (now - before) as f64 / SECOND as f64;
                assert!((speed.scale - last.scale).abs() <= 0.4 * passed + 1e-6, "{last:?}, {speed:?}");
                let mean = (speed.done - last.done).as_secs_f64() / passed;
                assert!((-0.1 - 1e-4..=0.1).contains(&mean), "{last:?}, {speed:?}");
            }
            last = Some((now, speed));
            slowest = slowest.min(speed.scale);
        }
    }
    assert!((0.9 - 1e-9..0.91).contains(&slowest), "{slowest}");
}

#[test]
fn a_clock_that_was_set_anew_is_learnt_anew() {
    let mut path = Path::new(SECOND / 4);
    path.run(400);
    (path.epoch, path.clock_off, path.up) = (2, 300 * MS, 90 * MS);
    let (exchange, shown) = path.exchange();
    assert_eq!(path.watch.learn(&exchange, shown, 2), Ok(LatencyUpdate::Restarted));
    assert_eq!(path.watch.learn(&exchange, shown, 1), Ok(LatencyUpdate::Outdated));
    assert_eq!(path.run(400), []);
    assert!(near(path.level(Direction::ToServer).typical, 94 - 300, 3));
    // Local time may restart with it.
    (path.epoch, path.number) = (3, 5);
    assert_eq!(path.run(100), []);
    assert!(near(path.level(Direction::ToServer).typical, 94 - 300, 3));
}

#[test]
fn changes_that_nobody_takes_are_told_as_one() {
    let mut path = Path::new(SECOND / 8);
    path.run(1_000);
    for _ in 0..2 {
        path.up += 50 * MS;
        for _ in 0..400 {
            let (exchange, shown) = path.exchange();
            let _ = path.watch.learn(&exchange, shown, 1);
        }
    }
    let change = path.watch.next_change().expect("two were found");
    assert!(near(change.before, 29, 2) && near(change.after, 129, 4), "{change:?}");
    assert!(change.found - change.since > Span::from_secs(45));
    assert_eq!(path.watch.next_change(), None);
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    let mut path = Path::new(SECOND);
    path.run(100);
    let (good, shown) = path.exchange();
    let far = Span::from_secs(62);
    let beyond = LocalTime::from_ticks(MAX_INSTANT_TICKS + 1);
    let end = LocalTime::from_ticks(-MAX_INSTANT_TICKS);
    let exchanges = [
        Exchange { client_sent: good.client_sent - far, ..good },
        Exchange { server_received: good.server_received + far, ..good },
        Exchange { server_sent: good.server_sent - far, ..good },
        Exchange { client_sent: beyond, ..good },
        Exchange { client_received: beyond, ..good },
        Exchange { client_received: LocalTime::from_ticks(50 * SECOND), client_sent: end, ..good },
    ];
    let before = format!("{:?}", path.watch);
    for exchange in exchanges {
        for epoch in [1, 2] {
            assert!(path.watch.learn(&exchange, shown, epoch).is_err(), "{exchange:?}");
        }
    }
    assert!(path.watch.learn(&good, shown + far, 1).is_err());
    let early = Exchange {
        client_received: LocalTime::from_ticks(50 * SECOND),
        client_sent: LocalTime::from_ticks(50 * SECOND - 60 * MS),
        server_received: ServerTime::from_ticks(50 * SECOND - 30 * MS + AHEAD),
        server_sent: ServerTime::from_ticks(50 * SECOND - 30 * MS + AHEAD),
    };
    let early_shown = ServerTime::from_ticks(50 * SECOND + AHEAD);
    assert!(matches!(path.watch.learn(&early, early_shown, 1), Err(LatencyError::WentBackwards(_))));
    assert_eq!(format!("{:?}", path.watch), before);
}
