//! A demo's threads: one for the server and one per client. Clients reach the server through forwarders.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use netclock::keyed::SessionKey;
use netclock::{LocalTime, Span};

use super::client::{self, ClientConfig, Control, Report};
use super::plan::{Action, DemoPlan, LONGEST_PAUSE_S, LONGEST_SLOW_S, LOSS_PERCENT, OUTAGE, SHIFT_MS, STALL};
use super::record::What;
use super::run::Outputs;
use super::truth::{ServerTruth, Truth};
use super::why::{KILLED, MENDED, RESTARTED, loss_words, shift_words, stall_words};
use crate::net::address;
use crate::net::clock::{self, MachineTime};
use crate::net::impair::forwarder::Forwarder;
use crate::net::key_file;
use crate::net::lifetime::Stop;
use crate::net::script::{Kind, Part, Script};
use crate::net::serve::server::Server;

/// How long to wait for a report, which is short enough for actions to be on time.
const REPORT_TIMEOUT: Duration = Duration::from_millis(5);

type Thread = JoinHandle<Result<()>>;

struct ServerThread {
    stop: Stop,
    /// Requests that pause the world or slow it down.
    changes: Sender<Kind>,
    thread: Thread,
}

struct ClientThread {
    control: Arc<Control>,
    thread: Option<Thread>,
    forwarder: Forwarder,
}

pub(super) struct Threads {
    server: Option<ServerThread>,
    server_address: SocketAddr,
    truth: Truth,
    keys: Vec<SessionKey>,
    clients: Vec<ClientThread>,
    reports: Receiver<(usize, Report)>,
    /// Stops the forwarders.
    network: Stop,
    /// The world's events up to this time have been reported.
    reported: MachineTime,
}

impl Threads {
    pub(super) fn start(plan: &DemoPlan) -> Result<Self> {
        let (sender, reports) = mpsc::channel();
        let keys = (1..).zip(&plan.clients).map(|(id, _)| key_file::key(&key_file::draw(id)?));
        let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut threads = Threads {
            server: None,
            server_address: loopback,
            truth: Truth::default(),
            keys: keys.collect::<Result<_>>()?,
            clients: Vec::new(),
            reports,
            network: Stop::default(),
            reported: clock::now(),
        };
        threads.start_server(plan)?;
        for (index, planned) in plan.clients.iter().enumerate() {
            let seed = plan.seed.wrapping_mul(1_000).wrapping_add(index as u64);
            let ways = (planned.up, planned.down);
            let (server, network) = (threads.server_address, &threads.network);
            let forwarder = Forwarder::start(loopback, server, ways, None, seed, network)?;
            let config = ClientConfig {
                server: forwarder.address,
                key: threads.keys[index].clone(),
                origin: LocalTime::from_ticks(planned.origin.ticks()),
                ppm: planned.ppm,
                rival: plan.rival.clone(),
            };
            let (control, truth, sender) = (Arc::<Control>::default(), threads.truth.clone(), sender.clone());
            let thread = thread::spawn({
                let control = control.clone();
                move || client::run(config, truth, &control, &sender, index)
            });
            threads.clients.push(ClientThread { control, thread: Some(thread), forwarder });
        }
        Ok(threads)
    }

    /// Starts a server at the address of the previous server.
    fn start_server(&mut self, plan: &DemoPlan) -> Result<()> {
        let script = plan.worlds.get(self.truth.servers().len()).cloned().unwrap_or_default();
        let socket = address::bind(self.server_address)?;
        self.server_address = socket.local_address().context("cannot find the server's address")?;
        let mut server = Server::new(socket, Some(script.clone()))?;
        server.require(self.keys.clone())?;
        self.truth.servers().push(ServerTruth { epoch: server.epoch(), clock: server.clock, script });
        let (stop, truth, (changes, requests)) = (Stop::default(), self.truth.clone(), mpsc::channel());
        let thread = thread::spawn({
            let stop = stop.clone();
            move || serve(server, &truth, &requests, &stop)
        });
        self.server = Some(ServerThread { stop, changes, thread });
        Ok(())
    }

    /// Reports the world's events since the last call.
    pub(super) fn follow_world(&mut self, outputs: &mut Outputs) {
        let now = clock::now();
        let since = std::mem::replace(&mut self.reported, now);
        let truth = self.truth.servers().last().cloned();
        let Some(ServerTruth { clock, script, .. }) = truth.filter(|_| self.server.is_some()) else { return };
        let (from, to) = (since - clock.start, now - clock.start);
        for (at, name, words) in world_events(&script) {
            if at > from && at <= to {
                let what = What::Message(name, words.to_owned());
                outputs.note(clock.start + at - outputs.record.start, None, what);
            }
        }
    }

