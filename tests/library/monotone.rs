//! Within an epoch the shown time never goes backwards: of two reads in order, the one whose `now` is not earlier never
//! gives an earlier time. It holds for every order of calls, any hitch, any thread and any stamp of an arrival.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use netclock::timeline::{Rate, Segment, Timeline, TimelineConfig};
use netclock::{
    Cause, Client, Config, Event, LocalTime, Reading, Reply, Request, ServerTime, Span, State, WorldTime,
};

use crate::dice::Dice;
use crate::seed::seed;
use crate::world::SEED;

/// In ticks.
const MS: i64 = 10_000;
const SECOND: i64 = 1_000 * MS;

/// A link and a server. 20 ms each way and up to 15 ms more, or four times as much for a quarter of the messages; 5 % are
/// lost, and the server's rate differs by up to 80 ppm.
struct Net {
    dice: Dice,
    ppm: f64,
    /// Replies under way and when they arrive, the earliest first.
    letters: VecDeque<(i64, Reply)>,
}

impl Net {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let ppm = 160.0 * dice.fraction() - 80.0;
        Net { dice, ppm, letters: VecDeque::new() }
    }

    fn server_at(&self, local: i64) -> ServerTime {
        ServerTime::from_ticks(local + 900 * SECOND + (local as f64 * self.ppm * 1e-6) as i64)
    }

    fn delay(&mut self) -> i64 {
        let times = if self.dice.chance(25) { 4 } else { 1 };
        20 * MS + times * self.dice.below(15 * MS)
    }

    /// The request leaves at `now`, which may be later than it says.
    fn send(&mut self, request: Request, now: i64) {
        let (there, back) = (self.delay(), self.delay());
        if self.dice.chance(5) || self.dice.chance(5) {
            return;
        }
        let stamp = self.server_at(now + there);
        let arrives = now + there + back;
        let at = self.letters.partition_point(|&(other, _)| other <= arrives);
        let reply = Reply { id: request.id, epoch: 1, received: stamp, sent: stamp };
        self.letters.insert(at, (arrives, reply));
    }

    /// The next reply that has arrived by `now`, and when it did.
    fn receive(&mut self, now: i64) -> Option<(i64, Reply)> {
        let has_arrived = self.letters.front().is_some_and(|&(arrives, _)| arrives <= now);
        if has_arrived { self.letters.pop_front() } else { None }
    }
}

/// What was read so far in one epoch: the latest time that was given up to each `now`.
#[derive(Default)]
struct Stairs {
    epoch: u32,
    steps: BTreeMap<i64, i64>,
}

impl Stairs {
    /// The latest time that a read at `now` or before gave.
    fn floor(&self, epoch: u32, now: i64) -> Option<i64> {
        if epoch != self.epoch {
            return None;
        }
        self.steps.range(..=now).next_back().map(|(_, &shown)| shown)
    }

    fn add(&mut self, epoch: u32, now: i64, shown: i64) {
        if epoch != self.epoch {
            *self = Stairs { epoch, steps: BTreeMap::new() };
        }
        if self.floor(epoch, now).is_none_or(|floor| shown > floor) {
            let below: Vec<i64> = self
                .steps
                .range(now..)
                .take_while(|&(_, &later)| later <= shown)
                .map(|(&at, _)| at)
                .collect();
            for at in below {
                self.steps.remove(&at);
            }
            self.steps.insert(now, shown);
        }
    }

    /// Adds a reading, after all that is in here. By how much it is before what was read.
    fn backwards(&mut self, now: i64, reading: &Reading) -> i64 {
        let shown = reading.server_time.ticks();
        if reading.state == State::Unsynced {
            return 0;
        }
        let back = self.floor(reading.epoch, now).map_or(0, |floor| floor - shown);
        self.add(reading.epoch, now, shown);
        back
    }
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
        let reading = client.read(LocalTime::from_ticks(now));
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
fn a_frame_that_reads_before_and_after_it_handles_replies() {
    let (mut seen, first) = (Seen::default(), seed(SEED));
    for seed in first..first + 20 {
        let (mut client, mut net) = (client(seed), Net::new(seed));
        seen.stairs = Stairs::default();
        let (mut now, mut next_hitch) = (SECOND, SECOND);
        while now < 121 * SECOND {
            now += SECOND / 60;
            if now >= next_hitch {
                now += 300 * MS;
                next_hitch += 1_600 * MS;
            }
            seen.read(&client, now);
            while let Some((arrived, reply)) = net.receive(now) {
                client.handle_reply(&reply, LocalTime::from_ticks(arrived)).expect("the server is honest");
            }
            seen.read(&client, now);
            if let Ok(Some(request)) = client.tick(LocalTime::from_ticks(now)) {
                net.send(request, now);
            }
        }
    }
    seen.check("60 fps");
}

#[test]
fn the_first_sync_and_declared_jumps_show_at_once() {
    let mut client = client(seed(SEED));
    let jump = Span::from_secs(100);
    let answer = |client: &mut Client, now: i64, offset: Span| {
        let request = client.make_request(LocalTime::from_ticks(now)).expect("time goes on");
        let stamp = ServerTime::from_ticks(now + 20 * MS) + offset;
        let reply = Reply { id: request.id, epoch: 1, received: stamp, sent: stamp };
        let _refused_while_it_contradicts = client.handle_reply(&reply, LocalTime::from_ticks(now + 40 * MS));
    };
    // No call says what time it is after the reply, and yet it is read.
    let read = |client: &Client, now: i64| client.current_server_time(LocalTime::from_ticks(now));
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
    net: Net,
    seen: Seen,
    /// The present.
    now: i64,
}

impl Game {
    /// Now, or when this thread took the time before it was preempted: mostly lately, and up to 500 ms ago.
    fn stale(&mut self) -> i64 {
        match self.net.dice.below(4) {
            0 => self.now - self.net.dice.below(500 * MS),
            1 => self.now - self.net.dice.below(20 * MS),
            _ => self.now,
        }
    }

