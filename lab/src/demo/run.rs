//! Runs a demo: starts the processes, follows the plan, and records what the processes report.

use std::net::SocketAddr;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netclock::Span;
use serde_json::Value;

use super::child::{Child, Said, Who};
use super::plan::{Action, Plan, SHIFT_MS, STALL};
use super::protocol::{Order, Report};
use super::record::{Happening, Record, What};
use super::screen::Screen;
use crate::game::script::Kind;
use crate::net::clock::{self, MachineTime};
use crate::net::key_file;
use crate::net::lifetime::Stop;

/// Longest time that a process may take to start or to end.
const PATIENCE: Span = Span::from_secs(5);
/// Longest wait for the next line, so that actions come in time.
const LOOK_UP: Duration = Duration::from_millis(5);

struct Stage {
    said: Receiver<Said>,
    sender: Sender<Said>,
    server: Option<Child>,
    /// Number of servers started so far.
    starts: usize,
    server_address: SocketAddr,
    /// Coming events of the world of the current server: when, a short name, and the words.
    world_news: Vec<(MachineTime, &'static str, &'static str)>,
    /// The clients' keys, as lines of a key file.
    keys: Vec<String>,
    forwarders: Vec<Child>,
    clients: Vec<Child>,
    /// Ctrl-C reaches the children too, so they may then end.
    stop: Stop,
}

/// Runs the demo to its end, or until `stop`.
///
/// # Errors
/// A process does not start, ends too early, or says something unreadable.
pub(crate) fn run(plan: Plan, screen: &mut Screen, stop: &Stop) -> Result<Record> {
    let (mut stage, truth) = Stage::set(&plan, stop)?;
    let mut record = Record::new(plan, clock::now());
    stage.begin_world(&truth, &mut record)?;
    let end = Span::from_secs(record.plan.seconds.into());
    let mut actions = record.plan.actions.clone().into_iter().peekable();
    loop {
        let age = clock::now() - record.start;
        if age >= end || stop.is_set() {
            break;
        }
        while let Some((_, action)) = actions.next_if(|(at, _)| *at <= age) {
            let (client, name, words) = stage.act(action, &record.plan)?;
            let at = clock::now() - record.start;
            note(&mut record, screen, Happening { at, client, what: What::Done(name, words) });
        }
        stage.note_world_events(&mut record, screen);
        stage.listen(&mut record, screen)?;
        screen.refresh(&record);
    }
    record.length = clock::now() - record.start;
    stage.end(&mut record, screen)?;
    Ok(record)
}

fn note(record: &mut Record, screen: &mut Screen, happening: Happening) {
    screen.happened(&happening, &record.plan);
    record.happenings.push(happening);
}

impl Stage {
    /// Starts all processes.
    fn set(plan: &Plan, stop: &Stop) -> Result<(Self, Order)> {
        let (sender, said) = mpsc::channel();
        let keys: Result<Vec<String>> = (1..).zip(&plan.clients).map(|(id, _)| key_file::draw(id)).collect();
        let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut stage = Stage {
            said,
            sender,
            server: None,
            starts: 0,
            server_address: loopback,
            world_news: Vec::new(),
            keys: keys?,
            forwarders: Vec::new(),
            clients: Vec::new(),
            stop: stop.clone(),
        };
        stage.start_server(plan)?;
        let (address, truth) = stage.wait_for_server()?;
        stage.server_address = address;
        let mut paths = Vec::with_capacity(plan.clients.len());
        for (index, client) in plan.clients.iter().enumerate() {
            let arguments = [
                "impair".to_owned(),
                "--json".to_owned(),
                "--with-parent".to_owned(),
                format!("--listen={loopback}"),
                format!("--to={address}"),
                format!("--up={}", client.up),
                format!("--down={}", client.down),
                format!("--seed={}", plan.seed.wrapping_mul(1_000).wrapping_add(index as u64)),
            ];
            stage.forwarders.push(Child::start(Who::Forwarder(index), &arguments, &stage.sender)?);
            let line = stage.wait_for(Who::Forwarder(index), "relaying")?;
            paths.push(address_of(&line)?);
        }
        for (index, (client, path)) in plan.clients.iter().zip(paths).enumerate() {
            let arguments = [
                "demo-client".to_owned(),
                path.to_string(),
                format!("--origin={}", client.origin.ticks()),
                format!("--ppm={}", client.ppm),
            ];
            let mut client = Child::start(Who::Client(index), &arguments, &stage.sender)?;
            client.write_line(&serde_json::to_string(&Order::Key { key: stage.keys[index].clone() })?);
            stage.clients.push(client);
        }
        Ok((stage, truth))
    }

