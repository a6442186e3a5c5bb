//! Compares the time and traffic of a host and its guests with those of a client and a responder.

use std::hint::black_box;

use netclock::session::{Guest, GuestConfig, Host, HostConfig};
use netclock::timeline::Rate;
use netclock::{
    Client, Config, LocalTime, Request, RequestId, Responder, ServerTime, Span, UtcTime, WorldTime, wire,
};

use crate::operations::{EPOCH, Run, SECOND, each};
use crate::traffic::{TO_STEADY_STATE, Traffic};

const PLAYER: u64 = 1;

/// Each of the large host's players sends a request every 4 s. `FRAMES` is the host's frame rate.
pub(crate) const PLAYERS: u64 = 10_000;
pub(crate) const FRAMES: u64 = 60;
/// The number of requests that arrive between two frames.
const A_FRAME: u64 = PLAYERS / 4 / FRAMES + 1;

pub(crate) trait Ends {
    /// Runs a frame and returns the bytes sent in both directions. Requests arrive at `server`, and replies
    /// at `back`.
    fn frame(&mut self, now: LocalTime, server: ServerTime, back: LocalTime) -> usize;
}

pub(crate) struct Bare(Client, Responder);

impl Bare {
    pub(crate) fn new() -> Self {
        Bare(Client::new(Config::default(), 7).expect("the default is valid"), Responder::new(EPOCH))
    }
}

impl Ends for Bare {
    fn frame(&mut self, now: LocalTime, server: ServerTime, back: LocalTime) -> usize {
        let Bare(client, responder) = self;
        let Some(request) = client.tick(now).expect("in order") else { return 0 };
        let datagram = wire::encode_request(&request).expect("it is valid");
        let received = wire::decode_request(black_box(&datagram)).expect("it is whole");
        let reply = responder.respond(&received, server, server).expect("in order").found_after(server);
        let datagram = wire::encode_reply(&reply).expect("it is valid");
        let _ = client.polled(back);
        let reply = wire::decode_reply(black_box(&datagram)).expect("it is whole");
        client.handle_reply(&reply, back).expect("the reply agrees with the others");
        2 * wire::SIZE
    }
}

pub(crate) struct SessionEnds {
    host: Host,
    guest: Guest,
    is_whole: bool,
}

impl SessionEnds {
    pub(crate) fn new(is_whole: bool) -> Self {
        SessionEnds { host: host_of_one(), guest: guest(), is_whole }
    }
}

fn guest() -> Guest {
    Guest::new(GuestConfig::default(), 7).expect("the default is valid")
}

fn host_of_one() -> Host {
    let mut host = Host::new(HostConfig::default(), EPOCH, 8).expect("the default is valid");
    host.admit(PLAYER, None).expect("there is room");
    host
}

impl Ends for SessionEnds {
    fn frame(&mut self, now: LocalTime, server: ServerTime, back: LocalTime) -> usize {
        if self.is_whole {
            observe(&mut self.host, server);
        }
        let mut bytes = 0;
        while let Some((datagram, _)) = self.guest.next(now).expect("in order") {
            bytes += datagram.len();
            let _ = self.host.polled(server);
            self.host.receive(PLAYER, black_box(datagram), server).expect("it is whole");
        }
        while let Some((_, datagram, _)) = self.host.next(server) {
            bytes += datagram.len();
            let _ = self.guest.polled(back);
            self.guest.receive(black_box(datagram), back).expect("it is whole");
        }
        bytes
    }
}

fn observe(host: &mut Host, now: ServerTime) {
    host.observe(0, now, WorldTime::from_ticks(now.ticks()), Rate::ONE).expect("in order");
    let utc = UtcTime::from_ticks(17_000_000_000_000_000 + now.ticks());
    host.observe_utc(now, utc, Some(Span::ZERO)).expect("in order");
}

pub(crate) fn exchanges(mut ends: impl Ends + 'static) -> Run {
    let mut traffic = Traffic::new();
    let mut one = move || {
        loop {
            let exchange = traffic.next();
            let [now, back] = [exchange.sent, exchange.arrived].map(LocalTime::from_ticks);
            let bytes = ends.frame(now, ServerTime::from_ticks(exchange.server), back);
            if bytes > 0 {
                return bytes;
            }
        }
    };
    for _ in 0..TO_STEADY_STATE {
        one();
    }
    each(move |_| one())
}

