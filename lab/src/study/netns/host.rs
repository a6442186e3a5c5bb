use std::thread;
use std::time::Duration;

use anyhow::Result;
use netclock::link::ServerLinkConfig;
use netclock::link::sockets::{LinkServer, Received, ServeConfig, StampedSocket};
use netclock::{Span, TICKS_PER_SECOND};

use super::plan::{self, EPOCH, FRAME, ProcessConfig};
use super::{clocks, load};
use crate::net::clock::{self, SkewedClock};
use crate::net::lifetime::Stop;
use crate::net::messages::{answer, server_frame};

const LOOK_UP: Span = Span::from_millis(100);
const ERA_S: i64 = 2_208_988_800;
const NTP_SIZE: usize = 48;

pub(super) fn run(plan: &ProcessConfig, stop: &Stop) -> Result<()> {
    let (row, truth) = (plan.row()?, plan.server_clock());
    let config = ServeConfig {
        address: plan::server(plan::LINK),
        link: ServerLinkConfig { capacity: 1, ..ServerLinkConfig::default() },
        ..ServeConfig::default()
    };
    let link = LinkServer::serve(&config, EPOCH, move |now| truth.at(clock::machine(now)))?;
    link.admit(&plan::key()?)?;
    load::serve(stop)?;
    let ntp = plan.ntp_clock();
    for port in [plan::NTP_1_S, plan::NTP_4_S] {
        serve(plan::listen(port, row)?, stop, move |bytes, arrived| answer_ntp(bytes, arrived, ntp));
    }
    serve(plan::listen(plan::PROBES, row)?, stop, clocks::answer_probe);
    serve(plan::listen(plan::MESSAGES, row)?, stop, move |bytes, arrived| {
        answer(bytes, EPOCH, [arrived, clock::now()].map(|at| truth.at(at))).map(|it| it.to_vec())
    });
    let mut frames = plan::listen(plan::FRAMES, row)?;
    while !stop.is_set() {
        thread::sleep(Duration::from_secs_f64(FRAME.as_secs_f64()));
        server_frame(&mut frames, EPOCH, truth.at(clock::now()));
    }
    Ok(())
}

fn serve(
    mut socket: StampedSocket,
    stop: &Stop,
    answer: impl Fn(&[u8], clock::MachineTime) -> Option<Vec<u8>> + Send + 'static,
) {
    let stop = stop.clone();
    thread::spawn(move || {
        let mut buffer = [0; 256];
        while !stop.is_set() {
            let Received::Datagram(come) = socket.receive_within(&mut buffer, LOOK_UP) else { continue };
            if let Some(answer) = answer(&buffer[..come.length], clock::machine(come.at)) {
                // A datagram that cannot be sent is treated as lost.
                let _ = socket.send_to(&answer, come.from);
            }
        }
    });
}

/// Answers an NTP request (RFC 5905) like a stratum 1 server whose clock has no error.
fn answer_ntp(bytes: &[u8], arrived: clock::MachineTime, ntp: SkewedClock) -> Option<Vec<u8>> {
    let request = bytes.get(..NTP_SIZE)?;
    let mut answer = vec![0; NTP_SIZE];
    // Version 4, mode 4, stratum 1, the requested poll, a precision of 2^-23 s, and the reference's name.
    answer[..4].copy_from_slice(&[0x24, 1, request[2], 0xE9]);
    answer[12..16].copy_from_slice(b"LAB\0");
    answer[16..24].copy_from_slice(&ntp_stamp(ntp.at(arrived).ticks()));
    answer[24..32].copy_from_slice(&request[40..48]);
    answer[32..40].copy_from_slice(&ntp_stamp(ntp.at(arrived).ticks()));
    answer[40..48].copy_from_slice(&ntp_stamp(ntp.at(clock::now()).ticks()));
    Some(answer)
}

/// Converts ticks since 1970 to seconds of the NTP era and a fraction in units of 2^-32 s.
fn ntp_stamp(ticks: i64) -> [u8; 8] {
    let seconds = (ticks.div_euclid(TICKS_PER_SECOND) + ERA_S) as u32;
    let fraction = (ticks.rem_euclid(TICKS_PER_SECOND) << 32) / TICKS_PER_SECOND;
    ((u64::from(seconds) << 32) | fraction as u64).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ntp_timestamps_count_from_1900() {
        assert_eq!(ntp_stamp(0), [0x83, 0xAA, 0x7E, 0x80, 0, 0, 0, 0]);
        assert_eq!(ntp_stamp(TICKS_PER_SECOND / 2 * 3)[3..], [0x81, 0x80, 0, 0, 0]);
    }
}
