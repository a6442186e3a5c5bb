//! The router between the two namespaces. Each packet is forwarded to the other device when it is due.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use netclock::TICKS_PER_SECOND;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike};

use super::device::{MTU, run_in_real_time};
use super::packet::{self, Port, UDP};
use super::pipe::{Pipe, Ticks};
use super::plan::{self, Incident, Row};
use crate::net::clock;
use crate::net::lifetime::Stop;

const LONGEST_WAIT: Ticks = TICKS_PER_SECOND / 10;
const FIRST_S: i64 = 30;
const AT_REST_S: i64 = 120;
const FIRST_PORT: u16 = 20_000;
const PORTS: u16 = 30_000;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passed {
    pub(super) first_bytes: u64,
    pub(super) rest_bytes: u64,
    /// The time from the end of the blockage to the first packet from the server.
    pub(super) back_s: Option<f64>,
}

pub(super) struct Middle {
    row: Row,
    /// The machine time at which the clocks started, or `i64::MAX` until then.
    begin: AtomicI64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    passed: HashMap<u16, Passed>,
    nat: Nat,
}

#[derive(Default)]
struct Nat {
    outside: HashMap<u16, u16>,
    inside: HashMap<u16, u16>,
    forgotten: i64,
}

impl Nat {
    fn forget(&mut self, times: i64) {
        if times > self.forgotten {
            *self = Nat { forgotten: times, ..Nat::default() };
        }
    }

    fn out(&mut self, inside: u16) -> u16 {
        if let Some(&known) = self.outside.get(&inside) {
            return known;
        }
        // Without a source of random numbers, ports are consecutive, which is harmless here.
        let start = getrandom::u32().unwrap_or(0) as u16;
        let candidates = (0..PORTS).map(|turn| FIRST_PORT + start.wrapping_add(turn) % PORTS);
        let free = candidates.into_iter().find(|port| !self.inside.contains_key(port)).unwrap_or(FIRST_PORT);
        self.outside.insert(inside, free);
        self.inside.insert(free, inside);
        free
    }
}

impl Middle {
    pub(super) fn new(row: &Row) -> Arc<Self> {
        let begin = AtomicI64::new(i64::MAX);
        Arc::new(Middle { row: *row, begin, state: Mutex::default() })
    }

    pub(super) fn begin(&self, at: Ticks) {
        self.begin.store(at, Ordering::Relaxed);
    }

    pub(super) fn passed(&self, port: u16) -> Passed {
        self.state().passed.get(&port).copied().unwrap_or_default()
    }

    pub(super) fn start(self: &Arc<Self>, client: File, server: File, stop: &Stop) -> [JoinHandle<()>; 2] {
        let devices = Arc::new((client, server));
        [true, false].map(|is_up| {
            let (middle, devices, stop) = (self.clone(), devices.clone(), stop.clone());
            thread::spawn(move || {
                if let Err(error) = run_in_real_time() {
                    eprintln!("lab: the path has no real-time priority: {error}");
                }
                let (client, server) = &*devices;
                let (from, to) = if is_up { (client, server) } else { (server, client) };
                middle.carry(is_up, from, to, &stop);
            })
        })
    }

    fn carry(&self, is_up: bool, mut from: &File, mut to: &File, stop: &Stop) {
        let mut pipe = Pipe::new(if is_up { self.row.up } else { self.row.down });
        let mut buffer = [0; MTU];
        while !stop.is_set() {
            while let Ok(length) = from.read(&mut buffer) {
                let now = clock::now().ticks();
                let packet = &mut buffer[..length];
                pipe.send(now, self.longer_ms(now, is_up));
                if let Some(queue) = self.pass(now, is_up, packet) {
                    pipe.take(now, packet.to_vec(), queue);
                }
            }
            let now = clock::now().ticks();
            pipe.send(now, self.longer_ms(now, is_up));
            while let Some(packet) = pipe.arrived(clock::now().ticks()) {
                // A packet that the device does not accept counts as lost.
                let _ = to.write(&packet);
            }
            let wait =
                pipe.due().map_or(LONGEST_WAIT, |due| due - clock::now().ticks()).clamp(0, LONGEST_WAIT);
            let timeout = TimeSpec::nanoseconds(wait * 100);
            let _ = ppoll(&mut [PollFd::new(from.as_fd(), PollFlags::POLLIN)], Some(timeout), None);
        }
    }

