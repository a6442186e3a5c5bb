//! Defines the measured operations, each of which can run any number of times.

use std::hint::black_box;
use std::sync::Arc;
use std::thread;

use netclock::keyed::{Channel, SEALED_MOST, SealedChannel, SessionKey};
use netclock::link::{DATAGRAM, ServerLink, ServerLinkConfig};
use netclock::watch::RateWatch;
use netclock::{Config, Direction, LocalTime, Reader, ServerTime, Span};
use netclock_original::{
    Original, original_current_server_time, original_nothing, original_update_server_time,
};

use crate::abi;
use crate::sessions;
use crate::traffic::{Exchange, TO_STEADY_STATE, Traffic};

pub(crate) type Run = Box<dyn FnMut(u64)>;

#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) prepare: fn() -> Run,
    /// Set if the operation uses other threads, because its instruction counts are then meaningless.
    pub(crate) concurrent: bool,
}

const fn operation(name: &'static str, prepare: fn() -> Run) -> Operation {
    Operation { name, prepare, concurrent: false }
}

const fn concurrent(name: &'static str, prepare: fn() -> Run) -> Operation {
    Operation { name, prepare, concurrent: true }
}

pub(crate) const ORIGINAL: Operation = operation("server time: original, C++", || {
    let original = original(&settled());
    reads(move |now| original_current_server_time(&original, now))
});
pub(crate) const C_ABI: Operation = operation("server time: C ABI", || {
    let client = client(&settled());
    reads(move |now| client.current_server_time(now))
});
pub(crate) const RUST: Operation = operation("server time: Rust, inlined", || {
    let reader = reader(&settled());
    reads(move |now| current(&reader, now))
});
pub(crate) const ORIGINAL_CHAINED: Operation = operation("chained server time: original, C++", || {
    let original = original(&settled());
    chained_reads(move |now| original_current_server_time(&original, now))
});
pub(crate) const C_ABI_CHAINED: Operation = operation("chained server time: C ABI", || {
    let client = client(&settled());
    chained_reads(move |now| client.current_server_time(now))
});
pub(crate) const RUST_CHAINED: Operation = operation("chained server time: Rust, inlined", || {
    let reader = reader(&settled());
    chained_reads(move |now| current(&reader, now))
});
pub(crate) const READ: Operation = operation("whole reading: C ABI", || {
    let client = client(&settled());
    reads(move |now| client.read(now).server_time)
});
pub(crate) const REQUEST: Operation = operation("request: C ABI", || {
    let (client, mut traffic) = steady();
    each(move |_| client.make_request(black_box(traffic.next().sent)))
});
pub(crate) const EXCHANGE: Operation = operation("request and its reply: C ABI", || {
    let (client, mut traffic) = steady();
    each(move |_| exchange(&client, black_box(traffic.next())))
});
pub(crate) const POLLED: Operation = operation("request and its reply, found by 60 Hz loops: Rust", || {
    let frame = Span::from_secs_f64(1.0 / 60.0);
    let config = Config { server_frame: frame, client_frame: frame, ..Config::default() };
    let (mut client, mut traffic) = (netclock::Client::new(config, 1).expect("valid"), Traffic::new());
    let mut exchange = move || {
        let Exchange { sent, server, arrived } = traffic.next();
        let found = |at: i64| (at / frame.ticks() + 1) * frame.ticks();
        exchange_in_rust(&mut client, Exchange { sent, server: found(server), arrived: found(arrived) });
    };
    (0..TO_STEADY_STATE).for_each(|_| exchange());
    each(move |_| exchange())
});
pub(crate) const ANSWER: Operation = operation("request answered, from datagram to datagram: C ABI", || {
    let server = abi::Server::new(EPOCH);
    // Use many clients, because a single client's data would stay in the cache.
    let requests: Vec<_> = (0..256).map(|id| abi::encode(&abi::request(id, 1_000 * id as i64))).collect();
    each(move |i| {
        let received = FIRST_READ + i as i64;
        server.answer(black_box(&requests[i as usize % 256]), received, received + 50)
    })
});

#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "this measures the cost of a clock")]
pub(crate) const ONE_CLOCK: Operation =
    operation("the system's monotonic clock: Rust", || each(|_| std::time::Instant::now()));
pub(crate) const UNSLEWED: Operation = operation("unslewed clock: C ABI", || each(|_| abi::monotonic_now()));

pub(crate) const BARE: Operation =
    operation("request and its reply, both ends: Rust", || sessions::exchanges(sessions::Bare::new()));
pub(crate) const SESSION: Operation = operation("the same through host and guest: Rust", || {
    sessions::exchanges(sessions::SessionEnds::new(false))
});
pub(crate) const WHOLE: Operation = operation("the same with a world and UTC: Rust", || {
    sessions::exchanges(sessions::SessionEnds::new(true))
});
pub(crate) const CROWD: Operation = operation("a frame of a host with 10,000 players: Rust", sessions::crowd);

