//! Tests links over a simulated network that loses, delays, duplicates and blocks packets.

mod accuracy;
mod cost;
mod shared_key;

use netclock::keyed::SessionKey;
use netclock::link::{
    ClientLinkConfig, DATAGRAM, LinkState, LinkedClient, Mark, ServerLink, ServerLinkConfig,
};
use netclock::{
    Client, Config, Degradation, Event, LocalTime, Reply, Request, Responder, ServerTime, Span, State,
};
use netclock_sim::Stairs;
use netclock_sim::agenda::Queue;
use netclock_sim::clock::TICKS_PER_S;
use netclock_sim::frames::{FrameConfig, Frames};
use netclock_sim::leg::{Leg, LegConfig};
use netclock_sim::remote::Run;
use netclock_sim::{nearest_rank, sorted};

const EPOCH: u64 = 7;
const OFFSET: Span = Span::from_secs(77);
const STEP: Span = Span::from_millis(1);

enum Parcel {
    Up([u8; DATAGRAM], bool),
    Down([u8; DATAGRAM], bool),
    Request(Request),
    Reply(Reply),
}

#[derive(Clone, Copy)]
pub(crate) struct Net {
    /// The fixed delay in each direction in ms. A random delay with the mean `jitter` is added.
    delay: f64,
    jitter: f64,
    loss: f64,
    udp_blocked: bool,
    mark_dropped: bool,
}

pub(crate) struct LinkSimulation {
    pub(crate) now: LocalTime,
    client: LinkedClient,
    pub(crate) server: ServerLink,
    frames: Option<[Frames; 2]>,
    /// When the client's next frame starts (s).
    turn_s: f64,
    net: Net,
    /// The server's clock. If this clock steps, the bounds may be wrong until the client detects the step.
    run: Run,
    /// The error of the client's timestamps of arriving datagrams.
    stamps_off: Span,
    is_judged: bool,
    shown: Stairs,
    /// Datagrams have their own random generator, so that messages don't affect their losses and delays.
    datagram_leg: Leg,
    message_leg: Leg,
    under_way: Queue<LocalTime, (LocalTime, Parcel)>,
    bytes: usize,
    messages: u64,
    messages_blocked: bool,
    marked: usize,
}

fn seconds(at: LocalTime) -> f64 {
    at.ticks() as f64 / TICKS_PER_S
}

pub(crate) fn key(id: u32) -> SessionKey {
    SessionKey::new(id, [id as u8 | 0x40; 16]).expect("a secret")
}

fn linked(config: Config, key: &SessionKey, seed: u128) -> LinkedClient {
    let client = Client::new(config, seed).expect("fine settings");
    LinkedClient::new(client, key, ClientLinkConfig::default()).expect("there is memory")
}

fn serving(epoch: u64, key: &SessionKey) -> ServerLink {
    let mut server = ServerLink::new(ServerLinkConfig::default(), epoch).expect("fine settings");
    server.admit(key).expect("there is room");
    server
}

impl LinkSimulation {
    pub(crate) fn new(net: Net, frames: Option<(f64, f64)>) -> Self {
        Self::seeded(net, frames, 0.0, 3)
    }

    fn seeded(net: Net, frames: Option<(f64, f64)>, ppm: f64, seed: u64) -> Self {
        let frame = |ms: f64| Span::from_secs_f64(ms / 1e3);
        let config = frames.map_or(Config::default(), |(client, server)| Config {
            client_frame: frame(client),
            server_frame: frame(server),
            ..Config::default()
        });
        let (client, server) = (linked(config, &key(1), seed.into()), serving(EPOCH, &key(1)));
        let now = LocalTime::from_ticks(1_000_000_000);
        let leg = LegConfig::default();
        LinkSimulation {
            now,
            client,
            server,
            frames: frames.map(|(client, server)| {
                [(client, "client"), (server, "server")]
                    .map(|(ms, name)| Frames::new(&FrameConfig::even(1e3 / ms, 0.0), seed, name))
            }),
            turn_s: 0.0,
            net,
            run: Run { epoch: EPOCH, offset: OFFSET, rate_ppb: (ppm * 1e3) as i64, step: 1 },
            stamps_off: Span::ZERO,
            is_judged: true,
            shown: Stairs::default(),
            datagram_leg: Leg::new(&leg, seed, "datagrams"),
            message_leg: Leg::new(&leg, seed, "messages"),
            under_way: Queue::default(),
            bytes: 0,
            messages: 0,
            messages_blocked: false,
            marked: 0,
        }
    }

    fn settled(net: Net) -> Self {
        let mut world = Self::new(net, None);
        world.run(20.0);
        world
    }

    pub(crate) fn truth(&self, at: LocalTime) -> ServerTime {
        self.run.truth(at)
    }

    fn states(&self) -> (LinkState, State) {
        (self.client.state(), self.client.read(self.now).state)
    }

