use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use netclock::Span;
use nix::sys::signal::Signal;
use nix::unistd::Pid;

use super::child::{self, End};
use super::clocks::{CLOCKS, Outcome};
use super::load;
use super::middle::{Middle, Passed};
use super::plan::{CLIENT, ProcessConfig, SERVER};
use super::rows::{Incident, Row};
use super::space::{Space, signal};
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;

pub(super) struct Ran {
    pub(super) outcome: Outcome,
    pub(super) passed: [Passed; CLOCKS.len()],
}

pub(super) fn run(row: &Row, seconds: i64, stop: &Stop) -> Result<Ran> {
    let (wall, zero) = clock::pairing();
    let (zero, wall) = (zero.ticks(), zero.ticks() + wall.ticks());
    let plan = ProcessConfig { row: row.name.to_owned(), seconds, zero, wall };
    let over = Stop::default();
    let (_server, servers) = Space::start(SERVER, child::arguments(End::Server, &plan)?)?;
    let (mut client, clients) = Space::start(CLIENT, child::arguments(End::Client, &plan)?)?;
    let middle = Middle::new(row);
    let threads = middle.start(clients, servers, &over);
    let begin = client.line()?;
    middle.begin(begin);
    stop_for_a_while(row, client.group, MachineTime::from_ticks(begin));
    // If asked to stop, the client ends early and reports its results so far.
    let told = {
        let (stop, over, group) = (stop.clone(), over.clone(), client.group);
        thread::spawn(move || {
            while !over.is_set() {
                thread::sleep(Duration::from_millis(50));
                if stop.is_set() {
                    return signal(group, Signal::SIGKILL);
                }
            }
        })
    };
    let outcome = client.line();
    over.set();
    let _ = told.join();
    for thread in threads {
        let _ = thread.join();
    }
    if stop.is_set() {
        bail!("stopped before the end");
    }
    Ok(Ran { outcome: outcome?, passed: CLOCKS.map(|(_, port)| middle.passed(port)) })
}

fn stop_for_a_while(row: &Row, client: Pid, begin: MachineTime) {
    let Incident::Stopped { from_s, to_s } = row.incident else { return };
    thread::spawn(move || {
        load::sleep_until(begin + Span::from_secs(from_s));
        signal(client, Signal::SIGSTOP);
        load::sleep_until(begin + Span::from_secs(to_s));
        signal(client, Signal::SIGCONT);
    });
}
