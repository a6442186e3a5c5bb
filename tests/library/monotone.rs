//! Within an epoch the shown time never goes backwards: of two reads in order, the one whose `now` is not
//! earlier never gives an earlier time. It holds for every order of calls, any hitch, any thread and any
//! stamp of an arrival.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use netclock::{Cause, Client, Config, Event, Exchange, LocalTime, Reading, Reply, ServerTime, Span, State};
use netclock_sim::leg::LegConfig;
use netclock_sim::measure::stairs::Stairs;
use netclock_sim::pair::SEED;
use netclock_sim::random::{Random, seed};
use netclock_sim::remote::{Remote, Run};

/// In ticks.
const MS: i64 = 10_000;
const SECOND: i64 = 1_000 * MS;

/// 20 ms each way and 7.5 ms more on average, and 45 ms more for a quarter of the messages; 5 % are lost, and
/// the server's rate differs by up to 80 ppm.
fn server(seed: u64) -> Remote {
    let leg = LegConfig {
        base_ms: 20.0,
        jitter_ms: 7.5,
        loss: 0.05,
        reorder: 0.25,
        reorder_ms: 45.0,
        ..LegConfig::default()
    };
    let rate_ppb = Random::new(seed, "rate").below(160_001) - 80_000;
    Remote::new(&[leg.clone(), leg], Run { rate_ppb, ..Run::default() }, seed)
}

fn local(ticks: i64) -> LocalTime {
    LocalTime::from_ticks(ticks)
}

/// What a run saw.
#[derive(Default)]
struct Seen {
    stairs: Stairs,
    reads: u64,
    backwards: u64,
    farthest: i64,
}

impl Seen {
    fn read(&mut self, client: &Client, now: i64) -> Reading {
        let reading = client.read(local(now));
        let back = self.stairs.backwards(now, &reading);
        self.reads += 1;
        self.backwards += u64::from(back > 0);
        self.farthest = self.farthest.max(back);
        reading
    }

    fn check(&self, about: &str) {
        println!("{about}: {} reads, {} went back", self.reads, self.backwards);
        assert!(self.reads > 0);
        assert_eq!(self.backwards, 0, "{about}: up to {} back", Span::from_ticks(self.farthest));
    }
}

fn client(seed: u64) -> Client {
    Client::new(Config::default(), u128::from(seed) << 64 | 1).expect("the settings are valid")
}

#[test]
fn the_first_sync_and_declared_jumps_show_at_once() {
    let mut client = client(seed(SEED));
    let jump = Span::from_secs(100);
    let answer = |client: &mut Client, now: i64, offset: Span| {
        let request = client.make_request(local(now)).expect("time goes on");
        let stamp = ServerTime::from_ticks(now + 20 * MS) + offset;
        let reply = Reply { id: request.id, epoch: 1, received: stamp, sent: stamp, wait: None };
        let _refused_while_it_contradicts = client.handle_reply(&reply, local(now + 40 * MS));
    };
    // No call says what time it is after the reply, and yet it is read.
    let read = |client: &Client, now: i64| client.current_server_time(local(now));
    answer(&mut client, SECOND, Span::ZERO);
    let first = read(&client, SECOND + 40 * MS).expect("it is synced by the first reply");
    assert!((first - ServerTime::from_ticks(SECOND + 40 * MS)).abs() < Span::from_millis(1), "{first:?}");
    for ahead in [jump, Span::ZERO] {
        let begin = if ahead == jump { 2 * SECOND } else { 4 * SECOND };
        while client.next_event().is_some() {}
        // One reply is a suspicion, and the second one proves the step.
        answer(&mut client, begin, ahead);
        let doubted = read(&client, begin + 40 * MS).expect("it is synced");
        answer(&mut client, begin + SECOND, ahead);
        let shown = read(&client, begin + SECOND + 40 * MS).expect("it is synced");
        assert!((shown - doubted - Span::from_secs(1)).abs() > Span::from_secs(99), "{doubted:?}, {shown:?}");
        assert_eq!(client.read(local(begin + SECOND + 40 * MS)).state, State::Synced);
        let truth = ServerTime::from_ticks(begin + SECOND + 40 * MS) + ahead;
        assert!((shown - truth).abs() < Span::from_millis(1), "{shown:?} and not {truth:?}");
        let declared = std::iter::from_fn(|| client.next_event())
            .any(|event| matches!(event, Event::Discontinuity { cause: Cause::ProvenStep, .. }));
        assert!(declared);
    }
}

