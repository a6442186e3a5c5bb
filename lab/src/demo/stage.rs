//! The processes of a demo: starts them, acts on them, and reads their output.

use std::net::SocketAddr;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netclock::Span;
use serde_json::Value;

use super::audience::Audience;
use super::client;
use super::plan::{Action, LOSS_PERCENT, OUTAGE, Plan, SHIFT_MS, STALL};
use super::protocol::Order;
use super::record::{Record, What};
use super::why::{KILLED, MENDED, RESTARTED, loss_words, shift_words, stall_words};
use super::world::{NOT_NOW, World};
use crate::net::child::{self, Child};
use crate::net::clock;
use crate::net::impair::forwarder::Forwarder;
use crate::net::key_file;
use crate::net::lifetime::Stop;
use crate::net::script::Kind;

/// Longest time that a process may take to start or to end.
const PATIENCE: Span = Span::from_secs(5);
/// Longest wait for the next line, so that actions are on time.
const LOOK_UP: Duration = Duration::from_millis(5);

/// Names a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    /// A server; servers are counted from 1.
    Server(usize),
    Client(usize),
}

/// A line from a process; `None` at its end.
type Said = (Who, Option<String>);

/// The processes of a demo.
pub(super) struct Stage {
    said: Receiver<Said>,
    sender: Sender<Said>,
    server: Option<Child>,
    /// Number of servers started so far.
    starts: usize,
    server_address: SocketAddr,
    world: World,
    /// The clients' keys, as lines of a key file.
    keys: Vec<String>,
    forwarders: Vec<Forwarder>,
    clients: Vec<Child>,
    /// The clients that are stopped at the moment.
    stopped: Vec<usize>,
    /// Ctrl-C also reaches the children, so they may then end.
    stop: Stop,
}

impl Stage {
    /// Starts all processes.
    pub(super) fn set(plan: &Plan, stop: &Stop) -> Result<Self> {
        let (sender, said) = mpsc::channel();
        let keys: Result<Vec<String>> = (1..).zip(&plan.clients).map(|(id, _)| key_file::draw(id)).collect();
        let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut stage = Stage {
            said,
            sender,
            server: None,
            starts: 0,
            server_address: loopback,
            world: World::new(),
            keys: keys?,
            forwarders: Vec::new(),
            clients: Vec::new(),
            stopped: Vec::new(),
            stop: stop.clone(),
        };
        stage.start_server(plan)?;
        let line = stage.wait_for(Who::Server(stage.starts), "serving")?;
        let address = line["address"].as_str().and_then(|text| text.parse().ok());
        let address = address.with_context(|| format!("no address in `{line}`"))?;
        stage.server_address = address;
        stage.world.serve(&line)?;
        let Plan { clients, rival, .. } = plan;
        for (index, planned) in clients.iter().enumerate() {
            let seed = plan.seed.wrapping_mul(1_000).wrapping_add(index as u64);
            let ways = (planned.up, planned.down);
            // It runs until the processes have ended.
            let forwarder = Forwarder::start(loopback, address, ways, None, seed, &Stop::default())?;
            let (server, origin) = (forwarder.address, planned.origin.ticks());
            let plan = client::Plan { server, origin, ppm: planned.ppm, rival: rival.clone() };
            let mut client = stage.start(Who::Client(index), &child::arguments("demo", &plan)?)?;
            client.write_line(&serde_json::to_string(&Order::Key { key: stage.keys[index].clone() })?);
            stage.forwarders.push(forwarder);
            stage.clients.push(client);
        }
        Ok(stage)
    }

    fn start(&self, who: Who, arguments: &[String]) -> Result<Child> {
        let sender = self.sender.clone();
        Child::start(arguments, move |line| sender.send((who, line)).is_ok())
    }

    fn start_server(&mut self, plan: &Plan) -> Result<()> {
        let script = plan.worlds.get(self.starts).cloned().unwrap_or_default();
        let (bind, world) = (format!("--bind={}", self.server_address), format!("--world={script}"));
        // All processes read the UTC of one machine, which is the truth here.
        let utc = "--utc-error-us=0".to_owned();
        let keys = format!("--parents-keys={}", self.keys.len());
        let arguments =
            ["serve".to_owned(), "--json".to_owned(), "--with-parent".to_owned(), bind, world, utc, keys];
        self.starts += 1;
        let mut server = self.start(Who::Server(self.starts), &arguments)?;
        self.keys.iter().for_each(|key| server.write_line(key));
        self.server = Some(server);
        Ok(())
    }

