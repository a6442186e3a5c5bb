//! Runs a demo with one thread for the server and one for each client. Clients connect through forwarders.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use netclock::Span;
use netclock::keyed::SessionKey;

use super::client;
use super::live::Live;
use super::plan::{Action, ClientPlan, DemoPlan, LOSS_PERCENT, OUTAGE, SHIFT_MS};
use super::record::{Happening, Record, What};
use super::words;
use crate::net::clock::{self, MachineTime, ServerClock};
use crate::net::impair::forwarder::Forwarder;
use crate::net::lifetime::Stop;
use crate::net::script::{Kind, Part, Script};
use crate::net::serve::server::Server;
use crate::net::{address, key_file};
use crate::report::Weight;

const TURN: Duration = Duration::from_millis(5);

/// A server's clock and world, kept so that reads can be checked after the server has ended.
#[derive(Clone, Debug)]
pub(super) struct ServerTruth {
    pub(super) epoch: u64,
    pub(super) clock: ServerClock,
    /// Only a script with the same past may replace this script.
    pub(super) script: Script,
}

pub(super) struct Demo {
    pub(super) plan: DemoPlan,
    pub(super) over: Stop,
    pub(super) stalled: Vec<AtomicBool>,
    servers: Mutex<Vec<ServerTruth>>,
    record: Arc<Mutex<Record>>,
    is_silent: bool,
}

