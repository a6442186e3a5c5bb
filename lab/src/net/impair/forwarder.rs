//! Forwards UDP between a server and up to 64 clients, with impairments in both directions.
//!
//! One thread receives from all clients, one thread per client receives from the server, and one thread
//! sends. The sending thread sleeps until shortly before a datagram is due and then spins. Datagrams
//! therefore leave within tens of microseconds of their due times.

use std::collections::HashMap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netclock::Span;
use netclock::link::sockets::{Received, StampedSocket};
use serde::Serialize;

use super::impairment::Impairment;
use super::leg::{Fate, Leg, Played};
use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;
use netclock_sim::agenda::Queue;

/// The sender spins for this long before a datagram is due, because threads may wake up late.
const SPIN: Span = Span::from_micros(150);
const LOOK_UP: Span = Span::from_millis(100);
/// The maximum number of datagrams in flight, which keeps a flood from exhausting the memory.
const MOST_ON_THE_WAY: usize = 20_000;
const MOST_CLIENTS: usize = 64;
const FORGET_AFTER: Span = Span::from_secs(60);
const BUFFER: usize = 65_536;

const UP: usize = 0;
const DOWN: usize = 1;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    pub(crate) received: u64,
    pub(crate) sent: u64,
    pub(crate) lost: u64,
    pub(crate) dropped: u64,
    pub(crate) copied: u64,
}

pub(crate) struct Forwarder {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

struct Parcel {
    way: usize,
    socket: Arc<UdpSocket>,
    to: Option<SocketAddr>,
    bytes: Box<[u8]>,
}

struct State {
    on_the_way: Queue<MachineTime, Parcel>,
    ways: [(Leg, Counts); 2],
    played: Option<Played>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    stop: Stop,
    server: SocketAddr,
    /// Sends to the clients.
    sender: Arc<UdpSocket>,
}

struct Flow {
    upstream: Arc<UdpSocket>,
    last_received: AtomicI64,
}

impl Forwarder {
    pub(crate) fn start(
        listen: SocketAddr,
        server: SocketAddr,
        (up, down): (Impairment, Impairment),
        played: Option<Played>,
        seed: u64,
        stop: &Stop,
    ) -> Result<Self> {
        let front = address::bind(listen)?;
        let address = front.local_address().context("cannot find the forwarder's address")?;
        let sender = Arc::new(front.socket().try_clone().context("cannot share the forwarder's socket")?);
        let state = State {
            on_the_way: Queue::default(),
            ways: [(up, "up"), (down, "down")]
                .map(|(way, name)| (Leg::new(way, seed, name), Counts::default())),
            played,
        };
        let (state, changed, stop) = (Mutex::new(state), Condvar::new(), stop.clone());
        let shared = Arc::new(Shared { state, changed, stop, server, sender });
        let (sending, receiving) = (shared.clone(), shared.clone());
        thread::spawn(move || sending.send_due());
        thread::spawn(move || {
            if let Err(error) = receiving.receive_from_clients(front) {
                eprintln!("lab: the forwarder can no longer receive: {error:#}");
                receiving.stop.set();
            }
        });
        Ok(Forwarder { address, shared })
    }

    pub(crate) fn command(&self, line: &str) -> Result<()> {
        let (direction, changes) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let ways = match direction {
            "up" => UP..=UP,
            "down" => DOWN..=DOWN,
            "both" => UP..=DOWN,
            _ => {
                bail!("`{line}`: a command is `up`, `down` or `both` and the changes, such as `up delay=65`")
            }
        };
        let mut state = self.shared.lock();
        for (leg, _) in &mut state.ways[ways] {
            leg.change(leg.settings.with(changes)?);
        }
        Ok(())
    }