pub(crate) const CREATE: Operation =
    operation("a server created and destroyed: C ABI", || each(|_| abi::Server::new(black_box(EPOCH))));

fn link_server() -> (ServerLink, Vec<SealedChannel>) {
    let config = ServerLinkConfig { capacity: 1_000, ..ServerLinkConfig::default() };
    let (mut server, mut channels) = (ServerLink::new(config, EPOCH).expect("valid"), Vec::new());
    for id in 0..1_000 {
        let key = SessionKey::new(id, [id as u8 | 1; 16]).expect("a secret");
        channels.push(SealedChannel::new(&key, Channel::Link, Direction::ToServer));
        server.admit(&key).expect("there is room");
    }
    (server, channels)
}

/// The operations that the summary compares have their own constants.
pub(crate) const ALL: [Operation; 29] = [
    operation("an empty call into C++", || {
        let original = original(&settled());
        reads(move |now| original_nothing(&original, now))
    }),
    ORIGINAL,
    C_ABI,
    RUST,
    ORIGINAL_CHAINED,
    C_ABI_CHAINED,
    RUST_CHAINED,
    READ,
    operation("whole reading: Rust", || {
        let reader = reader(&settled());
        reads(move |now| reader.read(LocalTime::from_ticks(now)).error_bound.ticks())
    }),
    operation("local time at: C ABI", || {
        let client = client(&settled());
        let ahead = client.current_server_time(FIRST_READ) - FIRST_READ;
        reads(move |now| client.local_time_at(now + ahead))
    }),
    concurrent("server time under a writer: C ABI", || {
        let client = under_a_writer();
        reads(move |now| client.current_server_time(now))
    }),
    concurrent("whole reading under a writer: C ABI", || {
        let client = under_a_writer();
        reads(move |now| client.read(now).server_time)
    }),
    operation("tick with nothing due: C ABI", || {
        let mut traffic = Traffic::new();
        let client = abi::Client::new();
        (0..20).for_each(|_| exchange(&client, traffic.next()));
        let now = traffic.next().sent;
        client.make_request(now);
        each(move |_| client.tick(black_box(now)))
    }),
    REQUEST,
    EXCHANGE,
    POLLED,
    ANSWER,
    operation("report to one of 10,000 rate watches: Rust", || {
        let mut watches: Vec<_> = (0..PLAYERS).map(|_| RateWatch::default()).collect();
        let mut count = 0;
        each(move |_| {
            // Each player sends a report every second, and its message is delayed by up to 25 ms.
            let (player, second) = ((count % PLAYERS) as usize, (count / PLAYERS) as i64);
            let sent = second * SECOND + player as i64 * 1_000;
            let arrived = ServerTime::from_ticks(sent + 300_000 + (count * 7_919 % 250_000) as i64);
            let heard = Some(ServerTime::from_ticks(sent - 400_000));
            count += 1;
            watches[player].report(LocalTime::from_ticks(black_box(sent)), arrived, heard)
        })
    }),
    operation("request sealed with a session key: Rust", || {
        let key = SessionKey::new(7, [9; 16]).expect("a secret");
        let mut channel = SealedChannel::new(&key, Channel::Messages, Direction::ToServer);
        let mut out = [0; SEALED_MOST];
        each(move |_| {
            black_box(channel.seal(black_box(&[7; 32]), &mut out)).ok();
        })
    }),
    operation("forged seal of one of 1,000 sessions rejected: Rust", || {
        let (mut server, mut channels) = link_server();
        let (now, mut out) = (ServerTime::from_ticks(0), [0; DATAGRAM]);
        let forged = |channel: &mut SealedChannel| {
            let mut request = channel.seal(&[7; 32], &mut [0; SEALED_MOST]).expect("it fits").to_vec();
            request[8] ^= 1;
            request
        };
        let requests: Vec<_> = channels.iter_mut().map(forged).collect();
        each(move |i| {
            let request = black_box(&requests[i as usize * 617 % 1_000]);
            black_box(server.answer(request, now, now, &mut out)).ok();
        })
    }),
    operation("forged reply rejected: C ABI", || {
        let (client, mut traffic) = steady();
        let exchange = traffic.next();
        client.make_request(exchange.sent);
        each(move |id| {
            let forged = abi::reply(id, EPOCH, exchange.server);
            client.handle_reply(black_box(&forged), exchange.arrived)
        })
    }),
    operation("garbage rejected as a request: Rust", || {
        let mut garbage = [7; 32];
        each(move |i| {
            garbage[0] = i as u8;
            netclock::wire::decode_request(black_box(&garbage))
        })
    }),
    BARE,
    SESSION,
    WHOLE,
    CROWD,
    CREATE,
    ONE_CLOCK,
    UNSLEWED,
];

