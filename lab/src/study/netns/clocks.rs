//! The client process. Runs all clocks at once in several threads, reads them and checks them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netclock::link::sockets::{ConnectConfig, LinkConnection, Received};
use netclock::link::{Mark, NON_QUEUE_BUILDING};
use netclock::{Client, Config, Span, wire};
use serde::{Deserialize, Serialize};

use super::child::say;
use super::load;
use super::plan::{self, FRAME, Incident, ProcessConfig, Row, TrueClock};
use crate::net::chronyd::{Daemon, Installed};
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::judge::{Judge, Judged};
use crate::net::lifetime::Stop;
use crate::net::messages::{ask, client_frame, take};
use crate::net::random_seed;
use crate::net::serve::chrony::Tracking;
use crate::recorded::codec::Delays;

/// Errors before this time are ignored.
const FROM_S: f64 = 30.0;
const READ_EVERY: Duration = Duration::from_millis(20);
/// Queries of chronyd are infrequent, because each one starts a process.
const ASK_EVERY: Duration = Duration::from_millis(250);

pub(super) const CLOCKS: [(&str, u16); 6] = [
    ("messages", plan::MESSAGES),
    ("messages, 60 frames/s", plan::FRAMES),
    ("link", plan::LINK),
    ("chronyd, 1 s", plan::NTP_1_S),
    ("chronyd, 4 s", plan::NTP_4_S),
    ("last half round trip", plan::PROBES),
];

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) judged: Vec<Judged>,
    pub(super) delays: Vec<Delays>,
    pub(super) unmarked_s: Option<f64>,
}

type SharedClient = Arc<Mutex<Client>>;

pub(super) fn run(plan: &ProcessConfig, stop: &Stop) -> Result<()> {
    let row = plan.row()?;
    let (local, truth) = (plan.client_clock(), plan.server_clock());
    let begin = clock::now() + Span::from_secs(row.lead_s()) + Span::from_secs(1);
    let end = begin + Span::from_secs(plan.seconds);
    say(&begin.ticks())?;
    let loads: Vec<JoinHandle<Result<()>>> =
        row.loads.iter().map(|load| thread::spawn(move || load::run(load, begin, end))).collect();
    load::sleep_until(begin);
    keep_busy(row, begin, end);
    let frames = Config { client_frame: FRAME, server_frame: FRAME, ..Config::default() };
    let clients = [client(Config::default())?, client(frames)?, client(Config::default())?];
    follow(plan::MESSAGES, None, row, (&clients[0], local), stop)?;
    follow(plan::FRAMES, Some(FRAME), row, (&clients[1], local), stop)?;
    let to = ConnectConfig::to(&plan::SERVER.to_string(), plan::LINK);
    let link = LinkConnection::connect(&to, clients[2].clone(), &plan::key()?, move |now| {
        local.at(clock::machine(now))
    })?;
    let daemons = [(plan::NTP_1_S, 0), (plan::NTP_4_S, 2)]
        .map(|(port, poll)| ask_chrony(plan, row, (port, poll), (begin, end), stop));
    let found = send_probes(plan, stop)?;

    let mut unmarked_s = None;
    let mut judges: [Judge; 4] = std::array::from_fn(|_| Judge::default());
    while !stop.is_set() && clock::now() < end {
        thread::sleep(READ_EVERY);
        for (judge, client) in judges.iter_mut().zip(&clients) {
            let client = held(client);
            let machine = clock::now();
            let reading = client.read(local.at(machine));
            judge.read(&reading, truth.at(machine), (machine - begin).as_secs_f64() >= FROM_S);
        }
        if link.status().mark == Mark::Dropped {
            unmarked_s.get_or_insert((clock::now() - begin).as_secs_f64());
        }
        let offset = found.lock().unwrap_or_else(PoisonError::into_inner).last_offset;
        if let Some(offset) = offset {
            let machine = clock::now();
            let error = (local.at(machine) + offset).ticks() - truth.at(machine).ticks();
            let seconds = (machine - begin).as_secs_f64();
            judges[3].add(Span::from_ticks(error), None, seconds >= FROM_S);
        }
    }
    drop(link);
    // A load can only have failed if it has ended.
    for load in loads.into_iter().filter(JoinHandle::is_finished) {
        joined(load).context("a TCP sender")?;
    }
    let mut judges = Vec::from(judges);
    for daemon in daemons {
        // The clock that assumes a delay of half the latest round trip must stay last.
        judges.insert(judges.len() - 1, joined(daemon)?);
    }
    stop.set();
    let judged = judges.iter().map(Judge::judged).collect();
    let delays = found.lock().unwrap_or_else(PoisonError::into_inner).delays.clone();
    say(&Outcome { judged, delays, unmarked_s })
}

fn joined<T>(thread: JoinHandle<Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|_| bail!("a thread panicked"))
}

fn client(config: Config) -> Result<SharedClient> {
    Ok(Arc::new(Mutex::new(Client::new(config, random_seed()?)?)))
}

fn held(client: &SharedClient) -> MutexGuard<'_, Client> {
    client.lock().unwrap_or_else(PoisonError::into_inner)
}

fn follow(
    port: u16,
    frame: Option<Span>,
    row: &Row,
    (client, local): (&SharedClient, SkewedClock),
    stop: &Stop,
) -> Result<()> {
    let mut socket = plan::connect(port, row)?;
    let (client, stop) = (client.clone(), stop.clone());
    thread::spawn(move || {
        let mut buffer = [0; 2 * wire::SIZE];
        while !stop.is_set() {
            if let Some(frame) = frame {
                thread::sleep(Duration::from_secs_f64(frame.as_secs_f64()));
                let now = local.at(clock::now());
                client_frame(&mut socket, &mut held(&client), now);
                continue;
            }
            let mut come = socket.receive_within(&mut buffer, Span::from_millis(5));
            let mut client = held(&client);
            while come != Received::Nothing {
                if let Received::Datagram(come) = come {
                    take(&mut client, &buffer[..come.length], local.at(clock::machine(come.at)));
                }
                come = socket.receive(&mut buffer);
            }
            ask(&mut socket, &mut client, local.at(clock::now()));
        }
    });
    Ok(())
}

