use std::net::{Ipv6Addr, SocketAddr};

use parking_lot::Mutex;

use super::runner::{AT_ONCE, BUFFER, Runner, Stop, Work};
use super::shared::{Clock, held};
use super::socket::{Peer, Received, StampedSocket};
use super::waker::Waker;
use super::{NetError, Stamps};
use crate::clock::for_parts::Shared;
use crate::clock::keyed::{KeyError, SessionKey};
use crate::clock::{LocalTime, ServerTime};
use crate::link::{DATAGRAM, Mark, ServerLink, ServerLinkConfig, ServerLinkCounts};
use crate::monotonic_now;

/// Settings for a [`LinkServer`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServeConfig {
    /// Address and port on which to listen. Port 0 selects a free port. `[::]` selects all of the machine's
    /// addresses in both IP versions (on Windows, only IPv4). (default `[::]:0`)
    pub address: SocketAddr,
    /// Settings for the link itself.
    pub link: ServerLinkConfig,
    /// Whether to use the kernel's arrival timestamps, if available. (default true)
    pub kernel_stamps: bool,
    /// Whether to use a separate thread. Without a thread, the caller must call [`poll`](LinkServer::poll).
    /// (default true)
    pub thread: bool,
    /// Whether to leave all replies unmarked. By default, a reply is marked as non-queue-building if its
    /// request was. (default false)
    pub unmarked: bool,
}

impl Default for ServeConfig {
    fn default() -> Self {
        ServeConfig {
            address: (Ipv6Addr::UNSPECIFIED, 0).into(),
            link: ServerLinkConfig::default(),
            kernel_stamps: true,
            thread: true,
            unmarked: false,
        }
    }
}

/// A server's status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServeStatus {
    /// The source of arrival timestamps.
    pub stamps: Stamps,
    /// Whether replies to marked requests are marked.
    pub mark: Mark,
    /// How many datagrams the server has received, by outcome.
    pub counts: ServerLinkCounts,
    /// Number of replies that the system could not send.
    pub unsent: u64,
}

type Desk = Shared<Mutex<(ServerLink, ServeStatus)>>;

struct Answering {
    socket: StampedSocket,
    waker: Waker,
    clock: Clock<ServerTime>,
    desk: Desk,
}

/// Answers link requests on a UDP port until the server is dropped. Any thread may use a server.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use netclock::keyed::SessionKey;
/// use netclock::link::sockets::{ConnectConfig, LinkConnection, LinkServer, ServeConfig};
/// use netclock::{Client, Config, ServerTime};
///
/// let config = ServeConfig { address: "127.0.0.1:0".parse()?, ..ServeConfig::default() };
/// let server = LinkServer::serve(&config, 42, |now| ServerTime::from_ticks(now.ticks()))?;
/// let key = SessionKey::new(1, [7; 16])?; // use a random secret, and send it to the player with the port
/// server.admit(&key)?;
///
/// let client = Arc::new(Mutex::new(Client::new(Config::default(), 7)?)); // the player's client
/// let to = ConnectConfig::to("127.0.0.1", server.address().port());
/// let link = LinkConnection::connect(&to, client, &key, |now| now)?;
/// println!("{:?}", link.status());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LinkServer {
    runner: Runner,
    desk: Desk,
    address: SocketAddr,
}

impl LinkServer {
    /// Opens the socket and starts answering requests. `clock` converts a [`monotonic_now`] time to server
    /// time, and is called twice per datagram. Use the same clock and the same server epoch as for the game's
    /// messages.
    ///
    /// # Errors
    /// Fails if a setting is out of range, or if the system cannot provide the socket, memory or a thread.
    pub fn serve(
        config: &ServeConfig,
        epoch: u64,
        clock: impl Fn(LocalTime) -> ServerTime + Send + 'static,
    ) -> Result<Self, NetError> {
        let link = ServerLink::new(config.link, epoch)?;
        let stop = Stop::new()?;
        let mut socket = StampedSocket::bind(config.address, config.kernel_stamps)?;
        let marks = !config.unmarked && socket.set_marked(true);
        let address = socket.local_address()?;
        let mark = if marks { Mark::On } else { Mark::Off };
        let status = ServeStatus { mark, ..ServeStatus::default() };
        let desk = Shared::new(Mutex::new((link, status)))?;
        let work = Answering { socket, waker: stop.waker.clone(), clock: held(clock)?, desk: desk.clone() };
        let runner = Runner::start(held(work)?, stop, config.thread.then_some("netclock-serve"))?;
        Ok(LinkServer { runner, desk, address })
    }

    /// Returns the address and port on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Calls [`ServerLink::admit`] and returns its errors.
    pub fn admit(&self, key: &SessionKey) -> Result<(), KeyError> {
        self.desk.lock().0.admit(key)
    }

    /// Calls [`ServerLink::revoke`] and returns its errors.
    pub fn revoke(&self, id: u32) -> Result<(), KeyError> {
        self.desk.lock().0.revoke(id)
    }

    /// Calls [`ServerLink::begin_epoch`].
    pub fn begin_epoch(&self, epoch: u64) {
        self.desk.lock().0.begin_epoch(epoch);
    }

    /// Answers received requests. Call this regularly if there is no thread. Returns false if there is a
    /// thread, or after [`stop`](Self::stop).
    pub fn poll(&self) -> bool {
        self.runner.poll()
    }

    /// Returns the current status.
    pub fn status(&self) -> ServeStatus {
        let desk = self.desk.lock();
        ServeStatus { counts: desk.0.counts(), ..desk.1 }
    }

    /// Closes the socket and ends the thread within a few milliseconds. You may call this from any thread.
    /// Later calls have no effect.
    pub fn stop(&self) {
        self.runner.stop();
    }
}

impl Work for Answering {
    fn step(&mut self) {
        let mut buffer = [0; BUFFER];
        for _ in 0..AT_ONCE {
            match self.socket.receive(&mut buffer) {
                Received::Datagram(arrival) => {
                    let received = (self.clock)(arrival.at);
                    self.answer(&buffer[..arrival.length], arrival.from, received, arrival.stamps);
                }
                // An earlier reply caused an ICMP error, usually because the player has left.
                Received::Failed(_) => {}
                Received::Nothing => break,
            }
        }
    }

    fn wait(&self) {
        self.socket.wait(&self.waker, None);
    }
}

impl Answering {
    fn answer(&mut self, datagram: &[u8], from: Peer, received: ServerTime, stamps: Stamps) {
        let mut out = [0; DATAGRAM];
        let mut desk = self.desk.lock();
        // Read the clock after locking, as close to sending as possible. The exchange is useless if the clock
        // was set since the request arrived.
        let sent = (self.clock)(monotonic_now());
        let (link, status) = &mut *desk;
        status.stamps = stamps;
        let Ok(answer) = link.answer(datagram, received, sent, &mut out) else { return };
        if status.mark == Mark::On {
            self.socket.set_marked(answer.is_marked);
        }
        status.unsent += u64::from(self.socket.send_to(&answer, from).is_err());
    }
}
