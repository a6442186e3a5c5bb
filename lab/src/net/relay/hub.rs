//! The I/O of a relay between peers: one UDP socket, streams, and messages that are held on purpose.
//!
//! Threads read and stamp messages; one loop does everything else. The number of waiting messages is bounded.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use netclock::peer::{MESSAGE_MOST, Relay, RelayConfig, StreamReader};
use netclock::{LocalTime, Span};
use serde::Serialize;

use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;
use crate::net::socket::{Received, StampedSocket};
use crate::sim::agenda::Queue;
use crate::sim::random::Random;

/// Most messages that wait to be handled. When there are more, the threads stop reading.
const MOST_WAITING: usize = 1024;
/// Most streams at once.
const MOST_STREAMS: usize = 256;
/// Most addresses of datagrams at once.
const MOST_ADDRESSES: usize = 4096;
/// Longest time to write a message to a stream; then the stream is closed.
const WRITE_WITHIN: Duration = Duration::from_millis(100);
const LOOK_UP: Duration = Duration::from_millis(100);
/// Longest wait for a message.
const TURN: Duration = Duration::from_millis(5);
/// The first bytes of the replies of an exchange.
const SYNCH_REPLY: [u8; 2] = [0, 0x13];

/// How long to hold messages, least and most (ms).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holds {
    /// All messages except replies.
    pub(crate) there: (f64, f64),
    /// Replies.
    pub(crate) back: (f64, f64),
    /// The relay does not report its holds.
    pub(crate) hidden: bool,
}

/// Counters of messages.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) received: u64,
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
    received: MachineTime,
    bytes: Vec<u8>,
}

pub(crate) struct Hub {
    relay: Relay,
    incoming: Receiver<Incoming>,
    socket: Option<UdpSocket>,
    addresses: HashMap<u64, SocketAddr>,
    numbers: HashMap<SocketAddr, u64>,
    streams: HashMap<u64, TcpStream>,
    held: Queue<MachineTime, Held>,
    /// When the last held message of each stream is due: messages of a stream stay in order.
    last_due: HashMap<u64, MachineTime>,
    holds: Holds,
    random: Random,
    number: u64,
    counts: Counts,
}

impl Hub {
    /// Listens at `listen` for datagrams, for streams, or for both on the same port.
    ///
    /// # Errors
    /// The address cannot be used, or the configuration is refused.
    pub(crate) fn start(
        listen: SocketAddr,
        (udp, tcp): (bool, bool),
        config: RelayConfig,
        holds: Holds,
        seed: u64,
        stop: &Stop,
    ) -> Result<(Self, SocketAddr)> {
        let (sender, incoming) = sync_channel(MOST_WAITING);
        let mut bound = listen;
        let mut listener = None;
        if tcp {
            let made =
                TcpListener::bind(bound).with_context(|| format!("cannot listen on {bound} by TCP"))?;
            bound = made.local_addr().context("cannot find the relay's address")?;
            listener = Some(made);
        }
        let socket = if udp { Some(address::bind(bound)?) } else { None };
        if let Some(socket) = &socket {
            bound = socket.local_addr().context("cannot find the relay's address")?;
            let reader = socket.try_clone().context("cannot share the relay's socket")?;
            let reader = StampedSocket::new(reader, LOOK_UP).context("cannot prepare the relay's socket")?;
            let (sender, stop) = (sender.clone(), stop.clone());
            thread::spawn(move || read_datagrams(reader, &sender, &stop));
        }
        if let Some(listener) = listener {
            thread::spawn(move || accept(&listener, &sender));
        }
        let mut key = [0; 16];
        getrandom::fill(&mut key)?;
        let hub = Hub {
            relay: Relay::new(config, u128::from_ne_bytes(key))?,
            incoming,
            socket,
            addresses: HashMap::new(),
            numbers: HashMap::new(),
            streams: HashMap::new(),
            held: Queue::new(),
            last_due: HashMap::new(),
            holds,
            random: Random::new(seed, "holds"),
            number: 0,
            counts: Counts::default(),
        };
        Ok((hub, bound))
    }

    pub(crate) fn counts(&self) -> Counts {
        self.counts
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
        while let Ok(incoming) = self.incoming.try_recv() {
            self.take(incoming);
        }
        while let Some(held) = self.held.next_until(clock::now()) {
            let at = if self.holds.hidden { clock::now() } else { held.received };
            let handled = self.relay.receive(held.connection, &held.bytes, local(at));
            self.counts.refused += u64::from(handled.is_err());
        }
        self.send();
    }

    fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Opened { connection, stream } => {
                if self.streams.len() < MOST_STREAMS {
                    self.counts.streams += 1;
                    self.streams.insert(connection, stream);
                }
            }
            Incoming::Closed { connection } => self.close(connection),
            Incoming::Datagram { from, bytes, at } => {
                let connection = self.connection_of(from);
                self.hold(connection, bytes, at);
            }
            Incoming::Message { connection, bytes, at } => self.hold(connection, bytes, at),
        }
    }

    /// The number of an address: even; those of streams are odd.
    fn connection_of(&mut self, from: SocketAddr) -> u64 {
        if let Some(&known) = self.numbers.get(&from) {
            return known;
        }
        if self.addresses.len() >= MOST_ADDRESSES {
            // A peer that still plays soon sends a message, gets another number, and logs in again.
            self.addresses.clear();
            self.numbers.clear();
        }
        self.number += 1;
        let connection = 2 * self.number;
        self.addresses.insert(connection, from);
        self.numbers.insert(from, connection);
        connection
    }

    fn hold(&mut self, connection: u64, bytes: Vec<u8>, at: MachineTime) {
        self.counts.received += 1;
        let (least, most) = if bytes.starts_with(&SYNCH_REPLY) { self.holds.back } else { self.holds.there };
        let mut due = at + Span::from_secs_f64(self.random.between(least, most) * 1e-3);
        if self.streams.contains_key(&connection) {
            let last = self.last_due.entry(connection).or_insert(due);
            due = due.max(*last);
            *last = due;
        }
        if self.held.len() < MOST_WAITING {
            self.held.add(due, Held { connection, received: at, bytes });
        }
    }

    fn close(&mut self, connection: u64) {
        self.last_due.remove(&connection);
        if let Some(stream) = self.streams.remove(&connection) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
            let _unless_it_has_a_slot = self.relay.disconnect(connection, local(clock::now()));
        }
    }

    fn send(&mut self) {
        let mut message = [0; MESSAGE_MOST];
        while let Ok(Some((connection, size))) = self.relay.next_message(local(clock::now()), &mut message) {
            self.counts.sent += 1;
            if let Some(stream) = self.streams.get_mut(&connection) {
                if stream.write_all(&message[..size]).is_err() {
                    self.close(connection);
                }
            } else if let (Some(socket), Some(to)) = (&self.socket, self.addresses.get(&connection)) {
                // A datagram that cannot be sent is lost.
                let _ = socket.send_to(&message[..size], to);
            }
        }
    }
}

fn local(at: MachineTime) -> LocalTime {
    LocalTime::from_ticks(at.ticks())
}

fn read_datagrams(mut socket: StampedSocket, sender: &SyncSender<Incoming>, stop: &Stop) {
    // One byte more than any message, so that longer ones are recognised.
    let mut buffer = [0; MESSAGE_MOST + 1];
    while !stop.is_set() {
        match socket.receive(&mut buffer) {
            Ok(Received::Datagram { length, from, at }) => {
                let bytes = buffer[..length].to_vec();
                if sender.send(Incoming::Datagram { from, bytes, at }).is_err() {
                    return;
                }
            }
            Ok(Received::Nothing | Received::Refused) => {}
            Err(error) => {
                eprintln!("lab: the relay cannot receive datagrams any more: {error}");
                stop.set();
            }
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
            read_stream(stream, connection, &sender);
            let _ignored_after_the_end = sender.send(Incoming::Closed { connection });
        });
    }
}

fn read_stream(mut stream: TcpStream, connection: u64, sender: &SyncSender<Incoming>) {
    let (mut buffer, mut message, mut frames) = ([0; 4096], [0; MESSAGE_MOST], StreamReader::new());
    while let Ok(length @ 1..) = stream.read(&mut buffer) {
        let at = clock::now();
        let mut rest = &buffer[..length];
        while !rest.is_empty() {
            let Ok(taken) = frames.push(rest) else { return };
            rest = &rest[taken..];
            loop {
                match frames.next_message(&mut message) {
                    Ok(Some(size)) => {
                        let bytes = message[..size].to_vec();
                        if sender.send(Incoming::Message { connection, bytes, at }).is_err() {
                            return;
                        }
                    }
                    Ok(None) => break,
                    Err(_) => return,
                }
            }
        }
    }
}
