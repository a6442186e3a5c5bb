//! Many clients in one process, to measure what they cost their server.

use std::net::SocketAddr;
use std::ops::Range;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use netclock::keyed::{self, Channel};
use netclock::link::sockets::{Received, StampedSocket};
use netclock::link::{ClientLinkConfig, DATAGRAM, LinkState, LinkedClient};
use netclock::{Client, Config, Direction, LocalTime, Span};

use super::host::key;
use crate::net::address;
use crate::net::child::say;
use crate::net::clock::{self, MachineTime};
use crate::net::lifetime::Stop;

/// Time between two checks of the clients.
const STEP: Duration = Duration::from_millis(5);
/// The clients start one after another over this time.
const ARRIVAL: Span = Span::from_secs(5);

struct Member {
    client: LinkedClient,
    due: LocalTime,
}

/// Runs the clients. At the end, prints how many of them are linked.
pub(super) fn run(server: SocketAddr, ids: Range<u32>, seconds: u32, stop: &Stop) -> Result<()> {
    let mut socket = address::connect(server)?;
    let start = clock::now();
    let mut members = Vec::with_capacity(ids.len());
    for id in ids.clone() {
        let client = Client::new(Config::default(), u128::from(id) + 1)?;
        let client = LinkedClient::new(client, &key(id)?, ClientLinkConfig::default())?;
        let share = f64::from(id - ids.start) / ids.len() as f64;
        let due = local(start) + Span::from_secs_f64(share * ARRIVAL.as_secs_f64());
        members.push(Member { client, due });
    }
    while !stop.is_set() && clock::now() - start < Span::from_secs(seconds.into()) {
        thread::sleep(STEP);
        take(&mut socket, &mut members, ids.start);
        let now = local(clock::now());
        for member in members.iter_mut().filter(|member| member.due <= now) {
            while let Ok(Some(datagram)) = member.client.due(local(clock::now())) {
                // A datagram that cannot be sent is lost.
                let _ = socket.send(&datagram);
            }
            member.due = member.client.next_due(now);
        }
    }
    say(&members.iter().filter(|member| member.client.state() == LinkState::Linked).count())
}

fn local(machine: MachineTime) -> LocalTime {
    LocalTime::from_ticks(machine.ticks())
}

/// Passes each datagram to the client whose key it names.
fn take(socket: &mut StampedSocket, members: &mut [Member], first: u32) {
    let mut buffer = [0; DATAGRAM + 1];
    while let Received::Datagram(come) = socket.receive(&mut buffer) {
        let datagram = &buffer[..come.length];
        let Ok(id) = keyed::key_id(Channel::Link, Direction::ToClient, datagram) else { continue };
        let place = id.checked_sub(first).and_then(|place| members.get_mut(place as usize));
        if let Some(member) = place {
            let _refused_if_late = member.client.take(datagram, come.at);
            member.due = member.due.min(member.client.next_due(local(clock::now())));
        }
    }
}
