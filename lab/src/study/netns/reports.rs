//! Tests that the link reports each "destination unreachable" message that the network sends.

use std::fs::File;
use std::io::{Read, Write};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use netclock::link::sockets::{ConnectConfig, LinkConnection, Trouble};
use netclock::{Client, Config, keyed::SessionKey};
use nix::sched::{CloneFlags, unshare};

use super::device::{MTU, open_tun};
use super::packet::{self, Port};

#[path = "../../../../tests/support/tools.rs"]
#[expect(dead_code, reason = "only part of it is used here")]
pub(super) mod tools;

pub(super) const CLIENT: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 1);
pub(super) const SERVER: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 2);

/// Runs `test` on a thread in its own network namespace, with the other end of its only device. Does nothing
/// if the process may not create a namespace.
pub(super) fn in_own_network(test: impl FnOnce(File) + Send + 'static) {
    let run = || {
        let tun = unshare(CloneFlags::CLONE_NEWNET).map_err(Into::into).and_then(|()| open_tun(CLIENT));
        match tun {
            Ok(tun) => test(tun),
            Err(error) => tools::skip(&format!("cannot create a network with a TUN device: {error}")),
        }
    };
    let name = thread::current().name().unwrap_or("a test").to_owned();
    let ran = thread::Builder::new().name(name).spawn(run).expect("a thread").join();
    ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn unreachable(code: u8, packet: &[u8]) -> Vec<u8> {
    let quoted = &packet[..packet.len().min(28)];
    let mut icmp = vec![3, code, 0, 0, 0, 0, 0, 0];
    icmp.extend(quoted);
    let sum = checksum(&icmp);
    icmp[2..4].copy_from_slice(&sum);
    ipv4(1, SERVER.octets(), &packet[12..16], &icmp)
}

pub(super) fn ipv4(protocol: u8, from: [u8; 4], to: &[u8], body: &[u8]) -> Vec<u8> {
    let length = (20 + body.len() as u16).to_be_bytes();
    let mut packet = vec![0x45, 0, length[0], length[1], 0, 0, 0, 0, 64, protocol, 0, 0];
    packet.extend(from);
    packet.extend(to);
    let sum = checksum(&packet);
    packet[10..12].copy_from_slice(&sum);
    packet.extend(body);
    packet
}

/// The checksum defined in RFC 1071.
fn checksum(bytes: &[u8]) -> [u8; 2] {
    let word = |pair: &[u8]| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0));
    let mut sum: u32 = bytes.chunks(2).map(word).sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    (!(sum as u16)).to_be_bytes()
}

#[test]
fn every_unreachable_message_is_reported() {
    in_own_network(|mut tun| {
        let reports = [
            (0, Trouble::NoRoute),
            (1, Trouble::HostUnreachable),
            (3, Trouble::NobodyListens),
            (10, Trouble::Prohibited),
            (13, Trouble::Prohibited),
        ];
        for (code, expected) in reports {
            let client = Arc::new(Mutex::new(Client::new(Config::default(), 5).expect("fine settings")));
            let key = SessionKey::new(1, [7; 16]).expect("a secret");
            let to = ConnectConfig::to(&SERVER.to_string(), 7117);
            let link = LinkConnection::connect(&to, client, &key, |now| now).expect("a thread");
            let mut buffer = [0; MTU];
            // The test hangs unless the link reports the message as expected.
            while link.status().trouble != expected {
                while let Ok(length) = tun.read(&mut buffer) {
                    let packet = &buffer[..length];
                    if packet::is_ipv4(packet) && packet::port(packet, Port::Destination) == Some(7117) {
                        tun.write_all(&unreachable(code, packet)).expect("the device accepts it");
                    }
                }
                thread::sleep(Duration::from_millis(5));
            }
            link.stop();
        }
    });
}