    /// Performs an action and reports it. Returns the action that must follow, if any, and when.
    pub(super) fn act(&mut self, action: Action, outputs: &mut Outputs) -> Result<Option<(Span, Action)>> {
        let record = &outputs.record;
        let mut follows = None;
        let incident =
            |client: Option<usize>, name, words: String| Some((client, What::Incident(name, words)));
        let done: Option<(Option<usize>, What)> = match action {
            Action::Stall(index) if self.clients[index].control.is_stalled.swap(true, Ordering::Relaxed) => {
                None
            }
            Action::Stall(index) => {
                follows = Some((STALL, Action::Continue(index)));
                incident(Some(index), "stall", stall_words())
            }
            Action::Continue(index) => {
                self.clients[index].control.is_stalled.store(false, Ordering::Relaxed);
                let words = "client continues: it has no bound until the first reply";
                incident(Some(index), "continues", words.to_owned())
            }
            Action::Shift(index) => {
                let up = record.plan.clients[index].up.delay + SHIFT_MS;
                self.clients[index].forwarder.command(&format!("up delay={up}"))?;
                incident(Some(index), "route shift", shift_words())
            }
            Action::Lose(index) => {
                self.clients[index].forwarder.command(&format!("both loss={LOSS_PERCENT}"))?;
                incident(Some(index), "loss", loss_words())
            }
            Action::Mend(index) => {
                let (planned, forwarder) = (&record.plan.clients[index], &self.clients[index].forwarder);
                forwarder.command(&format!("up {}", planned.up))?;
                forwarder.command(&format!("down {}", planned.down))?;
                incident(Some(index), "mended", MENDED.to_owned())
            }
            Action::Restart => match self.server.take() {
                Some(server) => {
                    server.stop.set();
                    join(server.thread, "the server")?;
                    follows = Some((OUTAGE, Action::StartServer));
                    incident(None, "server killed", KILLED.to_owned())
                }
                None => None,
            },
            Action::StartServer => {
                self.start_server(&record.plan)?;
                incident(None, "restart", RESTARTED.to_owned())
            }
            Action::World(kind) => {
                let why = self.change_world(kind).err();
                why.map(|why| (None, What::Message("no change", why.to_owned())))
            }
        };
        if let Some((client, what)) = done {
            outputs.note(clock::now() - outputs.record.start, client, what);
        }
        Ok(follows)
    }

    /// Asks the server to change its world. Fails with a reason if that is not possible.
    fn change_world(&self, kind: Kind) -> Result<(), &'static str> {
        let Some(server) = &self.server else { return Err("no server is running at this moment") };
        let servers = self.truth.servers();
        let is_possible = servers.last().is_some_and(|truth| changed(truth, kind).is_ok());
        // If the server has ended, `pass_on_reports` reports the cause.
        let _ = server.changes.send(kind);
        if is_possible { Ok(()) } else { Err("the server's world is already paused or slowed down") }
    }

    /// Passes on the clients' reports. Fails if a thread has ended.
    pub(super) fn pass_on_reports(&mut self, outputs: &mut Outputs) -> Result<()> {
        let mut next = self.reports.recv_timeout(REPORT_TIMEOUT).ok();
        while let Some((index, report)) = next {
            outputs.report(index, report);
            next = self.reports.try_recv().ok();
        }
        if let Some(server) = self.server.take_if(|server| server.thread.is_finished()) {
            join(server.thread, "the server")?;
            bail!("the server ended before the demo did");
        }
        for (client, planned) in self.clients.iter_mut().zip(&outputs.record.plan.clients) {
            if let Some(thread) = client.thread.take_if(|thread| thread.is_finished()) {
                let name = format!("client {}", planned.name);
                join(thread, &name)?;
                bail!("{name} ended before the demo did");
            }
        }
        Ok(())
    }

    /// Ends the clients, and passes on their last reports.
    pub(super) fn end(mut self, outputs: &mut Outputs) -> Result<()> {
        for client in &self.clients {
            client.control.is_stalled.store(false, Ordering::Relaxed);
            client.control.ends.store(true, Ordering::Relaxed);
        }
        for thread in self.clients.iter_mut().filter_map(|client| client.thread.take()) {
            join(thread, "a client")?;
        }
        self.reports.try_iter().for_each(|(index, report)| outputs.report(index, report));
        Ok(())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.network.set();
        if let Some(server) = &self.server {
            server.stop.set();
        }
        for client in &self.clients {
            client.control.ends.store(true, Ordering::Relaxed);
        }
    }
}

fn join(thread: Thread, name: &str) -> Result<()> {
    thread.join().map_err(|_| anyhow!("{name} panicked"))?.with_context(|| format!("{name} failed"))
}

fn serve(mut server: Server, truth: &Truth, changes: &Receiver<Kind>, stop: &Stop) -> Result<()> {
    while !stop.is_set() {
        server.step()?;
        for kind in changes.try_iter() {
            // Holds the lock until both scripts are replaced, so that no read is compared with the old one.
            let mut servers = truth.servers();
            let Some(truth) = servers.last_mut() else { continue };
            if let Ok(script) = changed(truth, kind) {
                truth.script = script.clone();
                server.set_script(script);
            }
        }
    }
    Ok(())
}

/// Adds a pause or slow motion to the script, starting now. Fails if the world does not run at its normal
/// rate during that time.
fn changed(truth: &ServerTruth, kind: Kind) -> Result<Script> {
    let length = Span::from_secs_f64(match kind {
        Kind::Pause => LONGEST_PAUSE_S,
        Kind::Slow => LONGEST_SLOW_S,
    });
    truth.script.with(Part { kind, at: clock::now() - truth.clock.start, length })
}

/// Returns a world's events, each with the time since the server's start, a short name and a sentence.
fn world_events(script: &Script) -> impl Iterator<Item = (Span, &'static str, &'static str)> {
    script.parts.iter().flat_map(|&Part { kind, at, length }| {
        let (starts, ends) = match kind {
            Kind::Pause => (
                "the server's world pauses: clients notice it after the one-way delay, and hold their shown \
                 time until the world has caught up",
                "the server's world continues",
            ),
            Kind::Slow => (
                "the server's world slows down to a fifth: clients receive a few linear segments per second",
                "the server's world runs at its normal rate",
            ),
        };
        [(at, kind.name(), starts), (at + length, "normal rate", ends)]
    })
}