    /// Waits for the first line from a process, before the clients start.
    fn wait_for(&self, who: Who, kind: &str) -> Result<Value> {
        let deadline = clock::now() + PATIENCE;
        while clock::now() < deadline {
            match self.said.recv_timeout(LOOK_UP) {
                Ok((speaker, Some(line))) if speaker == who => {
                    let value: Value = serde_json::from_str(&line)?;
                    if value["type"] == kind {
                        return Ok(value);
                    }
                }
                Ok((speaker, None)) if speaker == who => bail!("{who:?} ended before it was ready"),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        bail!("{who:?} did not start within {PATIENCE}; is the machine very busy?")
    }

    /// The server has a new clock or a new world: informs the clients.
    pub(super) fn begin_world(&mut self, record: &Record) {
        if let Some(truth) = self.world.begin(record) {
            self.order_clients(&truth);
        }
    }

    /// Tells the audience what has just happened to the server's world, and the clients that nothing else
    /// will happen for a moment.
    pub(super) fn follow_world(&mut self, audience: &mut Audience) {
        if let Some(settled) = self.world.settle() {
            self.order_clients(&settled);
        }
        if self.server.is_some() {
            self.world.beat(audience);
        }
        self.world.note_events(audience);
    }

    fn order_clients(&mut self, order: &Order) {
        let Ok(line) = serde_json::to_string(order) else { return };
        for client in &mut self.clients {
            client.write_line(&line);
        }
    }

    /// Performs an action and reports it. Returns the action that has to follow, and the time until then.
    pub(super) fn act(&mut self, action: Action, audience: &mut Audience) -> Result<Option<(Span, Action)>> {
        let record = &mut audience.record;
        let mut follows = None;
        let incident =
            |client: Option<usize>, name, words: String| Some((client, What::Incident(name, words)));
        let done: Option<(Option<usize>, What)> = match action {
            Action::Stop(index) if self.stop(index)? => {
                follows = Some((STALL, Action::Continue(index)));
                incident(Some(index), "stall", stall_words())
            }
            Action::Stop(_) => None,
            Action::Continue(index) => {
                self.stopped.retain(|stopped| *stopped != index);
                if let Some(client) = self.clients.get(index) {
                    client.freeze(false);
                }
                let words = "continues: it promises no bound until the first reply restores it";
                incident(Some(index), "continues", words.to_owned())
            }
            Action::Shift(index) => {
                let up = record.plan.clients[index].up.delay + SHIFT_MS;
                self.impair(index, &[format!("up delay={up}")])?;
                let client = &mut record.clients[index];
                client.detour = client.detour.or(Some(clock::now() - record.start));
                incident(Some(index), "route shift", shift_words())
            }
            Action::Lose(index) => {
                self.impair(index, &[format!("both loss={LOSS_PERCENT}")])?;
                incident(Some(index), "loss", loss_words())
            }
            Action::Mend(index) => {
                let client = &record.plan.clients[index];
                self.impair(index, &[format!("up {}", client.up), format!("down {}", client.down)])?;
                record.clients[index].detour = None;
                incident(Some(index), "mended", MENDED.to_owned())
            }
            Action::Restart => self.server.take().and_then(|_| {
                self.world.end();
                follows = Some((OUTAGE, Action::StartServer));
                incident(None, "server killed", KILLED.to_owned())
            }),
            Action::StartServer => {
                self.start_server(&record.plan)?;
                incident(None, "restart", RESTARTED.to_owned())
            }
            Action::World(kind) => {
                self.change_world(kind).map(|why| (None, What::Said("no change", why.to_owned())))
            }
        };
        if let Some((client, what)) = done {
            audience.note(clock::now() - audience.record.start, client, what);
        }
        Ok(follows)
    }

    /// Stops a client. False if it is already stopped.
    fn stop(&mut self, index: usize) -> Result<bool> {
        if self.stopped.contains(&index) {
            return Ok(false);
        }
        let Some(client) = self.clients.get_mut(index) else { bail!("there is no client {index}") };
        if !client.freeze(true) {
            let millis = STALL.as_millis_f64() as u64;
            client.write_line(&serde_json::to_string(&Order::Sleep { millis })?);
        }
        self.stopped.push(index);
        Ok(true)
    }

    fn impair(&self, index: usize, commands: &[String]) -> Result<()> {
        let Some(forwarder) = self.forwarders.get(index) else { bail!("there is no client {index}") };
        commands.iter().try_for_each(|command| forwarder.command(command))
    }

    /// Asks the server to change the script of its world, a little later. Returns the reason if that is not
    /// possible.
    fn change_world(&mut self, kind: Kind) -> Option<&'static str> {
        let Some(server) = &mut self.server else { return Some(NOT_NOW) };
        self.world.change(kind).map(|script| server.write_line(&script.to_string())).err()
    }

    /// Handles the output of the processes.
    pub(super) fn listen(&mut self, audience: &mut Audience) -> Result<()> {
        let mut next = self.said.recv_timeout(LOOK_UP).ok();
        while let Some((who, line)) = next {
            self.hear(who, line, audience)?;
            next = self.said.try_recv().ok();
        }
        Ok(())
    }

    fn hear(&mut self, who: Who, line: Option<String>, audience: &mut Audience) -> Result<()> {
        let record = &audience.record;
        match (who, line) {
            (Who::Client(index), Some(line)) => {
                let report = serde_json::from_str(&line).with_context(|| format!("{who:?} said `{line}`"))?;
                audience.hear(index, report);
            }
            (Who::Server(start), Some(line)) if start == self.starts => {
                let value: Value = serde_json::from_str(&line)?;
                if value["type"] == "serving" && start > 1 {
                    self.world.serve(&value)?;
                    self.begin_world(record);
                } else if value["type"] == "world" && self.world.changed(value["is_taken"] == true) {
                    self.begin_world(record);
                }
            }
            (_, None) if self.stop.is_set() => {}
            (Who::Server(start), None) if start == self.starts && self.server.is_some() => {
                bail!("the server ended before the demo did")
            }
            (Who::Client(index), None) if record.clients.get(index).is_some_and(|client| !client.ended) => {
                bail!("client {} ended before the demo did", record.plan.clients[index].name)
            }
            _ => {}
        }
        Ok(())
    }

    /// Waits for the last reports of the clients.
    pub(super) fn end(&mut self, audience: &mut Audience) -> Result<()> {
        for client in &self.clients {
            client.freeze(false);
        }
        self.order_clients(&Order::End);
        let deadline = clock::now() + PATIENCE;
        while audience.record.clients.iter().any(|client| !client.ended) {
            if clock::now() > deadline {
                bail!("a client did not end within {PATIENCE}");
            }
            self.listen(audience)?;
        }
        Ok(())
    }
}