const PLAYERS: u64 = 10_000;
pub(crate) const SECOND: i64 = 10_000_000;

pub(crate) const EPOCH: u64 = 77;

/// The local time of the first read (ticks). The last reply arrives at this time.
const FIRST_READ: i64 = 1_000_000_000_000;

/// The time between reads at 64 frames per second (ticks). 256 frames last as long as the interval between
/// exchanges (4 s), so a game has the same share of reads during a slew.
const FRAME: i64 = 156_250;
const FRAMES: u64 = 256;

pub(crate) fn each<T>(mut one: impl FnMut(u64) -> T + 'static) -> Run {
    Box::new(move |times| {
        for i in 0..times {
            black_box(one(i));
        }
    })
}

fn reads(read: impl Fn(i64) -> i64 + 'static) -> Run {
    each(move |i| read(black_box(FIRST_READ + (i % FRAMES) as i64 * FRAME)))
}

/// Like [`reads`], except that each read has to wait for the previous one.
fn chained_reads(read: impl Fn(i64) -> i64 + 'static) -> Run {
    Box::new(move |times| {
        let mut last = black_box(0);
        for i in 0..times {
            // The sign bit of the server time is always zero, but the processor has to wait for it.
            last = black_box(read(FIRST_READ + (i % FRAMES) as i64 * FRAME + (last >> 63)));
        }
    })
}

#[inline]
fn current(reader: &Reader, now: i64) -> i64 {
    reader.current_server_time(LocalTime::from_ticks(now)).map_or(0, ServerTime::ticks)
}

/// A short session whose last exchange arrives at [`FIRST_READ`].
fn settled() -> Vec<Exchange> {
    let mut traffic = Traffic::new();
    let mut exchanges: Vec<_> = (0..20).map(|_| traffic.next()).collect();
    let shift = FIRST_READ - exchanges.last().map_or(0, |exchange| exchange.arrived);
    for exchange in &mut exchanges {
        exchange.sent += shift;
        exchange.server += shift;
        exchange.arrived += shift;
    }
    exchanges
}

fn original(exchanges: &[Exchange]) -> Original {
    let mut original = Original::default();
    for exchange in exchanges {
        let round_trip = exchange.round_trip();
        original_update_server_time(&mut original, exchange.server, exchange.arrived, round_trip);
    }
    assert!(original_current_server_time(&original, FIRST_READ) > 0, "it is synced");
    original
}

fn client(exchanges: &[Exchange]) -> abi::Client {
    let client = abi::Client::new();
    exchanges.iter().for_each(|&each| exchange(&client, each));
    client
}

fn reader(exchanges: &[Exchange]) -> Reader {
    let mut client = netclock::Client::new(Config::default(), 1).expect("the default is valid");
    exchanges.iter().for_each(|&each| exchange_in_rust(&mut client, each));
    client.reader()
}

pub(crate) fn fresh() -> (abi::Client, Traffic) {
    (abi::Client::new(), Traffic::new())
}

pub(crate) fn steady() -> (abi::Client, Traffic) {
    let (client, mut traffic) = fresh();
    (0..TO_STEADY_STATE).for_each(|_| exchange(&client, traffic.next()));
    (client, traffic)
}

pub(crate) fn reply(request: &abi::Request, exchange: Exchange) -> abi::Reply {
    abi::reply(request.id, EPOCH, exchange.server)
}

fn exchange(client: &abi::Client, exchange: Exchange) {
    let request = client.make_request(exchange.sent);
    let status = client.handle_reply(&reply(&request, exchange), exchange.arrived);
    assert_eq!(status, 0, "a reply that agrees with the others");
}

fn exchange_in_rust(client: &mut netclock::Client, exchange: Exchange) {
    let id = client.make_request(LocalTime::from_ticks(exchange.sent)).expect("time is monotonic").id;
    let server = ServerTime::from_ticks(exchange.server);
    let reply = netclock::Reply { id, epoch: EPOCH, received: server, sent: server, wait: None };
    let handled = client.handle_reply(&reply, LocalTime::from_ticks(exchange.arrived));
    handled.expect("a reply that agrees with the others");
}

/// Until this client is dropped, another thread publishes as often as the client allows.
#[expect(clippy::disallowed_methods, reason = "this measures reading next to a writer")]
fn under_a_writer() -> Arc<abi::Client> {
    let client = Arc::new(client(&settled()));
    let ahead = client.current_server_time(FIRST_READ) - FIRST_READ;
    let writer = Arc::clone(&client);
    thread::spawn(move || {
        let mut now = FIRST_READ;
        while Arc::strong_count(&writer) > 1 {
            // Exchanges are one tick apart, so few of them open a block and the client mostly publishes.
            now += 1;
            let status = writer.update_server_time(now + ahead - 250_000, now, 500_000);
            debug_assert_eq!(status, 0);
        }
    });
    client
}
