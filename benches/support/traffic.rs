//! Simulates a home connection with 25 ms each way, queues of 4 ms on average, and clock rates that differ by
//! 20 ppm.

/// The number of exchanges that are generated in advance and then repeated.
const DRAWN: usize = 1024;

/// Once settled, a client sends a request every 4 s (ticks).
const INTERVAL: f64 = 4.0 * SECOND;

const SECOND: f64 = 1e7;
const BASE: f64 = 0.025 * SECOND;
const QUEUEING: f64 = 0.004 * SECOND;
const RATE: f64 = 20e-6;

/// Enough exchanges for all blocks to reach their final length, with some margin.
pub(crate) const TO_STEADY_STATE: usize = 512;

/// All timestamps are in ticks, and the server replies immediately.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exchange {
    pub(crate) sent: i64,
    pub(crate) server: i64,
    pub(crate) arrived: i64,
}

impl Exchange {
    pub(crate) fn round_trip(&self) -> i64 {
        self.arrived - self.sent
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Traffic {
    /// For each exchange, the local and server time since the previous exchange, and the delay in each
    /// direction.
    drawn: Vec<[i64; 4]>,
    next: usize,
    local: i64,
    server: i64,
}

impl Traffic {
    pub(crate) fn new() -> Self {
        let mut state = 2026;
        let drawn = (0..DRAWN).map(|_| {
            let interval = (INTERVAL * (2.0 / 3.0 + 2.0 / 3.0 * fraction(&mut state))).round();
            let mut delay = || (BASE - QUEUEING * (1.0 - fraction(&mut state)).ln()).round() as i64;
            [interval as i64, (interval * (1.0 + RATE)).round() as i64, delay(), delay()]
        });
        Traffic { drawn: drawn.collect(), next: 0, local: 5_000_000_000, server: 100_000_000_000 }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Exchange {
        let [local, server, forward, reverse] = self.drawn[self.next % DRAWN];
        self.next += 1;
        self.local += local;
        self.server += server;
        Exchange { sent: self.local, server: self.server + forward, arrived: self.local + forward + reverse }
    }
}

/// Returns a random number in 0..1 (splitmix64).
fn fraction(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
