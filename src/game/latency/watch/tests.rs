use super::*;

const MS: i64 = 10_000;
const SECOND: i64 = 1_000 * MS;
const AHEAD: i64 = 777 * SECOND;

struct Path {
    watch: LatencyWatch,
    number: i64,
    every: i64,
    /// The delays and the jitter are in ticks.
    up: i64,
    down: i64,
    jitter: i64,
    clock_off: i64,
    epoch: u32,
    changes: Vec<LatencyChange>,
}

impl Path {
    fn new(every: i64) -> Self {
        let watch = LatencyWatch::new(LatencyWatch::LEAST_CHANGE).expect("the default is valid");
        let (up, down, jitter) = (25 * MS, 30 * MS, 6 * MS);
        Path { watch, number: 0, every, up, down, jitter, clock_off: 0, epoch: 1, changes: Vec::new() }
    }

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
        let exchange = Exchange::from_stamps(
            LocalTime::from_ticks(sent),
            ServerTime::from_ticks(received + AHEAD),
            ServerTime::from_ticks(received + AHEAD),
            LocalTime::from_ticks(arrived),
        );
        (exchange, ServerTime::from_ticks(arrived + AHEAD + self.clock_off))
    }

    fn run(&mut self, count: usize) -> Vec<LatencyChange> {
        let before = self.changes.len();
        for _ in 0..count {
            let (exchange, shown) = self.exchange();
            // Exchanges that jitter has reordered are ignored.
            self.watch.learn(&exchange, shown, self.epoch);
            while let Some(change) = self.watch.next_change() {
                self.changes.push(change);
            }
        }
        self.changes[before..].to_vec()
    }
}

fn near(span: Span, ms: i64, within_ms: i64) -> bool {
    (span - Span::from_millis(ms)).abs() <= Span::from_millis(within_ms)
}

#[test]
fn gradual_changes_are_reported() {
    let mut path = Path::new(SECOND);
    path.run(300);
    for _ in 0..1_000 {
        path.up += MS / 20;
        path.run(1);
    }
    path.run(200);
    let told: Span = path.changes.iter().fold(Span::ZERO, |sum, change| sum + (change.after - change.before));
    let typical = Span::from_ticks(path.watch.delays[0].level.into());
    assert!(near(told, 50, 12), "{told}");
    assert!(near(typical, 79, 12), "{typical}");
    assert!(path.changes.len() <= 5, "{:?}", path.changes);
}

#[test]
fn changes_during_a_clock_correction_are_hidden_in_both_directions() {
    // First, the uplink becomes 40 ms slower. Later, the clock is corrected by 60 ms, and the uplink becomes
    // another 16 ms slower.
    let mut path = Path::new(SECOND / 8);
    path.run(1_000);
    path.up += 40 * MS;
    path.run(1_000);
    path.clock_off += 60 * MS;
    path.up += 16 * MS;
    assert_eq!(path.run(1_000), []);
    let end = path.watch.speed(LocalTime::from_ticks(path.number * path.every));
    assert!(near(end.done, -56, 3), "{end:?}");
    assert!(!end.is_hiding, "{end:?}");
}