/// A run of a game whose loop calls in any order, with old and new times.
struct Game {
    client: Client,
    net: Remote,
    random: Random,
    seen: Seen,
    /// The present.
    now: i64,
}

impl Game {
    /// Now, or when this thread took the time before it was preempted: mostly lately, and up to 500 ms ago.
    fn stale(&mut self) -> i64 {
        match self.random.below(4) {
            0 => self.now - self.random.below(500 * MS),
            1 => self.now - self.random.below(20 * MS),
            _ => self.now,
        }
    }

    fn step(&mut self) {
        match self.random.below(16) {
            0..=3 => {
                let now = local(self.stale());
                if let Ok(Some(request)) = self.client.tick(now) {
                    self.net.ask(&request, local(self.now));
                }
            }
            4 if self.random.chance(0.1) => {
                let now = local(self.stale());
                if let Ok(request) = self.client.make_request(now) {
                    self.net.ask(&request, local(self.now));
                }
            }
            5..=8 => {
                if let Some((arrived, reply)) = self.net.next_reply(local(self.now)) {
                    // Stamped on arrival, or in the frame that handles it.
                    let stamp = if self.random.chance(0.75) { arrived } else { local(self.now) };
                    let _refused_if_too_slow = self.client.handle_reply(&reply, stamp);
                }
            }
            9 => {
                // A forecast: later reads may differ from it.
                let longest = [100 * MS, SECOND, 3_600 * SECOND][self.random.below(3) as usize];
                let then = self.now + self.random.below(longest);
                self.client.current_server_time(local(then));
            }
            10 if self.random.chance(0.05) => {
                // Long ago: the stamp of an input, or a thread that was asleep.
                let then = self.now - self.random.below(60 * SECOND);
                self.seen.read(&self.client, then);
            }
            _ => {
                let now = self.stale();
                self.seen.read(&self.client, now);
            }
        }
        let frame = match self.random.below(1_000) {
            0 => 500 * MS,
            1..=10 => 50 * MS,
            _ => 4 * MS,
        };
        self.now += self.random.below(frame);
    }
}

#[test]
fn any_order_of_calls_with_any_times() {
    let (mut seen, first) = (Seen::default(), seed(SEED));
    for seed in first..first + 40 {
        seen.stairs = Stairs::default();
        let (client, net, random) = (client(seed), server(seed), Random::new(seed, "calls"));
        let mut game = Game { client, net, random, seen, now: SECOND };
        while game.now < 60 * SECOND {
            game.step();
        }
        assert!(game.client.is_time_synced());
        seen = game.seen;
    }
    seen.check("any order");
}

/// Hands in a reply by one of the three calls, stamped on arrival.
fn hand_in(client: &mut Client, way: i64, reply: &Reply, sent: LocalTime, arrived: LocalTime) {
    let exchange = Exchange::from_stamps(sent, reply.received, reply.sent, arrived);
    let _refused_if_too_slow = match way {
        0 => client.handle_reply(reply, arrived).is_ok(),
        1 => client.handle_exchange(&exchange, None).is_ok(),
        _ => client.update_server_time(reply.sent, arrived, exchange.round_trip()),
    };
}

#[test]
fn a_reply_that_waited_out_a_hang_is_no_news_of_a_clock() {
    let (mut seen, first) = (Seen::default(), seed(SEED));
    for seed in first..first + 60 {
        let (mut client, mut net) = (client(seed), server(seed));
        let (mut random, mut sent) = (Random::new(seed, "hangs"), HashMap::new());
        seen.stairs = Stairs::default();
        let mut now = SECOND;
        while now < 300 * SECOND {
            now += SECOND / 60 + random.below(5 * MS);
            if random.chance(0.004) {
                now += SECOND + random.below(8 * SECOND);
            }
            for _ in 0..3 {
                match random.below(3) {
                    0 => drop(seen.read(&client, now)),
                    1 => {
                        if let Ok(Some(request)) = client.tick(local(now)) {
                            sent.insert(request.id, local(now));
                            net.ask(&request, local(now));
                        }
                    }
                    _ => {
                        while let Some((arrived, reply)) = net.next_reply(local(now)) {
                            let way = if seed % 4 == 3 { random.below(3) } else { (seed % 4) as i64 };
                            hand_in(&mut client, way, &reply, sent[&reply.id], arrived);
                        }
                    }
                }
                // Time passes within a frame, too.
                now += random.below(2 * MS);
            }
            while let Some(event) = client.next_event() {
                let is_false =
                    matches!(event, Event::Discontinuity { cause: Cause::LocalStep | Cause::ProvenStep, .. });
                assert!(!is_false, "seed {seed}, {} s: no clock stepped: {event:?}", now / SECOND);
            }
        }
    }
    seen.check("hangs");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "concurrency is what is tested here")]