    fn start_server(&mut self, plan: &Plan) -> Result<()> {
        let script = plan.worlds.get(self.starts).unwrap_or(&plan.worlds[0]);
        let (bind, world) = (format!("--bind={}", self.server_address), format!("--world={script}"));
        // All processes read one machine's UTC, which is the truth here.
        let utc = "--utc-error-us=0".to_owned();
        let keys = format!("--parents-keys={}", self.keys.len());
        let arguments =
            ["serve".to_owned(), "--json".to_owned(), "--with-parent".to_owned(), bind, world, utc, keys];
        self.starts += 1;
        let mut server = Child::start(Who::Server(self.starts), &arguments, &self.sender)?;
        self.keys.iter().for_each(|key| server.write_line(key));
        self.server = Some(server);
        Ok(())
    }

    fn wait_for_server(&mut self) -> Result<(SocketAddr, Order)> {
        let line = self.wait_for(Who::Server(self.starts), "serving")?;
        Ok((address_of(&line)?, truth_of(&line)?))
    }

    /// Waits for the first line of a process, before the clients start.
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

    /// A server reported its clock and its world: informs the clients, and notes the coming events of the world.
    fn begin_world(&mut self, truth: &Order, record: &mut Record) -> Result<()> {
        self.order_clients(truth);
        let Order::Truth { start_ticks, world, .. } = truth else { return Ok(()) };
        record.begin_world(MachineTime::from_ticks(*start_ticks), &world.parse()?);
        let upcoming = record.phases.iter().filter(|phase| record.start + phase.from > clock::now());
        let news = upcoming.flat_map(|phase| {
            let (begins, ends) = match phase.kind {
                Kind::Pause => ("the server's world pauses", "the server's world continues"),
                Kind::Slow => (
                    "the server's world slows down to a fifth, and back",
                    "the server's world runs at its normal rate",
                ),
            };
            let at = |since| record.start + since;
            [(at(phase.from), phase.kind.name(), begins), (at(phase.to), "normal rate", ends)]
        });
        self.world_news = news.collect();
        Ok(())
    }

    /// Notes the events of the server's world that have just happened.
    fn note_world_events(&mut self, record: &mut Record, screen: &mut Screen) {
        let now = clock::now();
        let (past, later) = std::mem::take(&mut self.world_news).into_iter().partition(|(at, ..)| *at <= now);
        self.world_news = later;
        for (at, name, words) in past {
            let what = What::Done(name, words.to_owned());
            note(record, screen, Happening { at: at - record.start, client: None, what });
        }
    }

    fn order_clients(&mut self, order: &Order) {
        let Ok(line) = serde_json::to_string(order) else { return };
        for client in &mut self.clients {
            client.write_line(&line);
        }
    }

    /// Does something. Returns the client that it concerns, a short name, and the words.
    fn act(&mut self, action: Action, plan: &Plan) -> Result<(Option<usize>, &'static str, String)> {
        Ok(match action {
            Action::Stop(index) => {
                let words = format!("its process is stopped for {:.1} s", STALL.as_secs_f64());
                let Some(client) = self.clients.get_mut(index) else { bail!("there is no client {index}") };
                if !client.freeze() {
                    let millis = STALL.as_millis_f64() as u64;
                    client.write_line(&serde_json::to_string(&Order::Sleep { millis })?);
                }
                (Some(index), "stall", words)
            }
            Action::Continue(index) => {
                if let Some(client) = self.clients.get(index) {
                    client.thaw();
                }
                (Some(index), "continues", "its process continues".to_owned())
            }
            Action::Shift(index) => {
                let (Some(forwarder), Some(client)) =
                    (self.forwarders.get_mut(index), plan.clients.get(index))
                else {
                    bail!("there is no client {index}")
                };
                forwarder.write_line(&format!("up delay={}", client.up.delay + SHIFT_MS));
                let words =
                    format!("its route to the server becomes {SHIFT_MS} ms longer, the way back does not");
                (Some(index), "route shift", words)
            }
            Action::KillServer => {
                self.server = None;
                self.world_news.clear();
                (None, "server killed", "the server is killed".to_owned())
            }
            Action::StartServer => {
                self.start_server(plan)?;
                (None, "restart", "a new server starts; its clock begins at zero".to_owned())
            }
        })
    }