impl Demo {
    pub(super) fn servers(&self) -> MutexGuard<'_, Vec<ServerTruth>> {
        locked(&self.servers)
    }

    pub(super) fn record(&self) -> MutexGuard<'_, Record> {
        locked(&self.record)
    }

    pub(super) fn note(&self, at: MachineTime, row: Option<usize>, happening: Happening) {
        let mut record = self.record();
        let happening = Happening { at: (at - record.start).as_secs_f64(), row, ..happening };
        if !self.is_silent {
            words::print(&happening, &self.plan);
        }
        record.note(happening);
    }

    pub(super) fn incident(&self, client: Option<usize>, name: &'static str, words: &str) {
        self.note(clock::now(), client, Happening::new(What::Incident, Weight::Note, name, words.to_owned()));
    }

    fn new_server(&self, address: SocketAddr, keys: &[SessionKey]) -> Result<(Server, SocketAddr)> {
        let socket = address::bind(address)?;
        let address = socket.local_address().context("cannot find the server's address")?;
        let script = Script::default();
        let mut server = Server::new(socket, Some(script.clone()))?;
        server.require(keys.to_vec())?;
        self.servers().push(ServerTruth { epoch: server.epoch(), clock: server.clock, script });
        Ok((server, address))
    }

    fn serve(
        &self,
        (mut server, address): (Server, SocketAddr),
        keys: &[SessionKey],
        requests: &Receiver<Action>,
    ) -> Result<()> {
        while !self.over.is_set() {
            server.step()?;
            match requests.try_recv() {
                Ok(Action::World(kind)) => self.change_world(&mut server, kind),
                Ok(_) => {
                    self.incident(
                        None,
                        "server killed",
                        "server stopped: clients extrapolate its time at the estimated rate, and the bound \
                         grows with the possible drift",
                    );
                    drop(server);
                    thread::sleep(Duration::from_secs_f64(OUTAGE.as_secs_f64()));
                    server = self.new_server(address, keys)?.0;
                    self.incident(
                        None,
                        "restart",
                        "a new server counts from zero: nothing is known about its clock, so the bound \
                         starts again at half a round trip",
                    );
                }
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Clients report separately how they follow the world.
    fn change_world(&self, server: &mut Server, kind: Kind) {
        // No read may be compared with the old script, so we hold the lock until both scripts have been
        // replaced.
        let mut servers = self.servers();
        let Some(truth) = servers.last_mut() else { return };
        let (at, length) = (clock::now() - truth.clock.start, self.plan.length(kind));
        let Ok(script) = truth.script.with(Part { kind, at, length }) else {
            drop(servers);
            let why = "the server's world is already paused or slowed down";
            return self.note(clock::now(), None, Happening::message("no change", why));
        };
        truth.script = script.clone();
        server.set_script(script);
        drop(servers);
        let (what, how) = match kind {
            Kind::Pause => ("pauses", "hold their shown time until the world has caught up"),
            Kind::Slow => ("slows down to a fifth", "slow their shown time until it agrees"),
        };
        let words = format!(
            "the server's world {what} for {:.1} s: clients notice it after the one-way delay, and {how}",
            length.as_secs_f64()
        );
        self.note(clock::now(), None, Happening::message(kind.name(), &words));
    }

    fn act(&self, action: Action, forwarders: &[Forwarder]) -> Result<()> {
        match action {
            Action::Stall(client) => self.stalled[client].store(true, Ordering::Relaxed),
            Action::Shift(client) => {
                let up = self.plan.clients[client].up.delay + SHIFT_MS;
                forwarders[client].command(&format!("up delay={up}"))?;
                let words = format!(
                    "route to the server {SHIFT_MS:.0} ms longer: a single exchange cannot show which \
                     direction changed, but the bound proven on the old route still holds"
                );
                self.incident(Some(client), "route shift", &words);
            }
            Action::Lose(client) => {
                forwarders[client].command(&format!("both loss={LOSS_PERCENT}"))?;
                let words = format!(
                    "path loses {LOSS_PERCENT:.0} % of all datagrams: the bound from earlier replies still \
                     holds, and grows with the possible drift until the next reply"
                );
                self.incident(Some(client), "loss", &words);
            }
            Action::Mend(client) => {
                let planned = &self.plan.clients[client];
                forwarders[client].command(&format!("up {}", planned.up))?;
                forwarders[client].command(&format!("down {}", planned.down))?;
                let words = "path restored: shorter delays prove tighter bounds, so the bound shrinks with \
                             the next replies";
                self.incident(Some(client), "mended", words);
            }
            Action::Restart | Action::World(_) => {}
        }
        Ok(())
    }
}

/// A poisoned lock is harmless, because no thread panics while holding it.
pub(super) fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn run(
    record: &Arc<Mutex<Record>>,
    is_silent: bool,
    live: Option<&Live>,
    stop: &Stop,
) -> Result<Record> {
    let plan = locked(record).plan.clone();
    if !is_silent {
        words::print_start(&plan);
        live.iter().for_each(|live| eprintln!("{}", live.words()));
    }
    let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
    let keys = (1..).zip(&plan.clients).map(|(id, _)| key_file::key(&key_file::draw(id)?));
    let keys = keys.collect::<Result<Vec<SessionKey>>>()?;
    let mut agenda = plan.actions.clone();
    let demo = Demo {
        over: Stop::default(),
        stalled: plan.clients.iter().map(|_| AtomicBool::new(false)).collect(),
        servers: Mutex::default(),
        record: Arc::clone(record),
        is_silent,
        plan,
    };
    let (server, address) = demo.new_server(loopback, &keys)?;
    let forwarder = |(number, planned): (u64, &ClientPlan)| {
        let seed = demo.plan.seed.wrapping_mul(1_000).wrapping_add(number);
        Forwarder::start(loopback, address, (planned.up, planned.down), None, seed, &demo.over)
    };
    let forwarders = (0..).zip(&demo.plan.clients).map(forwarder).collect::<Result<Vec<_>>>()?;
    let (requests, requested) = mpsc::channel();
    let (start, end) = (clock::now(), Span::from_secs(demo.plan.seconds.into()));
    demo.record().start = start;
    thread::scope(|scope| {
        let (demo, keys) = (&demo, &keys);
        let serve = move || demo.serve((server, address), keys, &requested);
        let mut threads = vec![("the server".to_owned(), scope.spawn(serve))];
        for (index, (key, forwarder)) in keys.iter().zip(&forwarders).enumerate() {
            let name = format!("client {}", demo.plan.clients[index].name);
            let to = forwarder.address;
            threads.push((name, scope.spawn(move || client::run(demo, index, to, key.clone()))));
        }
        let mut turns = || -> Result<()> {
            // A thread ends early only if it has failed.
            while !stop.is_set() && !threads.iter().any(|(_, thread)| thread.is_finished()) {
                let age = clock::now() - start;
                if age >= end {
                    break;
                }
                let due = agenda.iter().take_while(|(at, _)| *at <= age).count();
                let pressed = std::iter::from_fn(|| live?.pressed());
                for action in agenda.drain(..due).map(|(_, action)| action).chain(pressed) {
                    demo.act(action, &forwarders)?;
                    if matches!(action, Action::Restart | Action::World(_)) {
                        // If the server's thread has failed, its error is reported below.
                        let _ = requests.send(action);
                    }
                }
                thread::sleep(TURN);
            }
            Ok(())
        };
        let outcome = turns();
        let length = clock::now() - start;
        demo.over.set();
        let ended = threads.into_iter().map(|(name, thread)| {
            let ended = thread.join().map_err(|_| anyhow!("{name} panicked"))?;
            ended.with_context(|| format!("{name} failed"))
        });
        let ended = ended.collect::<Result<Vec<()>>>();
        demo.record().length = length;
        ended.and(outcome)
    })?;
    Ok(locked(record).clone())
}
