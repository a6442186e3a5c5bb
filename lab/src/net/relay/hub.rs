//! The I/O of a relay between peers: one UDP socket, streams, and messages that are held on purpose.
//!
//! Threads read and stamp messages; one loop does everything else. The number of waiting messages is bounded.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::SessionKeys;
use netclock::keyed::SEALED_MOST;
use netclock::link::sockets::{Received, StampedSocket};
use netclock::peer::{MESSAGE_MOST, Relay, RelayConfig};
use netclock::{LocalTime, Span};
use serde::Serialize;

use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;
use crate::net::stream::MessageStream;
use netclock_sim::agenda::Queue;
use netclock_sim::random::Random;

/// Most messages that wait to be handled. When there are more, the threads stop reading.
const MOST_WAITING: usize = 1024;
/// Most messages that are held on purpose before those of strangers are dropped: a flood must not displace
/// peers.
const MOST_OF_STRANGERS: usize = MOST_WAITING / 4;
/// Most streams at once.
const MOST_STREAMS: usize = 256;
/// Addresses to keep before those without a slot are looked for: twice as many as a relay by default has
/// slots.
const MANY_ADDRESSES: usize = 256;
/// Longest time to write a message to a stream; then the stream is closed.
const WRITE_WITHIN: Duration = Duration::from_millis(100);
const LOOK_UP: Span = Span::from_millis(100);
/// Longest wait for a message.
const TURN: Duration = Duration::from_millis(5);

/// Counters of messages.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) received: u64,
    /// Without a seal, or with one that no key of this relay opens.
    pub(crate) unkeyed: u64,
    pub(crate) refused: u64,
    pub(crate) sent: u64,
    pub(crate) streams: u64,
}

enum Incoming {
    Datagram { from: SocketAddr, bytes: Vec<u8>, at: MachineTime },
    Message { connection: u64, bytes: Vec<u8>, at: MachineTime },
    Opened { connection: u64, stream: TcpStream },
    Closed { connection: u64 },
}

/// A held message.
struct Held {
    connection: u64,
    /// The way back of a datagram.
    from: Option<Route>,
    received: MachineTime,
    bytes: Vec<u8>,
}

/// Where the peer of a datagram is, and its session key if the relay asks for keys.
#[derive(Clone, Copy)]
struct Route {
    to: SocketAddr,
    key: Option<u32>,
}

/// A stream.
struct Open {
    stream: TcpStream,
    /// When its last held message is due: the messages of a stream stay in order.
    last_due: Option<MachineTime>,
}

pub(crate) struct Hub {
    relay: Relay,
    /// Peers need one of these, and come by datagrams. Without: anybody may log in.
    keys: Option<SessionKeys>,
    incoming: Receiver<Incoming>,
    socket: UdpSocket,
    /// The ways to peers with a slot.
    routes: HashMap<u64, Route>,
    /// Names addresses without remembering them. Its key is random, so nobody finds two of the same name.
    names: RandomState,
    streams: HashMap<u64, Open>,
    held: Queue<MachineTime, Held>,
    /// How long it holds messages on purpose, least and most (ms).
    hold: (f64, f64),
    random: Random,
    pub(crate) counts: Counts,
}

