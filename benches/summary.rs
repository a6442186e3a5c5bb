//! `cargo bench --bench summary` measures NetClock and compares the results with the guaranteed limits.
//!
//! Each operation also runs alone under callgrind, to count its instructions and memory accesses. Unlike
//! timings, these counts are reproducible.
//!
//! The speed of a machine changes from second to second. To compare operations, we alternate them every
//! millisecond and use the median of many ratios.

#![expect(unsafe_code, reason = "the C ABI is called as C calls it")]
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "measuring time is what a bench does"
)]

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[path = "support/abi.rs"]
mod abi;
#[path = "support/operations.rs"]
mod operations;
#[path = "support/relays.rs"]
mod relays;
#[path = "support/sessions.rs"]
mod sessions;
#[path = "support/traffic.rs"]
mod traffic;

use netclock_sim::{nearest_rank, sorted};
use operations::{Operation, Run};

/// Maximum cost of a read through the C ABI, relative to the original clock.
const MOST_READ: f64 = 1.5;
/// Maximum cost of reading the unslewed clock, relative to the system's monotonic clock.
const MOST_CLOCK: f64 = 4.0;
/// Maximum mean time to handle a reply (ns).
const MOST_REPLY: f64 = 2_000.0;
/// Maximum mean time for an exchange if each end only reads datagrams once per frame (ns).
const MOST_POLLED: f64 = 10_000.0;
/// Minimum number of replies per second on one core.
const LEAST_ANSWERS: f64 = 1e6;

/// Maximum cost of an exchange between host and guest, relative to an exchange between client and responder.
const MOST_SESSION: f64 = 1.3;
/// Maximum number of bytes in the first half minute of a session, relative to a client and responder.
const MOST_BYTES: f64 = 1.5;

/// This many handles exist while we measure the cost of another handle.
const CROWD: u64 = 100_000;
/// Maximum cost of creating and destroying a handle while these exist, relative to the cost without them.
const MOST_CROWDED: f64 = 4.0;

/// Maximum time to handle a hostile datagram at either end of a session (ns).
const MOST_HOSTILE: f64 = 3_000.0;

/// Maximum time to handle a datagram in a relay of any size (ns).
const MOST_RELAYED: f64 = 1_000.0;
/// Maximum ratio between the largest and the smallest relay. The largest relay's tables do not fit in any
/// cache.
const MOST_LARGEST: f64 = 10.0;

/// The argument with which the program runs a single operation under callgrind.
const COUNT: &str = "count";
/// 1024 runs cover four whole cycles of 256 frames. Some of their exchanges open a block, others do not.
const RUNS: u64 = 1024;

struct Effort {
    turns: usize,
    turn: Duration,
    sessions: usize,
    /// The largest relay has this many games and slots, and needs a lot of memory.
    largest: (u32, u32),
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(operation) = operations::ALL.into_iter().find(|it| arguments == [COUNT, it.name]) {
        return counted(&mut *(operation.prepare)());
    }
    // Cargo passes this argument unless it runs the benches as tests.
    let thorough = arguments.iter().any(|argument| argument == "--bench");
    let effort = if thorough {
        Effort { turns: 400, turn: Duration::from_millis(1), sessions: 9, largest: (256, 64) }
    } else {
        Effort { turns: 2, turn: Duration::from_micros(10), sessions: 1, largest: (4, 8) }
    };
    if !thorough {
        println!("This is a trial run whose figures are meaningless. Use `cargo bench`.");
    }
    let alone = Turns::take(operations::ALL.into_iter().filter(|it| !it.concurrent), &effort);
    alone.print();
    for operation in operations::ALL.into_iter().filter(|it| it.concurrent) {
        Turns::take([operation], &effort).print();
    }
    replies("single replies, the first 32: C ABI", operations::fresh, 32, &effort);
    replies("single replies, later, undisturbed: C ABI", operations::steady, 1024, &effort);
    println!();
    promises(&alone);
    in_sessions(&alone);
    attacked(&effort);
    crowded(&effort);
    relayed(&effort);
    if thorough {
        count_instructions();
    }
}

/// callgrind finds this function by its name and counts only inside it.
#[inline(never)]
fn counted(run: &mut dyn FnMut(u64)) {
    run(black_box(RUNS));
    // Without this, `run` might be a tail call, and callgrind would not see this function return.
    black_box(());
}

fn count_instructions() {
    println!(
        "\n{:52} {:>12} {:>8} {:>8}",
        "per operation, the loop included", "instructions", "reads", "writes"
    );
    for operation in operations::ALL.into_iter().filter(|it| !it.concurrent) {
        match counts(&operation) {
            Ok([instructions, reads, writes]) => {
                println!("{:52} {instructions:12.1} {reads:8.1} {writes:8.1}", operation.name);
            }
            Err(failure) => return println!("not counted with valgrind: {failure}"),
        }
    }
}