    pub(crate) fn status(&self) -> [(Impairment, Counts); 2] {
        self.shared.lock().ways.each_ref().map(|(leg, counts)| (leg.settings, *counts))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(
        &self,
        way: usize,
        at: MachineTime,
        bytes: &[u8],
        socket: &Arc<UdpSocket>,
        to: Option<SocketAddr>,
    ) {
        let mut state = self.lock();
        let full = state.on_the_way.count() >= MOST_ON_THE_WAY;
        let recorded = state.played.as_mut().map_or([0.0; 2], |played| played.delays(at).into());
        let (leg, counts) = &mut state.ways[way];
        counts.received += 1;
        let fate = if full { Fate::Dropped } else { leg.pass(at, bytes.len()) };
        match fate.after(recorded[way]) {
            Fate::Lost => counts.lost += 1,
            Fate::Dropped => counts.dropped += 1,
            Fate::Arrives { at, copy } => {
                counts.copied += u64::from(copy.is_some());
                for due in [Some(at), copy].into_iter().flatten() {
                    let (socket, bytes) = (socket.clone(), bytes.into());
                    state.on_the_way.add(due, Parcel { way, socket, to, bytes });
                }
                self.changed.notify_one();
            }
        }
    }

    fn send_due(&self) {
        let mut state = self.lock();
        while !self.stop.is_set() {
            let now = clock::now();
            let left = state.on_the_way.next_due().map(|due| due - now);
            match left {
                Some(left) if left <= Span::ZERO => {
                    let Some(parcel) = state.on_the_way.next_until(now) else { continue };
                    state.ways[parcel.way].1.sent += 1;
                    drop(state);
                    // Datagrams that cannot be sent count as lost.
                    let _ = match parcel.to {
                        Some(to) => parcel.socket.send_to(&parcel.bytes, to),
                        None => parcel.socket.send(&parcel.bytes),
                    };
                    state = self.lock();
                }
                Some(left) if left <= SPIN => {
                    drop(state);
                    std::hint::spin_loop();
                    state = self.lock();
                }
                _ => {
                    let sleep = left.map_or(LOOK_UP, |left| (left - SPIN).min(LOOK_UP));
                    let sleep = Duration::from_secs_f64(sleep.as_secs_f64());
                    let waited = self.changed.wait_timeout(state, sleep);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    fn receive_from_clients(self: &Arc<Self>, mut front: StampedSocket) -> Result<()> {
        let mut flows: HashMap<SocketAddr, Arc<Flow>> = HashMap::new();
        let mut buffer = vec![0; BUFFER];
        while !self.stop.is_set() {
            let Received::Datagram(come) = front.receive_within(&mut buffer, LOOK_UP) else { continue };
            let (from, at) = (come.from.address, clock::machine(come.at));
            if !flows.get(&from).is_some_and(|flow| flow.is_alive(at)) {
                flows.retain(|_, flow| flow.is_alive(at));
                if flows.len() >= MOST_CLIENTS {
                    self.lock().ways[UP].1.dropped += 1;
                    continue;
                }
                flows.insert(from, self.open_flow(from, at)?);
            }
            if let Some(flow) = flows.get(&from) {
                flow.last_received.store(at.ticks(), Ordering::Relaxed);
                self.take(UP, at, &buffer[..come.length], &flow.upstream, None);
            }
        }
        Ok(())
    }

    fn open_flow(self: &Arc<Self>, client: SocketAddr, now: MachineTime) -> Result<Arc<Flow>> {
        let socket = address::connect(self.server)?;
        let upstream = Arc::new(socket.socket().try_clone()?);
        let flow = Arc::new(Flow { upstream, last_received: AtomicI64::new(now.ticks()) });
        let (shared, watched) = (self.clone(), flow.clone());
        thread::spawn(move || shared.receive_from_server(socket, client, &watched));
        Ok(flow)
    }

    fn receive_from_server(&self, mut socket: StampedSocket, client: SocketAddr, flow: &Flow) {
        let mut buffer = vec![0; BUFFER];
        while !self.stop.is_set() && flow.is_alive(clock::now()) {
            if let Received::Datagram(come) = socket.receive_within(&mut buffer, LOOK_UP) {
                let bytes = &buffer[..come.length];
                self.take(DOWN, clock::machine(come.at), bytes, &self.sender, Some(client));
            }
        }
    }
}

impl Flow {
    fn is_alive(&self, now: MachineTime) -> bool {
        now - MachineTime::from_ticks(self.last_received.load(Ordering::Relaxed)) < FORGET_AFTER
    }
}
