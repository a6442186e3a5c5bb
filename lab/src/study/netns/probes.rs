use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Result;
use netclock::Span;
use netclock::link::sockets::Received;

use super::plan::{self, ProcessConfig, TrueClock};
use crate::net::clock::{self, MachineTime, SkewedClock};
use crate::net::lifetime::Stop;
use crate::recorded::codec::Delays;

pub(super) const PER_SECOND: u32 = 50;
/// A probe contains its number and the times at which the server received and sent it.
const SIZE: usize = 32;
const LOOK_UP: Span = Span::from_millis(20);
const TOO_LATE: Span = Span::from_millis(200);

#[derive(Default)]
pub(super) struct Found {
    sent: Vec<MachineTime>,
    pub(super) delays: Vec<Delays>,
    /// Server minus local time assuming equal delays, from the latest probe sent at the start of a second.
    pub(super) last_offset: Option<Span>,
}

pub(super) fn answer(bytes: &[u8], arrived: MachineTime) -> Option<Vec<u8>> {
    let mut answer = bytes.get(..SIZE)?.to_vec();
    answer[8..16].copy_from_slice(&arrived.ticks().to_be_bytes());
    answer[16..24].copy_from_slice(&clock::now().ticks().to_be_bytes());
    Some(answer)
}

pub(super) fn start(plan: &ProcessConfig, stop: &Stop) -> Result<Arc<Mutex<Found>>> {
    let mut socket = plan::connect(plan::PROBES, plan.row()?)?;
    let found = Arc::new(Mutex::new(Found::default()));
    let (kept, stop) = (found.clone(), stop.clone());
    let (local, truth) = (plan.client_clock(), plan.server_clock());
    thread::spawn(move || {
        let mut next = clock::now();
        while !stop.is_set() {
            let wait = (next - clock::now()).clamp(Span::ZERO, LOOK_UP);
            let mut buffer = [0; SIZE];
            if let Received::Datagram(come) = socket.receive_within(&mut buffer, wait) {
                let mut found = kept.lock().unwrap_or_else(PoisonError::into_inner);
                found.take(&buffer, clock::machine(come.at), (local, truth));
            }
            let late = clock::now() - next;
            if late >= Span::ZERO {
                let mut found = kept.lock().unwrap_or_else(PoisonError::into_inner);
                found.sent.push(clock::now());
                found.delays.push(None);
                let mut probe = [0; SIZE];
                probe[..8].copy_from_slice(&(found.sent.len() as u64 - 1).to_be_bytes());
                // If the process was paused, the probes that came due in the meantime are numbered but count
                // as lost.
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
    fn take(&mut self, bytes: &[u8; SIZE], t3: MachineTime, (local, truth): (SkewedClock, TrueClock)) {
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