    fn events(&mut self) -> Vec<Event> {
        std::iter::from_fn(|| self.client.next_event()).collect()
    }

    /// A message waits for the receiver's next frame, whereas a datagram is handled at once.
    fn send(&mut self, parcel: Parcel) {
        let is_datagram = matches!(parcel, Parcel::Up(..) | Parcel::Down(..));
        self.bytes += if is_datagram { DATAGRAM } else { 32 };
        let leg = if is_datagram { &mut self.datagram_leg } else { &mut self.message_leg };
        let Net { delay, jitter, loss, udp_blocked, mark_dropped } = self.net;
        leg.config = LegConfig { base_ms: delay, jitter_ms: jitter, loss, ..LegConfig::default() };
        let Some(&at_s) = leg.arrivals(seconds(self.now)).first() else { return };
        let handled_s = match (&parcel, &self.frames) {
            (Parcel::Request(_) | Parcel::Reply(_), _) if self.messages_blocked => return,
            (Parcel::Request(_), Some([_, server])) => server.next(at_s),
            (Parcel::Reply(_), Some([client, _])) => client.next(at_s),
            _ if udp_blocked => return,
            (Parcel::Up(_, true) | Parcel::Down(_, true), _) if mark_dropped => return,
            _ => at_s,
        };
        let handled = LocalTime::from_ticks((handled_s * TICKS_PER_S).ceil() as i64);
        self.under_way.add(handled, (handled, parcel));
    }

    /// Returns the clock's error in us for each millisecond.
    pub(crate) fn run(&mut self, seconds: f64) -> Vec<f64> {
        let end = self.now + Span::from_secs_f64(seconds);
        let mut errors = Vec::new();
        while self.now < end {
            self.now += STEP;
            while let Some((at, parcel)) = self.under_way.next_until(self.now) {
                self.hand_over(at, parcel);
            }
            while let Ok(Some(datagram)) = self.client.due(self.now) {
                let bytes = datagram.bytes.try_into().expect("datagrams have one length");
                let is_marked = datagram.is_marked;
                self.marked += usize::from(is_marked);
                self.send(Parcel::Up(bytes, is_marked));
            }
            self.frame();
            let reading = self.client.read(self.now);
            if reading.state != State::Unsynced {
                let error = reading.server_time - self.truth(self.now);
                let is_inside = error.abs() <= reading.error_bound;
                assert!(is_inside || !self.is_judged, "{error} beyond {}", reading.error_bound);
                let back = self.shown.backwards(self.now.ticks(), &reading);
                assert!(back <= 0, "{back} ticks back: {reading:?}");
                errors.push(error.ticks() as f64 / 10.0);
            }
        }
        errors
    }

    fn frame(&mut self) {
        let Some([client, _]) = self.frames.as_ref().filter(|_| self.turn_s <= seconds(self.now)) else {
            return;
        };
        let begun = LocalTime::from_ticks((self.turn_s * TICKS_PER_S).ceil() as i64);
        self.turn_s = client.next(seconds(self.now) + 1e-9);
        if let Ok(Some(request)) = self.client.tick(begun.max(self.now - STEP)) {
            self.messages += 1;
            self.send(Parcel::Request(request));
        }
    }

    /// `at` is the arrival time, or the start of the frame that read the message.
    fn hand_over(&mut self, at: LocalTime, parcel: Parcel) {
        let (stamp, now) = (self.truth(at), self.truth(self.now));
        match parcel {
            Parcel::Up(bytes, _) => {
                let mut out = [0; DATAGRAM];
                let answer = self.server.answer(&bytes, stamp, now, &mut out);
                if let Ok(is_marked) = answer.map(|answer| answer.is_marked) {
                    self.send(Parcel::Down(out, is_marked));
                }
            }
            Parcel::Down(bytes, _) => {
                let _refused_if_contradicting = self.client.take(&bytes, at + self.stamps_off);
            }
            Parcel::Request(request) => {
                let reply = Responder::new(EPOCH).respond(&request, stamp, stamp).expect("valid stamps");
                self.send(Parcel::Reply(reply));
            }
            Parcel::Reply(reply) => {
                let _refused_if_late = self.client.handle_reply(&reply, at);
            }
        }
    }
}

const LINKED: (LinkState, State) = (LinkState::Linked, State::Synced);
pub(crate) const GOOD: Net =
    Net { delay: 25.0, jitter: 1.0, loss: 0.05, udp_blocked: false, mark_dropped: false };

fn p99(errors: &[f64]) -> f64 {
    nearest_rank(&sorted(errors.iter().map(|error| error.abs())), 0.99).expect("there are readings")
}