/// Returns the number of bytes in the first half minute, and the bytes per second in the steady state. A
/// round trip takes 50 ms, which is less than a frame, so each reply arrives before the next frame.
pub(crate) fn bytes(mut ends: impl Ends) -> (usize, f64) {
    const REST_FROM_S: i64 = 600;
    const REST_S: i64 = 600;
    const A_SECOND: i64 = 16;
    let (mut first, mut rest) = (0, 0);
    for frame in 0..(REST_FROM_S + REST_S) * A_SECOND {
        let now = frame * SECOND / A_SECOND;
        let [local, back] = [now, now + SECOND / 20].map(LocalTime::from_ticks);
        let bytes = ends.frame(local, ServerTime::from_ticks(now + SECOND / 40), back);
        match now / SECOND {
            0..30 => first += bytes,
            REST_FROM_S.. => rest += bytes,
            _ => {}
        }
    }
    (first, rest as f64 / REST_S as f64)
}

/// Measures a host's frames after all [`PLAYERS`] have received the host's complete state. Each frame handles
/// the requests since the previous frame and sends all due datagrams.
pub(crate) fn crowd() -> Run {
    let config = HostConfig { capacity: PLAYERS as u32, ..HostConfig::default() };
    let (mut host, mut guest) = (Host::new(config, EPOCH, 8).expect("valid"), guest());
    (0..PLAYERS).for_each(|player| host.admit(player, None).expect("there is room"));
    let mut now = ServerTime::from_ticks(SECOND);
    observe(&mut host, now);
    // All players send copies of one guest's datagrams until that guest has confirmed the changes.
    for _ in 0..4 {
        now += Span::from_millis(50);
        let local = LocalTime::from_ticks(now.ticks());
        while let Some((datagram, _)) = guest.next(local).expect("in order") {
            (0..PLAYERS).for_each(|player| host.receive(player, datagram, now).expect("it is whole"));
        }
        while let Some((player, datagram, _)) = host.next(now) {
            if player == PLAYER {
                guest.receive(datagram, local).expect("it is whole");
            }
        }
    }
    assert!((0..PLAYERS).all(|player| host.is_up_to_date(player) == Ok(true)));
    let mut asked = 0;
    each(move |_| {
        now += Span::from_ticks(SECOND / FRAMES as i64);
        observe(&mut host, now);
        for _ in 0..A_FRAME {
            asked += 1;
            let datagram = request(asked, now.ticks() - SECOND / 40);
            host.receive(asked % PLAYERS, black_box(&datagram), now).expect("it is whole");
        }
        send_all(&mut host, now);
    })
}

fn request(id: u64, client_time: i64) -> [u8; wire::SIZE] {
    let request =
        Request { id: RequestId(id), client_time: LocalTime::from_ticks(client_time), reliable: false };
    wire::encode_request(&request).expect("it is valid")
}

fn send_all(host: &mut Host, now: ServerTime) {
    while let Some(sent) = host.next(now) {
        black_box(sent);
    }
}

type Named = (&'static str, fn() -> Run);

/// The hostile datagrams that take the other end longest to handle and answer.
pub(crate) const HOSTILE: [Named; 3] = [
    ("a guest that asks a host for everything", || at_host(|_| 7)),
    ("a guest that keeps connecting to a host", || at_host(|turn| turn)),
    ("a host that forges updates to a guest", at_guest),
];

/// Handles datagrams from a guest that never gets a reply. `session` returns the session number to use.
fn at_host(session: fn(u64) -> u64) -> Run {
    let mut host = host_of_one();
    observe(&mut host, ServerTime::from_ticks(0));
    let mut turn = 0;
    each(move |_| {
        turn += 1;
        let now = ServerTime::from_ticks(turn as i64 * SECOND / 1_000);
        let mut datagram = [0; 60];
        datagram[..4].copy_from_slice(b"NK\x01\x14");
        datagram[4..12].copy_from_slice(&session(turn).to_be_bytes());
        datagram[12..14].copy_from_slice(&[2, 12]);
        datagram[26..28].copy_from_slice(&[1, 32]);
        datagram[28..].copy_from_slice(&request(turn, now.ticks()));
        host.receive(PLAYER, black_box(&datagram), now).expect("it is whole");
        send_all(&mut host, now);
    })
}

fn at_guest() -> Run {
    let (mut host, mut guest) = (host_of_one(), guest());
    let start = ServerTime::from_ticks(0);
    observe(&mut host, start);
    let (asked, _) = guest.next(LocalTime::from_ticks(0)).expect("in order").expect("a guest starts");
    host.receive(PLAYER, asked, start).expect("it is whole");
    let mut update = host.next(start).expect("a host answers").1.to_vec();
    let mut turn = 0;
    each(move |_| {
        turn += 1;
        let now = LocalTime::from_ticks(i64::from(turn) * SECOND / 1_000);
        update[18..22].copy_from_slice(&u32::to_be_bytes(turn));
        guest.receive(black_box(&update), now).expect("it is whole");
        while let Some(sent) = guest.next(now).expect("in order") {
            black_box(sent);
        }
    })
}
