//! The path: requests at a steady pace, and what becomes of them.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::Result;
use netclock::net::{Received, StampedSocket, is_refusal};
use netclock::{Client, Config, LocalTime, Reading, RequestId, Span, wire};
use serde::Serialize;

use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;
use crate::recording::Recorded;

/// Time between requests: 20 a second, 1.3 kB/s each way.
const APART: Span = Span::from_millis(50);
/// How long the socket waits for a reply at a time.
const WAIT: Span = Span::from_millis(5);
/// A reply that takes longer is lost.
const PATIENCE: Span = Span::from_secs(1);
/// Without any reply the test ends after this time.
const SILENCE: Span = Span::from_secs(4);
/// How long a TCP connection may take to show that the host is there.
const KNOCK: Duration = Duration::from_secs(1);
/// The largest datagram that is looked at.
const BUFFER: usize = 2048;

/// What was found about the path.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Path {
    pub(super) requests: usize,
    /// Requests that were answered.
    pub(super) answered: usize,
    /// Replies to requests that had been answered.
    pub(super) copies: usize,
    /// Replies that a reply to a later request had overtaken.
    pub(super) overtaken: usize,
    /// Datagrams that are no replies of NetClock.
    pub(super) strange: usize,
    /// How often the network said that nobody listens there.
    pub(super) refused: usize,
    /// The host answers by TCP, or refuses to: it is there. Only looked for if nothing else was heard.
    pub(super) is_host_there: bool,
}

impl Path {
    /// Share of the requests without an answer.
    pub(super) fn loss(&self) -> f64 {
        1.0 - self.answered as f64 / self.requests.max(1) as f64
    }
}

/// A path that was tried.
pub(super) struct Tried {
    pub(super) path: Path,
    pub(super) recorded: Vec<Recorded>,
    /// The clock at the end, if it was synchronised.
    pub(super) reading: Option<Reading>,
}

/// Sends requests for `length`, or until there is no sense in it, and waits for their replies.
///
/// # Errors
/// The socket fails.
pub(super) fn try_path(server: SocketAddr, length: Span, seed: u128, stop: &Stop) -> Result<Tried> {
    let mut trial = Trial {
        socket: address::connect(server)?,
        client: Client::new(Config::default(), seed)?,
        sent: Vec::new(),
        newest: 0,
        path: Path::default(),
        recorded: Vec::new(),
    };
    let start = clock::now();
    let mut due = start;
    while !stop.is_set() {
        let age = clock::now() - start;
        let is_silent = trial.path.answered == 0 && age > SILENCE.min(length);
        let is_over = age > length + PATIENCE || trial.is_complete() && age > length;
        if is_silent || is_over {
            break;
        }
        if clock::now() >= due && age <= length {
            due += APART;
            trial.send()?;
        }
        trial.receive();
    }
    if trial.path.answered == 0 && trial.path.refused == 0 {
        let knock = TcpStream::connect_timeout(&server, KNOCK);
        trial.path.is_host_there = knock.map_or_else(|error| is_refusal(&error), |_| true);
    }
    let reading = trial.client.is_time_synced().then(|| trial.client.read(local(clock::now())));
    Ok(Tried { path: trial.path, recorded: trial.recorded, reading })
}

fn local(machine: MachineTime) -> LocalTime {
    LocalTime::from_ticks(machine.ticks())
}

struct Trial {
    socket: StampedSocket,
    client: Client,
    /// The requests, and whether they were answered.
    sent: Vec<(RequestId, bool)>,
    /// One more than the index of the newest request that was answered.
    newest: usize,
    path: Path,
    recorded: Vec<Recorded>,
}

impl Trial {
    fn is_complete(&self) -> bool {
        self.path.answered == self.sent.len()
    }

    fn send(&mut self) -> Result<()> {
        let request = self.client.make_request(local(clock::now()))?;
        let datagram = wire::encode_request(&request)?;
        match self.socket.send(&datagram) {
            // The error belongs to an earlier request. For the path this one is lost.
            Err(error) if is_refusal(&error) => self.path.refused += 1,
            _ => {}
        }
        self.sent.push((request.id, false));
        self.path.requests += 1;
        Ok(())
    }

    fn receive(&mut self) {
        let mut buffer = [0; BUFFER];
        let mut received = self.socket.receive_within(&mut buffer, WAIT);
        loop {
            match received {
                Received::Nothing => return,
                Received::Refused => self.path.refused += 1,
                Received::Datagram(come) => self.take(&buffer[..come.length], come.at),
            }
            received = self.socket.receive(&mut buffer);
        }
    }

    fn take(&mut self, bytes: &[u8], at: LocalTime) {
        let Ok(reply) = wire::decode_reply(bytes) else {
            self.path.strange += 1;
            return;
        };
        self.note(reply.id);
        // The client may refuse it, for example a copy. The sample says so.
        let _ = self.client.handle_reply(&reply, at);
        if let Some(&sample) = self.client.last_sample() {
            self.recorded.push(Recorded { line: self.recorded.len() + 3, sample });
        }
    }

    /// Counts a reply.
    fn note(&mut self, id: RequestId) {
        let Some(index) = self.sent.iter().rposition(|sent| sent.0 == id) else {
            self.path.strange += 1;
            return;
        };
        if std::mem::replace(&mut self.sent[index].1, true) {
            self.path.copies += 1;
            return;
        }
        self.path.answered += 1;
        self.path.overtaken += usize::from(index < self.newest);
        self.newest = self.newest.max(index + 1);
    }
}
