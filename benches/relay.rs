//! What a datagram costs a relay, the smallest and the largest: `cargo bench --bench relay`.
//!
//! Both run in turns, so that the machine's speed of the moment does not count, and each ratio is the median
//! over many turns.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "measuring time is what a bench does"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use netclock::LocalTime;
use netclock::peer::{MESSAGE_MOST, Relay, RelayConfig};

const LOGIN: u8 = 0x1;
const READY: u8 = 0x9;
const SYNCH_REQUEST: u8 = 0x12;

/// Longest mean time for a datagram at any size of the relay, in ns.
const MOST: f64 = 1_000.0;
/// Largest cost at the largest relay, as a multiple of that at the smallest: its tables are in no cache.
const MOST_RATIO: f64 = 10.0;

/// A relay with every slot taken.
struct Full {
    relay: Relay,
    /// Game and token of each connection.
    peers: Vec<(u64, u64)>,
    now: LocalTime,
    turn: usize,
    message: [u8; MESSAGE_MOST],
}

fn plain(id: u8, proof: u64, number: u64, last: u64) -> [u8; 36] {
    let mut bytes = [0; 36];
    (bytes[1], bytes[3]) = (id, 36);
    bytes[12..20].copy_from_slice(&proof.to_be_bytes());
    bytes[20..28].copy_from_slice(&number.to_be_bytes());
    bytes[28..36].copy_from_slice(&last.to_be_bytes());
    bytes
}

fn login(key: u64, game: u64, cookie: u64) -> [u8; 36] {
    let mut bytes = plain(LOGIN, key, game, cookie);
    bytes[5] = 1;
    bytes
}

impl Full {
    fn new(games: u32, slots: u32) -> Self {
        let config = RelayConfig { games, slots, budget: 10_000_000, queue: 2_064, ..RelayConfig::default() };
        let relay = Relay::new(config, 1).expect("valid");
        let (peers, now) = (Vec::new(), LocalTime::from_ticks(0));
        let mut full = Full { relay, peers, now, turn: 0, message: [0; MESSAGE_MOST] };
        for connection in 0..u64::from(games) * u64::from(slots) {
            let game = connection % u64::from(games);
            let key = connection + 1_000_000;
            full.relay.receive(connection, &login(key, game, 0), now).expect("a challenge");
            let cookie = full.number();
            full.relay.receive(connection, &login(key, game, cookie), now).expect("a slot");
            let token = full.number();
            full.peers.push((game, token));
        }
        full
    }

    /// The number in the relay's only answer.
    fn number(&mut self) -> u64 {
        let size =
            self.relay.next_message(self.now, &mut self.message).expect("in range").expect("an answer").1;
        assert_eq!((size, self.next()), (36, false));
        u64::from_be_bytes(self.message[20..28].try_into().expect("eight bytes"))
    }

    fn next(&mut self) -> bool {
        let next = self.relay.next_message(self.now, &mut self.message);
        black_box(next.expect("in range")).is_some()
    }

    /// A peer far from the last one.
    fn next_peer(&mut self) -> u64 {
        self.turn = (self.turn + 5_003) % self.peers.len();
        self.turn as u64
    }

    fn stranger_challenged(&mut self) {
        self.turn += 1;
        let key = self.turn as u64;
        black_box(self.relay.receive(key | 1 << 40, &login(key, key % 300, 0), self.now))
            .expect("a challenge");
        assert!(self.next());
    }

    fn stranger_refused(&mut self) {
        self.turn += 1;
        let key = self.turn as u64;
        assert!(self.relay.receive(key | 1 << 40, &plain(READY, key, 0, 0), self.now).is_err());
        assert!(self.next());
    }

    fn forger_refused(&mut self) {
        let peer = self.next_peer();
        let mut forged = [0; 92];
        (forged[1], forged[3]) = (SYNCH_REQUEST, 92);
        assert!(black_box(self.relay.receive(peer, &forged, self.now)).is_err());
    }

    fn peer_ready(&mut self) {
        let peer = self.next_peer();
        // Peers say it four times a second, so this is the pace of 16,000 of them. What is due comes up, too.
        self.now = LocalTime::from_ticks(self.now.ticks() + 150);
        let ready = plain(READY, self.peers[peer as usize].1, 0, 0);
        self.relay.receive(peer, &ready, self.now).expect("a peer that is there");
        assert!(self.next());
    }

    fn nothing_to_send(&mut self) {
        assert!(!self.next());
    }
}

/// What is measured, and its name.
type Operation = (&'static str, fn(&mut Full));

const OPERATIONS: [Operation; 5] = [
    ("a forged LOGIN, and its challenge", Full::stranger_challenged),
    ("a stranger's READY, and its refusal", Full::stranger_refused),
    ("a datagram in a peer's name", Full::forger_refused),
    ("a peer's READY, and the answer", Full::peer_ready),
    ("nothing to send", Full::nothing_to_send),
];

fn main() {
    let thorough = std::env::args().any(|argument| argument == "--bench");
    if !thorough {
        println!("A trial run: the figures mean nothing. `cargo bench` takes its time.");
    }
    let (turns, turn) =
        if thorough { (200, Duration::from_millis(1)) } else { (2, Duration::from_micros(10)) };
    // The trial does without the largest relay, which takes memory.
    let largest = if thorough { (256, 64) } else { (4, 8) };
    println!(
        "{:40} {:>12} {:>16} {:>8}",
        "",
        "1 x 2 slots",
        format!("{} x {}", largest.0, largest.1),
        "ratio"
    );
    let mut kept = true;
    for (name, operation) in OPERATIONS {
        let mut relays = [Full::new(1, 2), Full::new(largest.0, largest.1)];
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..turns {
            for (relay, times) in relays.iter_mut().zip(&mut times) {
                times.push(mean(turn, || operation(relay)));
            }
        }
        let mut ratios: Vec<f64> =
            times[1].iter().zip(&times[0]).map(|(large, small)| large / small).collect();
        let [small, large] = times.map(|mut times| median(&mut times));
        let ratio = median(&mut ratios);
        println!("{name:40} {small:9.1} ns {large:13.1} ns {ratio:8.2}");
        kept &= large <= MOST && ratio <= MOST_RATIO;
    }
    let verdict = if kept { "kept" } else { "MISSED" };
    println!("{verdict}: at most {MOST:.0} ns and {MOST_RATIO:.0} x the small relay, at any size");
}

/// Mean time of an operation, in ns, over as many as fill a turn.
fn mean(turn: Duration, mut operation: impl FnMut()) -> f64 {
    let (start, mut count) = (Instant::now(), 0_u32);
    loop {
        for _ in 0..64 {
            operation();
        }
        count += 64;
        let elapsed = start.elapsed();
        if elapsed >= turn {
            return elapsed.as_nanos() as f64 / f64::from(count);
        }
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}