    /// Handles what the processes say.
    fn listen(&mut self, record: &mut Record, screen: &mut Screen) -> Result<()> {
        let mut next = self.said.recv_timeout(LOOK_UP).ok();
        while let Some((who, line)) = next {
            self.hear(who, line, record, screen)?;
            next = self.said.try_recv().ok();
        }
        Ok(())
    }

    fn hear(
        &mut self,
        who: Who,
        line: Option<String>,
        record: &mut Record,
        screen: &mut Screen,
    ) -> Result<()> {
        match (who, line) {
            (Who::Client(index), Some(line)) => {
                let report = serde_json::from_str(&line).with_context(|| format!("{who:?} said `{line}`"))?;
                hear_client(index, report, record, screen);
            }
            (Who::Server(start), Some(line)) if start == self.starts => {
                let value: Value = serde_json::from_str(&line)?;
                if value["type"] == "serving" && start > 1 {
                    self.begin_world(&truth_of(&value)?, record)?;
                }
            }
            (_, None) if self.stop.is_set() => {}
            (Who::Server(start), None) if start == self.starts && self.server.is_some() => {
                bail!("the server ended before the demo did")
            }
            (Who::Client(index), None) if record.clients.get(index).is_some_and(|client| !client.ended) => {
                bail!("client {} ended before the demo did", record.plan.clients[index].name)
            }
            (Who::Forwarder(_), None) => bail!("a forwarder ended before the demo did"),
            _ => {}
        }
        Ok(())
    }

    /// Waits for the last reports of the clients.
    fn end(&mut self, record: &mut Record, screen: &mut Screen) -> Result<()> {
        for client in &self.clients {
            client.thaw();
        }
        self.order_clients(&Order::End);
        let deadline = clock::now() + PATIENCE;
        while record.clients.iter().any(|client| !client.ended) {
            if clock::now() > deadline {
                bail!("a client did not end within {PATIENCE}");
            }
            self.listen(record, screen)?;
        }
        Ok(())
    }
}

fn hear_client(index: usize, report: Report, record: &mut Record, screen: &mut Screen) {
    match report {
        Report::Event { at, described } => {
            let at = record.since_start(at);
            note(record, screen, Happening { at, client: Some(index), what: What::Declared(described) });
        }
        Report::Reads { reads, tally, status, traffic, news } => {
            if let Some(client) = record.clients.get_mut(index) {
                client.reads.extend(reads);
                (client.tally, client.status) = (*tally, status);
                (client.traffic, client.news) = (traffic, news);
            }
        }
        Report::End => {
            if let Some(client) = record.clients.get_mut(index) {
                client.ended = true;
            }
        }
    }
}

fn address_of(line: &Value) -> Result<SocketAddr> {
    let address = line["address"].as_str().and_then(|text| text.parse().ok());
    address.with_context(|| format!("no address in `{line}`"))
}

/// The clock and the world in the first line of a server.
fn truth_of(line: &Value) -> Result<Order> {
    let epoch = line["epoch"].as_str().and_then(|text| text.strip_prefix("0x"));
    let epoch = epoch.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let start = line["start_ticks"].as_i64().map(MachineTime::from_ticks);
    let world = line["world"].as_str().map(str::to_owned);
    let (Some(epoch), Some(start), Some(world)) = (epoch, start, world) else {
        bail!("no epoch, start and world in `{line}`")
    };
    Ok(Order::Truth { epoch, start_ticks: start.ticks(), world })
}