impl Hub {
    /// Listens at `listen` for datagrams and for streams, and holds each message for a random time.
    ///
    /// # Errors
    /// The address cannot be used, or the configuration is refused.
    pub(crate) fn start(
        listen: SocketAddr,
        config: RelayConfig,
        (hold, seed): ((f64, f64), u64),
        keys: Option<SessionKeys>,
        stop: &Stop,
    ) -> Result<(Self, SocketAddr)> {
        let (sender, incoming) = sync_channel(MOST_WAITING);
        let no_address = "cannot find the relay's address";
        let listener =
            TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen} by TCP"))?;
        let reader = address::bind(listener.local_addr().context(no_address)?)?;
        let bound = reader.local_address().context(no_address)?;
        let writer = reader.socket().try_clone().context("cannot share the relay's socket")?;
        let (to_loop, stop) = (sender.clone(), stop.clone());
        thread::spawn(move || read_datagrams(reader, &to_loop, &stop));
        thread::spawn(move || accept(&listener, &sender));
        let hub = Hub {
            relay: Relay::new(config, crate::net::random_seed()?)?,
            keys,
            incoming,
            socket: writer,
            routes: HashMap::new(),
            names: RandomState::new(),
            streams: HashMap::new(),
            held: Queue::default(),
            hold,
            random: Random::new(seed, "holds"),
            counts: Counts::default(),
        };
        Ok((hub, bound))
    }

    /// Waits a moment for messages, handles them, and sends what is due.
    pub(crate) fn step(&mut self) {
        let due = self.held.next_due().map_or(TURN, |due| {
            Duration::from_secs_f64((due - clock::now()).as_secs_f64().max(0.0)).min(TURN)
        });
        match self.incoming.recv_timeout(due) {
            Ok(incoming) => self.take(incoming),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(TURN),
        }
        // No more at once: in a flood the queue never ends.
        for incoming in self.incoming.try_iter().take(MOST_WAITING).collect::<Vec<_>>() {
            self.take(incoming);
        }
        while let Some(held) = self.held.next_until(clock::now()) {
            let handled = self.relay.receive(held.connection, &held.bytes, local(held.received));
            self.counts.refused += u64::from(handled.is_err());
            // Answers to strangers go out before the next message, since only a few can wait.
            self.keep_route(&held);
            self.send(held.from.map(|from| (held.connection, from)));
        }
        self.send(None);
    }

    /// Keeps the way to a peer with a slot, and to nobody else.
    fn keep_route(&mut self, held: &Held) {
        if let Some(from) = held.from.filter(|_| self.relay.has_slot(held.connection)) {
            self.routes.insert(held.connection, from);
            if self.routes.len() > MANY_ADDRESSES {
                self.routes.retain(|&connection, _| self.relay.has_slot(connection));
            }
        }
    }

    fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Opened { connection, stream } => {
                if self.streams.len() < MOST_STREAMS {
                    self.counts.streams += 1;
                    self.streams.insert(connection, Open { stream, last_due: None });
                }
            }
            Incoming::Closed { connection } => self.close(connection),
            Incoming::Datagram { from, bytes, at } => {
                let Some((key, bytes)) = self.open(bytes) else { return };
                // The number of an address and its key is even; those of streams are odd.
                let connection = self.names.hash_one((from, key)) & !1;
                let from = Some(Route { to: from, key });
                self.hold(Held { connection, from, received: at, bytes });
            }
            Incoming::Message { connection, bytes, at } => {
                self.counts.received += 1;
                if self.keys.is_some() {
                    self.counts.unkeyed += 1;
                    return;
                }
                self.hold(Held { connection, from: None, received: at, bytes });
            }
        }
    }

    /// Opens a message if this relay asks for keys: the key's id, and the message. None: it may not be used.
    fn open(&mut self, bytes: Vec<u8>) -> Option<(Option<u32>, Vec<u8>)> {
        self.counts.received += 1;
        let Some(keys) = &mut self.keys else { return Some((None, bytes)) };
        let opened = keys.open(&bytes).ok().map(|(id, message)| (Some(id), message.to_vec()));
        self.counts.unkeyed += u64::from(opened.is_none());
        opened
    }

    fn hold(&mut self, held: Held) {
        let (least, most) = self.hold;
        let mut due = held.received + Span::from_secs_f64(self.random.between(least, most) * 1e-3);
        if let Some(open) = self.streams.get_mut(&held.connection) {
            due = open.last_due.map_or(due, |last| due.max(last));
            open.last_due = Some(due);
        }
        let room = if self.relay.has_slot(held.connection) { MOST_WAITING } else { MOST_OF_STRANGERS };
        if self.held.count() < room {
            self.held.add(due, held);
        }
    }

    fn close(&mut self, connection: u64) {
        if let Some(Open { stream, .. }) = self.streams.remove(&connection) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
            let _unless_it_has_a_slot = self.relay.disconnect(connection, local(clock::now()));
        }
    }

    /// Sends what is due. An answer to a stranger goes to `asker`: its number, and the way to it.
    fn send(&mut self, asker: Option<(u64, Route)>) {
        let mut message = [0; MESSAGE_MOST];
        while let Ok(Some((connection, size))) = self.relay.next_message(local(clock::now()), &mut message) {
            self.counts.sent += 1;
            let message = &message[..size];
            if let Some(open) = self.streams.get_mut(&connection) {
                if open.stream.write_all(message).is_err() {
                    self.close(connection);
                }
                continue;
            }
            let stranger = asker.filter(|asker| asker.0 == connection).map(|asker| asker.1);
            let route = self.routes.get(&connection).copied().or(stranger);
            let Some(Route { to, key }) = route else { continue };
            if let Some(sealed) = seal(self.keys.as_mut(), key, message) {
                // A datagram that cannot be sent is lost.
                let _ = self.socket.send_to(&sealed, to);
            }
        }
    }
}

/// The message as it goes to the peer with this key: sealed, if the relay asks for keys. None: it cannot be
/// sealed.
fn seal<'a>(keys: Option<&mut SessionKeys>, key: Option<u32>, message: &'a [u8]) -> Option<Cow<'a, [u8]>> {
    let Some(keys) = keys else { return Some(Cow::Borrowed(message)) };
    let mut sealed = [0; SEALED_MOST];
    Some(Cow::Owned(keys.seal(key?, message, &mut sealed).ok()?.to_vec()))
}

fn local(at: MachineTime) -> LocalTime {
    LocalTime::from_ticks(at.ticks())
}

fn read_datagrams(mut socket: StampedSocket, sender: &SyncSender<Incoming>, stop: &Stop) {
    // One byte more than any message, so that longer ones are recognised.
    let mut buffer = [0; SEALED_MOST + 1];
    while !stop.is_set() {
        let Received::Datagram(come) = socket.receive_within(&mut buffer, LOOK_UP) else { continue };
        let (bytes, at) = (buffer[..come.length].to_vec(), clock::machine(come.at));
        if sender.send(Incoming::Datagram { from: come.from, bytes, at }).is_err() {
            return;
        }
    }
}

fn accept(listener: &TcpListener, sender: &SyncSender<Incoming>) {
    let mut number: u64 = 1;
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        let (connection, sender) = (number, sender.clone());
        number += 2;
        let ready = stream.set_nodelay(true).and(stream.set_write_timeout(Some(WRITE_WITHIN)));
        let Ok(writer) = ready.and_then(|()| stream.try_clone()) else { continue };
        if sender.send(Incoming::Opened { connection, stream: writer }).is_err() {
            return;
        }
        thread::spawn(move || {
            let mut stream = MessageStream::new(stream);
            let hand_on = |message: &[u8], at| {
                let message = Incoming::Message { connection, bytes: message.to_vec(), at };
                let _ignored_after_the_end = sender.send(message);
            };
            while stream.read(hand_on) {}
            let _ignored_after_the_end = sender.send(Incoming::Closed { connection });
        });
    }
}