fn counts(operation: &Operation) -> Result<[f64; 3], String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--cache-sim=yes", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*summary*counted*"])
        .arg(std::env::current_exe().map_err(|error| error.to_string())?)
        .args([COUNT, operation.name])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let report = String::from_utf8_lossy(&output.stderr);
    // The line lists instructions, reads and writes, as in "==1234== Collected : 11264 2048 1024 ...".
    let (_, collected) = report.split_once("Collected : ").unwrap_or_default();
    let numbers: Vec<f64> = collected.split_whitespace().map_while(|it| it.parse().ok()).collect();
    match numbers[..] {
        [instructions, reads, writes, ..] if instructions > 0.0 => {
            Ok([instructions, reads, writes].map(|number| number / RUNS as f64))
        }
        _ => Err(report.into_owned()),
    }
}

fn in_sessions(alone: &Turns) {
    for operation in [operations::SESSION, operations::WHOLE] {
        let ratio = alone.ratio(operation.name, operations::BARE.name);
        promise(operation.name, format!("{ratio:.2} x bare"), ratio <= MOST_SESSION, "1.3 x");
    }
    let share = alone.median(operations::CROWD.name) * sessions::FRAMES as f64 / 1e9;
    let figure = format!("{:.1} % of a core", 100.0 * share);
    promise(operations::CROWD.name, figure, share <= 1.0, "one core");
    let bare = sessions::bytes(sessions::Bare::new());
    let [clock, whole] = [false, true].map(|whole| sessions::bytes(sessions::SessionEnds::new(whole)));
    let of = |(first, rest): (usize, f64)| format!("{first} B in 30 s, then {rest:.1} B/s");
    println!("payload of a client and a responder: {}", of(bare));
    for (what, bytes) in [("with the clock only", clock), ("with a world and UTC", whole)] {
        let kept = bytes.0 as f64 <= MOST_BYTES * bare.0 as f64;
        promise(&format!("payload of a session {what}"), of(bytes), kept, "1.5 x bare");
    }
}

fn attacked(effort: &Effort) {
    let turns = Turns::of_runs(sessions::HOSTILE.map(|(name, prepare)| (name, prepare())), effort);
    for (name, _) in sessions::HOSTILE {
        let time = turns.median(name);
        promise(name, format!("{time:.0} ns per datagram"), time <= MOST_HOSTILE, "3 us");
    }
}

fn relayed(effort: &Effort) {
    let (games, slots) = effort.largest;
    for (name, one) in relays::DATAGRAMS {
        let both = [("smallest", relays::at(1, 2, one)), ("largest", relays::at(games, slots, one))];
        let turns = Turns::of_runs(both, effort);
        let [small, large] = ["smallest", "largest"].map(|size| turns.median(size));
        let ratio = turns.ratio("largest", "smallest");
        let figure = format!("{small:.0} ns, {large:.0} ns, {ratio:.2} x");
        let kept = large <= MOST_RELAYED && ratio <= MOST_LARGEST;
        promise(name, figure, kept, "1 us, 10 x the smallest relay");
    }
}

/// Existing handles must not make it slower to create another handle.
fn crowded(effort: &Effort) {
    let create = || Turns::take([operations::CREATE], effort).median(operations::CREATE.name);
    let alone = create();
    let crowd: Vec<_> = (0..CROWD).map(abi::Server::new).collect();
    let beside = create();
    drop(crowd);
    let figure = format!("{beside:.0} ns, {:.2} x alone", beside / alone);
    promise("a handle beside 100,000 others", figure, beside / alone <= MOST_CROWDED, "4 x");
}