fn threads_read_at_fresh_times_while_the_writer_has_an_old_one() {
    let seed = seed(SEED);
    let (mut client, mut net) = (client(seed), server(seed));
    let mut random = Random::new(seed, "pauses");
    let (clock, done) = (AtomicI64::new(SECOND), AtomicBool::new(false));
    let seen = Mutex::new(Stairs::default());
    thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let (reader, clock, done, seen) = (client.reader(), &clock, &done, &seen);
                scope.spawn(move || {
                    let mut reads = 0_u64;
                    while !done.load(Ordering::Acquire) {
                        // What is in here was read before.
                        let before = seen.lock().unwrap_or_else(PoisonError::into_inner);
                        let now = clock.load(Ordering::Acquire);
                        let (epoch, floor) = (before.epoch, before.floor(before.epoch, now));
                        drop(before);
                        let reading = reader.read(local(now));
                        if reading.state == State::Unsynced {
                            continue;
                        }
                        let shown = reading.server_time.ticks();
                        let back = floor.filter(|_| epoch == reading.epoch).map_or(0, |floor| floor - shown);
                        assert!(back <= 0, "{} back at {now}", Span::from_ticks(back));
                        seen.lock().unwrap_or_else(PoisonError::into_inner).add(reading.epoch, now, shown);
                        reads += 1;
                    }
                    reads
                })
            })
            .collect();
        while clock.load(Ordering::Relaxed) < 600 * SECOND
            && !readers.iter().any(|reader| reader.is_finished())
        {
            let now = clock.load(Ordering::Relaxed);
            // Preempted between taking the time and using it, while all others go on.
            let pause = if random.chance(0.05) { 500 * MS } else { 20 * MS };
            let end = now + random.below(pause);
            while clock.load(Ordering::Relaxed) < end {
                clock.fetch_add(MS, Ordering::Release);
                thread::yield_now();
            }
            if let Ok(Some(request)) = client.tick(local(now)) {
                net.ask(&request, local(now));
            }
            while let Some((arrived, reply)) = net.next_reply(local(now)) {
                client.handle_reply(&reply, arrived).expect("the server is honest");
            }
            clock.fetch_add(MS, Ordering::Release);
        }
        done.store(true, Ordering::Release);
        for reader in readers {
            assert!(reader.join().is_ok_and(|reads| reads > 0));
        }
    });
}

/// Instants outside the valid range are refused by every read. Near the ends of 64 bits a difference wraps.
#[test]
fn instants_out_of_range_are_read_by_nobody() {
    let most = netclock::MAX_INSTANT_TICKS;
    for origin in [-most, -most + 77, -1, most - 3_000_000_000, most - 300_000_000] {
        let mut client = Client::new(Config::default(), 1).expect("the default is valid");
        let (reader, responder) = (client.reader(), netclock::Responder::new(9));
        for step in 0..200 {
            let now = LocalTime::from_ticks(origin + step * 1_000_000);
            if let Some(request) = client.tick(now).expect("in order") {
                // The server's clock is far from the local one.
                let stamp = ServerTime::from_ticks(-origin / 2 + step * 1_000_000 + 50_000);
                let reply = responder.respond(&request, stamp, stamp).expect("in range");
                client.handle_reply(&reply, now + Span::from_millis(10)).expect("it fits");
            }
        }
        let end = LocalTime::from_ticks(origin + 200_000_000);
        assert!(reader.current_server_time(end).is_some());
        // Reads near the end raise the horizon.
        let last = reader.current_server_time(LocalTime::from_ticks(most)).expect("the last valid instant");
        let ends = [i64::MIN, i64::MIN + 77, -most - 1, most + 1, most + 100_000, i64::MAX - 77, i64::MAX];
        for now in ends.map(LocalTime::from_ticks) {
            assert_eq!(reader.current_server_time(now), None, "{origin}: {now:?}");
            let reading = reader.read(now);
            assert_eq!((reading.state, reading.error_bound), (State::Unsynced, Span::MAX));
            assert_eq!(client.current_server_time(now), None);
            assert!(client.tick(now).is_err(), "{origin}: {now:?}");
        }
        assert_eq!(reader.local_time_at(ServerTime::from_ticks(i64::MIN)), None);
        assert!(last >= reader.current_server_time(end).expect("as before"));
    }
}
