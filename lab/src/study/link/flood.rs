//! The attacker in `lab study link`, which sends 100,000 datagrams a second to the server's link.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use netclock::keyed::{Channel, SealedChannel, SessionKey};
use netclock::link::DATAGRAM;
use netclock::{Direction, LocalTime, Request, RequestId, Span, wire};

use super::host::key;
use crate::net::address;
use crate::net::clock;
use crate::net::lifetime::Stop;

/// Time between batches, and the datagrams in each.
const STEP: Duration = Duration::from_millis(5);
const BATCH: u64 = 500;

/// Sends garbage, forgeries with the key id of `victim`, and replays of a request that `spy` once sent.
pub(super) fn run(server: SocketAddr, victim: u32, spy: u32, seconds: u32, stop: &Stop) -> Result<()> {
    let socket = address::connect(server)?;
    let request = Request { id: RequestId(1), client_time: LocalTime::from_ticks(1), reliable: false };
    let message = wire::encode_request(&request)?;
    let (mut forged, mut replayed) = ([0; DATAGRAM], [0; DATAGRAM]);
    let sealing = |key: SessionKey| SealedChannel::new(&key, Channel::Link, Direction::ToServer);
    sealing(SessionKey::new(victim, [1; 16])?).seal(&message, &mut forged)?;
    sealing(key(spy)?).seal(&message, &mut replayed)?;
    let garbage = [0x4E; 1_200];
    let (start, mut sent) = (clock::now(), 0_u64);
    while !stop.is_set() && clock::now() - start < Span::from_secs(seconds.into()) {
        let due = (clock::now() - start).as_secs_f64() / STEP.as_secs_f64() * BATCH as f64;
        while (sent as f64) < due {
            let datagram = match sent % 3 {
                0 => &garbage[..(sent % 1_200) as usize],
                1 => &forged[..],
                _ => &replayed[..],
            };
            // If the buffer is full, the datagram counts as sent.
            let _ = socket.send(datagram);
            sent += 1;
        }
        thread::sleep(STEP);
    }
    Ok(())
}