    fn step(&mut self) {
        match self.net.dice.below(16) {
            0..=3 => {
                let now = LocalTime::from_ticks(self.stale());
                if let Ok(Some(request)) = self.client.tick(now) {
                    self.net.send(request, self.now);
                }
            }
            4 if self.net.dice.chance(10) => {
                let now = LocalTime::from_ticks(self.stale());
                if let Ok(request) = self.client.make_request(now) {
                    self.net.send(request, self.now);
                }
            }
            5..=8 => {
                if let Some((arrived, reply)) = self.net.receive(self.now) {
                    // Stamped on arrival, or in the frame that handles it.
                    let stamp = if self.net.dice.chance(75) { arrived } else { self.now };
                    let _refused_if_too_slow = self.client.handle_reply(&reply, LocalTime::from_ticks(stamp));
                }
            }
            9 => {
                // A forecast: later reads may differ from it.
                let longest = [100 * MS, SECOND, 3_600 * SECOND][self.net.dice.below(3) as usize];
                let then = self.now + self.net.dice.below(longest);
                self.client.current_server_time(LocalTime::from_ticks(then));
            }
            10 if self.net.dice.chance(5) => {
                // Long ago: the stamp of an input, or a thread that was asleep.
                let then = self.now - self.net.dice.below(60 * SECOND);
                self.seen.read(&self.client, then);
            }
            _ => {
                let now = self.stale();
                self.seen.read(&self.client, now);
            }
        }
        let frame = match self.net.dice.below(1_000) {
            0 => 500 * MS,
            1..=10 => 50 * MS,
            _ => 4 * MS,
        };
        self.now += self.net.dice.below(frame);
    }
}

#[test]
fn any_order_of_calls_with_any_times() {
    let (mut seen, first) = (Seen::default(), seed(SEED));
    for seed in first..first + 40 {
        let (client, net) = (client(seed), Net::new(seed));
        seen.stairs = Stairs::default();
        let mut game = Game { client, net, seen, now: SECOND };
        while game.now < 60 * SECOND {
            game.step();
        }
        assert!(game.client.is_time_synced());
        seen = game.seen;
    }
    seen.check("any order");
}

#[test]
fn a_world_can_be_shown_with_every_reading_in_any_order() {
    let (mut shows, first) = (0, seed(SEED));
    for seed in first..first + 20 {
        let (mut client, mut net) = (client(seed), Net::new(seed));
        let mut world = Timeline::new(TimelineConfig::default()).expect("the settings are valid");
        let segment = Segment {
            server_epoch: 1,
            instance: 1,
            version: 1,
            real: net.server_at(0),
            since: net.server_at(0),
            world: WorldTime::from_ticks(0),
            rate: Rate::ONE,
            tolerance: Span::ZERO,
            through: None,
        };
        world.insert(&segment).expect("the segment is valid");
        let (mut now, mut last, mut late) = (SECOND, None, None);
        let mut show = |reading: &Reading| {
            let shown = world.show(reading).expect("the caller is honest");
            assert!(last.is_none_or(|last| (shown.epoch, shown.world) >= last), "{last:?}, then {shown:?}");
            last = Some((shown.epoch, shown.world));
            shows += 1;
        };
        while now < 121 * SECOND {
            now += if net.dice.chance(1) { 300 * MS } else { SECOND / 60 };
            for reads_again in [true, false] {
                let reading = client.read(LocalTime::from_ticks(now));
                if reading.state != State::Unsynced {
                    show(&reading);
                    // A thread that was preempted between its reading and this.
                    if net.dice.chance(10) {
                        late.replace(reading).iter().for_each(&mut show);
                    }
                }
                if let Some((arrived, reply)) = net.receive(now).filter(|_| reads_again) {
                    client
                        .handle_reply(&reply, LocalTime::from_ticks(arrived))
                        .expect("the server is honest");
                }
            }
            if let Ok(Some(request)) = client.tick(LocalTime::from_ticks(now)) {
                net.send(request, now);
            }
        }
    }
    assert!(shows > 0);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "concurrency is what is tested here")]
fn threads_read_at_fresh_times_while_the_writer_has_an_old_one() {
    let seed = seed(SEED);
    let (mut client, mut net) = (client(seed), Net::new(seed));
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
                        let reading = reader.read(LocalTime::from_ticks(now));
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
            let pause = if net.dice.chance(5) { 500 * MS } else { 20 * MS };
            let end = now + net.dice.below(pause);
            while clock.load(Ordering::Relaxed) < end {
                clock.fetch_add(MS, Ordering::Release);
                thread::yield_now();
            }
            if let Ok(Some(request)) = client.tick(LocalTime::from_ticks(now)) {
                net.send(request, now);
            }
            while let Some((arrived, reply)) = net.receive(now) {
                client.handle_reply(&reply, LocalTime::from_ticks(arrived)).expect("the server is honest");
            }
            clock.fetch_add(MS, Ordering::Release);
        }
        done.store(true, Ordering::Release);
        for reader in readers {
            assert!(reader.join().is_ok_and(|reads| reads > 0));
        }
    });
}