fn ask_chrony(
    plan: &ProcessConfig,
    row: &Row,
    (port, poll): (u16, i32),
    (begin, end): (MachineTime, MachineTime),
    stop: &Stop,
) -> JoinHandle<Result<Judge>> {
    let (ntp, stop) = (plan.ntp_clock(), stop.clone());
    let mark = if row.is_marked() { format!("dscp {NON_QUEUE_BUILDING}\n") } else { String::new() };
    let address = plan::SERVER;
    let settings = format!("server {address} port {port} minpoll {poll} maxpoll {poll} iburst\n{mark}port 0");
    thread::spawn(move || {
        let daemon = Daemon::start(&Installed::find()?, &port.to_string(), &settings)?;
        let (socket, mut judge) = (daemon.socket(), Judge::default());
        while !stop.is_set() && clock::now() < end {
            thread::sleep(ASK_EVERY);
            // Queries fail until chronyd is synchronised.
            let Ok(tracking) = Tracking::ask(Some(&socket)) else { continue };
            let (wall, machine) = clock::pairing();
            // The machine's clock, corrected by chronyd, minus the time that is served to chronyd.
            let off = (machine.ticks() + wall.ticks()) - ntp.at(machine).ticks();
            let error = Span::from_ticks(off) + Span::from_secs_f64(tracking.system_offset_s);
            let bound = Span::from_secs_f64(tracking.root_dispersion_s + tracking.root_delay_s / 2.0);
            judge.add(error, Some(bound), (machine - begin).as_secs_f64() >= FROM_S);
        }
        Ok(judge)
    })
}

fn keep_busy(row: &Row, begin: MachineTime, end: MachineTime) {
    if row.incident != Incident::Busy {
        return;
    }
    for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
        thread::spawn(move || {
            load::sleep_until(begin + Span::from_secs(plan::BUSY_FROM_S));
            while clock::now() < end {
                std::hint::spin_loop();
            }
        });
    }
}

const PER_SECOND: u32 = 50;
/// A probe contains its number and the times at which the server received and sent it.
const PROBE: usize = 32;
const LOOK_UP: Span = Span::from_millis(20);
const TOO_LATE: Span = Span::from_millis(200);

#[derive(Default)]
struct Found {
    sent: Vec<MachineTime>,
    delays: Vec<Delays>,
    /// Server time minus local time, from the latest probe sent at the start of a second. Assumes equal
    /// delays.
    last_offset: Option<Span>,
}

pub(super) fn answer_probe(bytes: &[u8], arrived: MachineTime) -> Option<Vec<u8>> {
    let mut answer = bytes.get(..PROBE)?.to_vec();
    answer[8..16].copy_from_slice(&arrived.ticks().to_be_bytes());
    answer[16..24].copy_from_slice(&clock::now().ticks().to_be_bytes());
    Some(answer)
}

fn send_probes(plan: &ProcessConfig, stop: &Stop) -> Result<Arc<Mutex<Found>>> {
    let mut socket = plan::connect(plan::PROBES, plan.row()?)?;
    let found = Arc::new(Mutex::new(Found::default()));
    let (kept, stop) = (found.clone(), stop.clone());
    let (local, truth) = (plan.client_clock(), plan.server_clock());
    thread::spawn(move || {
        let mut next = clock::now();
        while !stop.is_set() {
            let wait = (next - clock::now()).clamp(Span::ZERO, LOOK_UP);
            let mut buffer = [0; PROBE];
            if let Received::Datagram(come) = socket.receive_within(&mut buffer, wait) {
                let mut found = kept.lock().unwrap_or_else(PoisonError::into_inner);
                found.take(&buffer, clock::machine(come.at), (local, truth));
            }
            let late = clock::now() - next;
            if late >= Span::ZERO {
                let mut found = kept.lock().unwrap_or_else(PoisonError::into_inner);
                found.sent.push(clock::now());
                found.delays.push(None);
                let mut probe = [0; PROBE];
                probe[..8].copy_from_slice(&(found.sent.len() as u64 - 1).to_be_bytes());
                // Probes that came due while the process was paused are numbered but count as lost.
                if late < TOO_LATE {
                    let _ = socket.send(&probe);
                }
                next += Span::from_ticks(netclock::TICKS_PER_SECOND / i64::from(PER_SECOND));
            }
        }
    });
    Ok(found)
}

impl Found {
    fn take(&mut self, bytes: &[u8; PROBE], t3: MachineTime, (local, truth): (SkewedClock, TrueClock)) {
        let number =
            |at: usize| bytes[at..at + 8].iter().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
        let Ok(id) = usize::try_from(number(0)) else { return };
        let (Some(&t0), Some(kept)) = (self.sent.get(id), self.delays.get_mut(id)) else { return };
        let [t1, t2] = [8, 16].map(|at| MachineTime::from_ticks(number(at) as i64));
        *kept = Some(((t1 - t0).ticks(), (t3 - t2).ticks()));
        if id % PER_SECOND as usize == 0 {
            let ahead = |server: MachineTime, client: MachineTime| {
                truth.at(server).ticks() - local.at(client).ticks()
            };
            self.last_offset = Some(Span::from_ticks((ahead(t1, t0) + ahead(t2, t3)) / 2));
        }
    }
}