#[test]
fn the_mark_is_dropped_within_seconds_if_marked_datagrams_are_lost() {
    for seed in 1..=4 {
        // The network starts to drop marked datagrams immediately, during the burst, or in the steady state.
        for begin in [0.0, 0.3, 200.0] {
            let mut world = LinkSimulation::seeded(GOOD, None, 0.0, seed);
            world.run(begin);
            assert_eq!(world.client.mark(), Mark::On);
            world.net.mark_dropped = true;
            // In the steady state, up to 7 s pass before the client's next request.
            world.run(if begin > 100.0 { 12.0 } else { 6.0 });
            assert_eq!(world.client.mark(), Mark::Dropped, "marks are lost from {begin} s on");
            let marked = world.marked;
            let errors = world.run(20.0);
            assert_eq!((world.client.state(), world.marked), (LinkState::Linked, marked));
            assert!(p99(&errors) < 1_000.0, "{} us", p99(&errors));
            // After a long outage, the client tries the mark again because the path may be new.
            (world.net.mark_dropped, world.net.udp_blocked) = (false, true);
            world.run(20.0);
            world.net.udp_blocked = false;
            world.run(10.0);
            assert_eq!(world.client.mark(), Mark::On, "the mark is off on the new path");
            assert!(world.marked > marked, "{marked} marked datagrams, then {}", world.marked);
        }
        // Packet loss alone must not make the client give up the mark.
        let mut world = LinkSimulation::seeded(Net { loss: 0.1, ..GOOD }, None, 0.0, seed);
        world.run(600.0);
        assert_eq!(world.client.mark(), Mark::On);
    }
}

#[test]
fn messages_replace_blocked_datagrams_until_they_return() {
    let mut world = LinkSimulation::new(GOOD, Some((16.0, 16.0)));
    world.run(30.0);
    assert_eq!(world.client.state(), LinkState::Linked);
    let (rest, asked) = (world.messages, world.client.counts().requests);
    world.run(30.0);
    assert!(world.messages - rest <= 6, "{} messages in 30 s beside a good link", world.messages - rest);
    assert!(world.client.counts().requests > asked);
    world.net.udp_blocked = true;
    // The client detects the outage two seconds after its next request.
    let before = world.messages;
    while world.client.state() != LinkState::Blocked {
        world.run(0.1);
    }
    world.run(1.0);
    assert!(world.messages - before >= 8, "{} messages are not a burst", world.messages - before);
    world.run(60.0);
    assert_eq!(world.states(), (LinkState::Blocked, State::Synced));
    world.net.udp_blocked = false;
    world.run(2.0);
    assert_eq!(world.states(), LINKED);
}

#[test]
fn a_link_is_back_a_second_after_an_outage() {
    for outage in (0..40).map(|step| 20.0 + 1.13 * f64::from(step)) {
        let mut world = LinkSimulation::settled(Net { loss: 0.0, ..GOOD });
        world.net.udp_blocked = true;
        world.run(outage);
        let asked = world.client.counts().requests;
        world.run(30.0);
        assert!((59..=61).contains(&(world.client.counts().requests - asked)), "not two requests a second");
        world.net.udp_blocked = false;
        world.run(1.0);
        assert_eq!(world.states(), LINKED, "{outage} s");
    }
}

#[test]
fn the_link_alone_keeps_a_clock_through_a_restart_of_its_server() {
    // A server that neither counts its restarts nor gets a new key numbers its messages from 1 again.
    for restarts in [1, 0] {
        let mut world = LinkSimulation::settled(GOOD);
        world.server = serving(EPOCH + 1, &key(1).after_restarts(restarts));
        world.run(10.0);
        assert_eq!(world.client.read(world.now).server_epoch, EPOCH + 1);
        assert_eq!((world.states(), world.client.counts().foreign), (LINKED, 0));
        let link = p99(&world.run(10.0));
        assert!(link < 1_000.0, "{link} us");
    }
}

#[test]
fn arrival_stamps_that_jump_by_two_hours_are_rejected() {
    for hours in [2, -2] {
        let mut world = LinkSimulation::settled(GOOD);
        world.events();
        let before = world.client.counts();
        world.stamps_off = Span::from_secs(hours * 3_600);
        // Despite the wrong timestamps, readings must stay within their bounds, and the client must not
        // reject correct times.
        world.run(15.0);
        let after = world.client.counts();
        let events = world.events();
        assert_eq!(events, [Event::Degraded(Degradation::NoReplies)]);
        assert_eq!(after.replies, before.replies);
        assert!(after.refused > before.refused + 1, "{after:?}");
        assert!(after.requests > before.requests + 1, "the link gave up: {after:?}");
        world.stamps_off = Span::ZERO;
        world.run(35.0);
        assert_eq!(world.states(), LINKED);
        assert!(world.client.counts().replies > before.replies);
    }
}

#[test]
fn a_suspended_client_is_linked_again_within_seconds() {
    let mut world = LinkSimulation::settled(GOOD);
    world.now += Span::from_secs(3_600);
    world.under_way = Queue::default();
    world.run(3.0);
    assert_eq!(world.states(), LINKED);
    let errors = world.run(10.0);
    assert!(p99(&errors) < 1_000.0, "{} us", p99(&errors));
}