fn promises(alone: &Turns) {
    for (read, original) in [
        (operations::C_ABI, operations::ORIGINAL),
        (operations::RUST, operations::ORIGINAL),
        (operations::C_ABI_CHAINED, operations::ORIGINAL_CHAINED),
        (operations::RUST_CHAINED, operations::ORIGINAL_CHAINED),
    ] {
        let ratio = alone.ratio(read.name, original.name);
        promise(read.name, format!("{ratio:.2} x the original"), ratio <= MOST_READ, "1.5 x");
    }
    let ratio = alone.ratio(operations::UNSLEWED.name, operations::ONE_CLOCK.name);
    let figure = format!("{ratio:.2} x the system's clock");
    promise(operations::UNSLEWED.name, figure, ratio <= MOST_CLOCK, "4 x");
    let reply = alone.median(operations::EXCHANGE.name) - alone.median(operations::REQUEST.name);
    promise("a reply handled", format!("{:.2} us", reply / 1e3), reply <= MOST_REPLY, "2 us");
    let polled = alone.median(operations::POLLED.name);
    let figure = format!("{:.2} us", polled / 1e3);
    promise("a reply handled, found by loops", figure, polled <= MOST_POLLED, "10 us");
    let rate = 1e9 / alone.median(operations::ANSWER.name);
    let figure = format!("{:.1} million/s on one core", rate / 1e6);
    promise("requests answered", figure, rate >= LEAST_ANSWERS, "1 million/s");
    for operation in [operations::ANSWER, operations::EXCHANGE, operations::READ] {
        let mut run = (operation.prepare)();
        let made = allocation_counter::measure(|| run(1_000)).count_total;
        promise(operation.name, format!("{made} allocations in 1000"), made == 0, "none");
    }
}

fn promise(what: &str, figure: String, kept: bool, promised: &str) {
    println!("{what:52} {figure:28} {} ({promised})", if kept { "kept" } else { "MISSED" });
}

struct Turns {
    times: Vec<(&'static str, Vec<f64>)>,
}

impl Turns {
    fn take(operations: impl IntoIterator<Item = Operation>, effort: &Effort) -> Self {
        Self::of_runs(operations.into_iter().map(|it| (it.name, (it.prepare)())), effort)
    }

    fn of_runs(runs: impl IntoIterator<Item = (&'static str, Run)>, effort: &Effort) -> Self {
        let of = |(name, mut run): (&'static str, Run)| {
            let batch = batch(&mut run, effort.turn);
            (name, run, batch)
        };
        let mut ready: Vec<(&'static str, Run, u64)> = runs.into_iter().map(of).collect();
        let mut times: Vec<_> =
            ready.iter().map(|(name, ..)| (*name, Vec::with_capacity(effort.turns))).collect();
        for _ in 0..effort.turns {
            for ((_, run, batch), (_, times)) in ready.iter_mut().zip(&mut times) {
                times.push(nanoseconds(|| run(*batch)) / *batch as f64);
            }
        }
        Turns { times }
    }

    fn of(&self, name: &str) -> &[f64] {
        let found = self.times.iter().find(|(known, _)| *known == name);
        &found.unwrap_or_else(|| panic!("{name} was not measured")).1
    }

    fn median(&self, name: &str) -> f64 {
        quantile(self.of(name), 0.5)
    }

    fn ratio(&self, one: &str, other: &str) -> f64 {
        let ratios: Vec<f64> =
            self.of(one).iter().zip(self.of(other)).map(|(one, other)| one / other).collect();
        quantile(&ratios, 0.5)
    }

    fn print(&self) {
        for (name, times) in &self.times {
            let [low, middle, high] = [0.05, 0.5, 0.95].map(|at| quantile(times, at));
            println!("{name:52} {middle:10.2} ns   (5 % {low:.2}, 95 % {high:.2})");
        }
    }
}

fn batch(run: &mut Run, turn: Duration) -> u64 {
    let mut batch = 1;
    loop {
        let taken = nanoseconds(|| run(batch));
        if taken >= turn.as_nanos() as f64 / 2.0 {
            return batch;
        }
        batch *= 2;
    }
}

/// Prints the time that each of several consecutive replies takes. All sessions are identical, so the minimum
/// over the sessions excludes interference.
fn replies(name: &str, session: fn() -> (abi::Client, traffic::Traffic), replies: usize, effort: &Effort) {
    let clock = (0..1000).map(|_| nanoseconds(|| {})).fold(f64::INFINITY, f64::min);
    let mut times = vec![f64::INFINITY; replies];
    for _ in 0..effort.sessions {
        let (client, mut traffic) = session();
        for time in &mut times {
            let exchange = traffic.next();
            let reply = operations::reply(&client.make_request(exchange.sent), exchange);
            let taken = nanoseconds(|| _ = black_box(client.handle_reply(&reply, exchange.arrived)));
            *time = f64::min(*time, taken - clock);
        }
    }
    let [middle, high, most] = [0.5, 0.9, 1.0].map(|at| quantile(&times, at));
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    println!("{name:52} {mean:10.2} ns   (50 % {middle:.0}, 90 % {high:.0}, most {most:.0})");
}

fn nanoseconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_nanos() as f64
}

fn quantile(times: &[f64], at: f64) -> f64 {
    nearest_rank(&sorted(times.iter().copied()), at).unwrap_or(f64::NAN)
}