    /// Returns `None` if the packet is dropped. If there is a NAT, this also changes the packet's port.
    fn pass(&self, now: Ticks, is_up: bool, packet: &mut [u8]) -> Option<usize> {
        if !packet::is_ipv4(packet) {
            return None;
        }
        let seconds = self.seconds(now);
        let is_udp = packet[9] == UDP;
        let is_marked = packet::is_marked(packet);
        let servers_port = packet::port(packet, if is_up { Port::Destination } else { Port::Source });
        let mut state = self.state();
        if let Some(port) = servers_port {
            state.passed.entry(port).or_default().count(seconds, packet.len() as u64);
        }
        match self.row.incident {
            Incident::Blocked if is_udp => {
                let blocked_s = if is_up { plan::BLOCKED_UP_S } else { plan::BLOCKED_DOWN_S };
                if blocked_s.contains(&seconds) {
                    return None;
                }
                if let (false, true, Some(port)) = (is_up, seconds >= blocked_s.end, servers_port) {
                    let passed = state.passed.entry(port).or_default();
                    passed.back_s.get_or_insert(seconds - blocked_s.end);
                }
            }
            Incident::MarkDropped if is_marked && seconds >= plan::MARK_DROPPED_FROM_S => return None,
            Incident::NatForgets => {
                state.nat.forget((seconds / plan::NAT_FORGETS_EVERY_S) as i64);
                if is_up {
                    if let Some(inside) = packet::port(packet, Port::Source) {
                        packet::set_port(packet, Port::Source, state.nat.out(inside));
                    }
                } else if let Some(outside) = packet::port(packet, Port::Destination) {
                    packet::set_port(packet, Port::Destination, *state.nat.inside.get(&outside)?);
                }
            }
            _ => {}
        }
        Some(usize::from(is_marked && self.row.incident == Incident::TwoQueues))
    }

    fn longer_ms(&self, now: Ticks, is_up: bool) -> i64 {
        let is_changed = is_up && self.row.incident == Incident::Route;
        if is_changed && plan::ROUTE_S.contains(&self.seconds(now)) { plan::LONGER_MS } else { 0 }
    }

    fn seconds(&self, now: Ticks) -> f64 {
        now.saturating_sub(self.begin.load(Ordering::Relaxed)) as f64 / TICKS_PER_SECOND as f64
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Passed {
    fn count(&mut self, seconds: f64, bytes: u64) {
        self.first_bytes += if seconds < FIRST_S as f64 { bytes } else { 0 };
        self.rest_bytes += if seconds >= AT_REST_S as f64 { bytes } else { 0 };
    }

    /// Returns bytes per second, or `None` if the run is too short.
    pub(super) fn rest_rate(&self, seconds: i64) -> Option<f64> {
        (seconds > AT_REST_S).then(|| self.rest_bytes as f64 / (seconds - AT_REST_S) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nat_mappings_are_unique_and_change_when_dropped() {
        let mut nat = Nat::default();
        let ports: Vec<u16> = (1..200).map(|inside| nat.out(inside)).collect();
        for (inside, outside) in (1..200).zip(&ports) {
            assert_eq!((nat.out(inside), nat.inside[outside]), (*outside, inside));
        }
        nat.forget(0);
        assert_eq!(nat.out(1), ports[0]);
        nat.forget(1);
        assert!(nat.inside.is_empty());
        assert!(nat.outside.is_empty());
    }
}
