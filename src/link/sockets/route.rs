//! The way to the server: its name, its addresses, and a socket to one of them.

use std::net::SocketAddr;

use super::resolve::Resolving;
use super::socket::{Received, StampedSocket, is_refusal, wait_without_socket};
use super::waker::Waker;
use super::{ConnectConfig, Stamps};
use crate::clock::for_parts::{OutOfMemory, memory};
use crate::clock::{LocalTime, Span};

/// Time until a name that is unknown, or a network that is down, is tried again.
const RETRY: Span = Span::from_secs(5);

/// What stands in the way of a link, besides silence. See [`LinkStatus`](super::LinkStatus).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trouble {
    /// Nothing.
    #[default]
    None,
    /// The name of the host is looked up.
    Resolving,
    /// The host is unknown: the name is wrong, or there is no name service.
    UnknownHost,
    /// There is no way to the address: no network, no such protocol here, or an address to which the system
    /// sends nothing.
    NoRoute,
    /// The network says that nobody listens at the address and port.
    NobodyListens,
    /// The system does not send: the network is down, or a firewall on this machine forbids it.
    NotSent,
}

impl Trouble {
    /// The trouble in words.
    pub const fn words(self) -> &'static str {
        match self {
            Trouble::None => "none",
            Trouble::Resolving => "the host's name is looked up",
            Trouble::UnknownHost => "the host's name is unknown",
            Trouble::NoRoute => "there is no way to the address",
            Trouble::NobodyListens => "nobody listens at the address and port",
            Trouble::NotSent => "the system does not send",
        }
    }
}

/// Finds the server, and keeps a socket to it.
pub(super) struct Route {
    host: String,
    port: u16,
    uses_kernel: bool,
    waker: Waker,
    resolving: Option<Resolving>,
    /// Addresses that were not tried since the last look-up, the next one last.
    addresses: Vec<SocketAddr>,
    socket: Option<StampedSocket>,
    retry: Option<LocalTime>,
    pub(super) trouble: Trouble,
    pub(super) peer: Option<SocketAddr>,
    pub(super) stamps: Stamps,
}

impl Route {
    /// A way to the server of `config`, whose name may be looked up already.
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
            socket: None,
            retry: None,
            trouble: Trouble::None,
            peer: None,
            stamps: Stamps::None,
        })
    }

    /// Goes on towards a socket. True if there is one.
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

    /// Looks up the host. True if there are addresses.
    fn look_up(&mut self, now: LocalTime) -> bool {
        let (host, port, waker) = (&self.host, self.port, &self.waker);
        let resolving = self.resolving.get_or_insert_with(|| Resolving::begin(host, port, waker.clone()));
        let Some(mut found) = resolving.answer() else {
            self.trouble = Trouble::Resolving;
            return false;
        };
        self.resolving = None;
        if found.is_empty() {
            (self.trouble, self.retry) = (Trouble::UnknownHost, Some(now + RETRY));
        }
        found.reverse();
        self.addresses = found;
        !self.addresses.is_empty()
    }

    /// Opens a socket to the next address that allows it.
    fn open(&mut self, now: LocalTime) -> bool {
        while let Some(address) = self.addresses.pop() {
            if let Ok(socket) = StampedSocket::connect(address, self.uses_kernel) {
                (self.socket, self.peer, self.retry) = (Some(socket), Some(address), None);
                self.trouble = Trouble::None;
                return true;
            }
        }
        (self.trouble, self.retry) = (Trouble::NoRoute, Some(now + RETRY));
        false
    }

    /// The server is silent: it may have another address, or this machine has.
    pub(super) fn renew(&mut self) {
        self.socket = None;
    }

    /// Whether datagrams leave marked from now on. False if the system does not mark them.
    pub(super) fn set_marked(&mut self, is_marked: bool) -> bool {
        self.socket.as_mut().is_none_or(|socket| socket.set_marked(is_marked))
    }

    /// Sends, if there is a socket. What is not sent is lost, as on any network. True if it was sent.
    pub(super) fn send(&mut self, datagram: &[u8]) -> bool {
        let Some(socket) = &self.socket else { return false };
        match socket.send(datagram) {
            Ok(_) => return true,
            Err(error) if is_refusal(&error) => self.trouble = Trouble::NobodyListens,
            Err(_) => self.trouble = Trouble::NotSent,
        }
        false
    }

    /// Takes a datagram that has come: its length, and its arrival.
    pub(super) fn receive(&mut self, buffer: &mut [u8]) -> Option<(usize, LocalTime)> {
        let socket = self.socket.as_mut()?;
        loop {
            match socket.receive(buffer) {
                Received::Datagram(arrival) => {
                    self.stamps = arrival.stamps;
                    return Some((arrival.length, arrival.at));
                }
                Received::Refused => self.trouble = Trouble::NobodyListens,
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
