//! Resolves the server's name and opens a socket to one of its addresses.

use std::net::SocketAddr;

use super::resolve::{Resolving, resolve};
use super::socket::{Received, StampedSocket, wait_without_socket};
use super::trouble::Trouble;
use super::waker::Waker;
use super::{ConnectConfig, Stamps};
use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{LocalTime, Span};

const RETRY: Span = Span::from_secs(5);

/// In the first round, each address but the last gets at most half a second, and together they get at most
/// this time. Each later round takes twice as long, for slow paths.
const OTHERS: Span = Span::from_millis(1_500);
const ROUNDS: u32 = 3;

pub(super) struct Route {
    host: String,
    port: u16,
    uses_kernel: bool,
    waker: Waker,
    resolving: Option<Resolving>,
    /// The addresses still to be tried from the latest lookup, in reverse order.
    addresses: Vec<SocketAddr>,
    found: usize,
    rounds: u32,
    socket: Option<StampedSocket>,
    opened: LocalTime,
    retry: Option<LocalTime>,
    pub(super) trouble: Trouble,
    pub(super) peer: Option<SocketAddr>,
    pub(super) stamps: Stamps,
}

impl Route {
    pub(super) fn new(
        config: &ConnectConfig,
        waker: Waker,
        resolving: Option<Resolving>,
    ) -> Result<Self, OutOfMemory> {
        Ok(Route {
            host: memory::text(&config.host)?,
            port: config.port,
            uses_kernel: config.kernel_stamps,
            waker,
            resolving,
            addresses: Vec::new(),
            found: 0,
            rounds: 0,
            socket: None,
            opened: LocalTime::from_ticks(0),
            retry: None,
            trouble: Trouble::None,
            peer: None,
            stamps: Stamps::None,
        })
    }

    pub(super) fn advance(&mut self, now: LocalTime) -> bool {
        if self.socket.is_some() {
            return true;
        }
        if self.retry.is_some_and(|retry| now < retry) {
            return false;
        }
        if self.addresses.is_empty() && !self.look_up(now) {
            return false;
        }
        self.open(now)
    }

    fn look_up(&mut self, now: LocalTime) -> bool {
        let (host, port, waker) = (&self.host, self.port, &self.waker);
        let resolving = self.resolving.get_or_insert_with(|| resolve(host, port, waker.clone()));
        let answer = resolving.lock().take();
        let Some(mut found) = answer else {
            self.trouble = Trouble::Resolving;
            return false;
        };
        self.resolving = None;
        if found.is_empty() {
            (self.trouble, self.retry) = (Trouble::UnknownHost, Some(now + RETRY));
        }
        found.reverse();
        (self.found, self.rounds) = (found.len(), (self.rounds + 1).min(ROUNDS));
        self.addresses = found;
        !self.addresses.is_empty()
    }

    fn open(&mut self, now: LocalTime) -> bool {
        while let Some(address) = self.addresses.pop() {
            match StampedSocket::connect(address, self.uses_kernel) {
                Ok(socket) => {
                    (self.socket, self.peer, self.retry) = (Some(socket), Some(address), None);
                    (self.trouble, self.opened) = (Trouble::None, now);
                    return true;
                }
                Err(error) => self.trouble = Trouble::of_opening(&error),
            }
        }
        self.retry = Some(now + RETRY);
        false
    }

    /// Closes the socket after a silence, because the server or this machine may have a new address.
    pub(super) fn renew(&mut self) {
        self.socket = None;
    }

    pub(super) fn answered(&mut self) {
        (self.trouble, self.rounds) = (Trouble::None, 0);
    }

    pub(super) fn begins_another_round(&self) -> bool {
        self.found > 1 && self.rounds < ROUNDS
    }

    pub(super) fn next_address(&self) -> Option<LocalTime> {
        let others = self.found.checked_sub(1)?.max(3) as i64;
        let patience = Span::from_ticks((OTHERS.ticks() / others) << self.rounds.saturating_sub(1));
        let is_hopeless = !matches!(self.trouble, Trouble::None | Trouble::Resolving);
        let until = if is_hopeless { self.opened } else { self.opened + patience };
        (self.socket.is_some() && !self.addresses.is_empty()).then_some(until)
    }

    pub(super) fn set_marked(&mut self, is_marked: bool) -> bool {
        self.socket.as_mut().is_none_or(|socket| socket.set_marked(is_marked))
    }

    /// Returns false if the system did not send the datagram, which then counts as lost.
    pub(super) fn send(&mut self, datagram: &[u8]) -> bool {
        let Some(socket) = &self.socket else { return false };
        // Try twice, because the first error may be about an earlier datagram.
        for _ in 0..2 {
            let Err(error) = socket.send(datagram) else { return true };
            self.trouble = match Trouble::of_network(&error) {
                Trouble::None => Trouble::NotSent,
                trouble => trouble,
            };
        }
        false
    }

    pub(super) fn receive(&mut self, buffer: &mut [u8]) -> Option<(usize, LocalTime)> {
        let socket = self.socket.as_mut()?;
        loop {
            match socket.receive(buffer) {
                Received::Datagram(arrival) => {
                    self.stamps = arrival.stamps;
                    return Some((arrival.length, arrival.at));
                }
                Received::Failed(trouble) => self.trouble = trouble,
                Received::Nothing => return None,
            }
        }
    }

    pub(super) fn wait(&self, until: LocalTime) {
        match &self.socket {
            Some(socket) => socket.wait(&self.waker, Some(until)),
            None => wait_without_socket(&self.waker, Some(until)),
        }
    }
}
