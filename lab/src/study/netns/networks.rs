//! Tests a link over real sockets in its own network namespace. The library's server runs at the other end of
//! the device, without sockets.

use std::fs::File;
use std::io::{Read, Write};
use std::net::Ipv4Addr;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use netclock::keyed::SessionKey;
use netclock::link::sockets::{ConnectConfig, LinkConnection, LinkServer, LinkStatus, ServeConfig, Trouble};
use netclock::link::{ClientLinkConfig, DATAGRAM, LinkState, LinkedClient, ServerLink, ServerLinkConfig};
use netclock::{Client, Config, LocalTime, ServerTime, Span, monotonic_now};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};

use super::device::{MTU, open_tun};
use super::packet::{self, Port, UDP};

#[path = "../../../../tests/support/tools.rs"]
#[expect(dead_code, reason = "only part of it is used here")]
mod tools;

const CLIENT: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 1);
const SERVER: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 2);

/// Runs `test` on a thread in its own network namespace, and passes it the other end of the only device. Does
/// nothing if the process may not create a namespace.
fn in_own_network(test: impl FnOnce(File) + Send + 'static) {
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

fn ipv4(protocol: u8, from: [u8; 4], to: &[u8], body: &[u8]) -> Vec<u8> {
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
            let (_, link) = connect(&SERVER.to_string());
            let mut buffer = [0; MTU];
            // The test hangs unless the link reports the message as expected.
            while link.status().trouble != expected {
                while let Ok(length) = tun.read(&mut buffer) {
                    let packet = &buffer[..length];
                    if packet::is_ipv4(packet) && packet::port(packet, Port::Destination) == Some(PORT) {
                        tun.write_all(&unreachable(code, packet)).expect("the device accepts it");
                    }
                }
                thread::sleep(Duration::from_millis(5));
            }
            link.stop();
        }
    });
}

const PORT: u16 = 7117;
const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 3);
const CHANGE: i64 = 3_000;
const AHEAD: Span = Span::from_secs(1_000);
const DELAY: Span = Span::from_millis(15);

struct Situation {
    host: &'static str,
    seconds: i64,
    /// Returns false if this machine does not support the situation.
    prepare: fn() -> bool,
    change: fn(),
    /// Whether a request arrives if it is sent at this time (ms) from this address.
    arrives: fn(i64, Ipv4Addr) -> bool,
    check: fn(&Observed),
}

const USUAL: Situation = Situation {
    host: "10.77.0.2",
    seconds: 6,
    prepare: || true,
    change: || {},
    arrives: |_, _| true,
    check: |_| {},
};

#[derive(Debug)]
struct Observed {
    asked: [usize; 2],
    status: LinkStatus,
    is_synced: bool,
    late_replies: u64,
}

fn key() -> SessionKey {
    SessionKey::new(1, [7; 16]).expect("a secret")
}

fn client() -> Client {
    Client::new(Config::default(), 5).expect("fine settings")
}

fn connect(host: &str) -> (Arc<Mutex<Client>>, LinkConnection) {
    let client = Arc::new(Mutex::new(client()));
    let to = ConnectConfig::to(host, PORT);
    let link = LinkConnection::connect(&to, client.clone(), &key(), |now| now).expect("a thread");
    (client, link)
}

fn server_time(local: LocalTime) -> ServerTime {
    ServerTime::from_ticks((local + AHEAD).ticks())
}

fn millis(span: Span) -> i64 {
    span.ticks() / 10_000
}

fn address(packet: &[u8], at: usize) -> Ipv4Addr {
    let octets: [u8; 4] = packet[at..at + 4].try_into().expect("four bytes");
    octets.into()
}

/// IPv4 does not require a UDP checksum.
fn datagram(from: (Ipv4Addr, u16), to: (Ipv4Addr, u16), payload: &[u8]) -> Vec<u8> {
    let length = 8 + payload.len() as u16;
    let mut body: Vec<u8> = [from.1, to.1, length, 0].into_iter().flat_map(u16::to_be_bytes).collect();
    body.extend(payload);
    ipv4(UDP, from.0.octets(), &to.0.octets(), &body)
}

fn follow(situation: &Situation, mut tun: File) -> Observed {
    let start = monotonic_now();
    let (client, link) = connect(situation.host);
    let mut server = ServerLink::new(ServerLinkConfig::default(), 1).expect("fine settings");
    server.admit(&key()).expect("capacity is left");
    let (mut buffer, mut is_changed, mut before) = ([0; MTU], false, None);
    let mut line: Vec<(LocalTime, Vec<u8>)> = Vec::new();
    let mut seen = Observed { asked: [0; 2], status: link.status(), is_synced: false, late_replies: 0 };
    loop {
        let now = monotonic_now();
        let at = millis(now - start);
        if at >= CHANGE && !is_changed {
            (situation.change)();
            is_changed = true;
        }
        while let Ok(length) = tun.read(&mut buffer) {
            let packet = &buffer[..length];
            let is_waiting = usize::from(!seen.is_synced);
            if !packet::is_ipv4(packet) {
                // All other packets belong to neighbour and router discovery.
                seen.asked[1] += if packet[6] == UDP { is_waiting } else { 0 };
                continue;
            }
            if packet::port(packet, Port::Destination) != Some(PORT) {
                continue;
            }
            seen.asked[0] += is_waiting;
            let from = (address(packet, 12), packet::port(packet, Port::Source).expect("the packet is UDP"));
            if !(situation.arrives)(at, from.0) {
                continue;
            }
            let there = now + DELAY;
            let (stamp, mut out) = (server_time(there), [0; DATAGRAM]);
            if let Ok(answer) = server.answer(&packet[28..], stamp, stamp, &mut out) {
                line.push((there + DELAY, datagram((SERVER, PORT), from, &answer)));
            }
        }
        line.retain(|(due, packet)| {
            let has_come = *due <= now;
            if has_come {
                tun.write_all(packet).expect("the device accepts it");
            }
            !has_come
        });
        let now = monotonic_now();
        let reading = client.lock().expect("no panic").read(now);
        if reading.epoch > 0 {
            seen.is_synced = true;
            let error = reading.server_time - server_time(now);
            assert!(error.abs() <= reading.error_bound, "{error} beyond {}", reading.error_bound);
        }
        seen.status = link.status();
        if at >= (situation.seconds - 2) * 1_000 {
            before.get_or_insert(seen.status.counts.replies);
        }
        if at >= situation.seconds * 1_000 {
            seen.late_replies = seen.status.counts.replies - before.unwrap_or(0);
            return seen;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn run(situation: &'static Situation) {
    in_own_network(|tun| {
        if !(situation.prepare)() {
            return tools::skip("this system does not allow a second address or a hosts file");
        }
        let seen = follow(situation, tun);
        println!("{seen:?}");
        assert_eq!(seen.status.state, LinkState::Linked);
        assert!(seen.late_replies > 0, "no replies at the end");
        (situation.check)(&seen);
    });
}

fn ip(command: &str) -> bool {
    Command::new("ip").args(command.split(' ')).status().is_ok_and(|status| status.success())
}

#[test]
fn a_client_reconnects_after_its_address_changes() {
    run(&Situation {
        seconds: 14,
        change: || assert!(ip("addr del 10.77.0.1/16 dev tun0") && ip("addr add 10.77.0.3/16 dev tun0")),
        arrives: |at, from| from == if at > CHANGE { ELSEWHERE } else { CLIENT },
        ..USUAL
    });
}

fn has_hosts() -> bool {
    let hosts = std::env::temp_dir().join(format!("netclock-hosts-{}", std::process::id()));
    let written = std::fs::write(&hosts, "2001:db8::2 dual.test\n10.77.0.2 dual.test\n").is_ok();
    let none = None::<&str>;
    written
        && unshare(CloneFlags::CLONE_NEWNS).is_ok()
        && mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none).is_ok()
        && mount(Some(&hosts), "/etc/hosts", none, MsFlags::MS_BIND, none).is_ok()
        && std::fs::remove_file(&hosts).is_ok()
        && ip("-6 addr add 2001:db8::1/64 dev tun0 nodad")
}

#[test]
fn a_client_falls_back_from_broken_ipv6_after_few_requests() {
    run(&Situation {
        host: "dual.test",
        prepare: has_hosts,
        check: |seen| {
            // Three requests leave within 0.2 s, and a fourth one leaves 0.5 s later.
            assert!((1..=4).contains(&seen.asked[1]), "{:?}", seen.asked);
        },
        ..USUAL
    });
}

#[test]
fn a_server_replies_from_the_requested_address() {
    in_own_network(|mut tun| {
        if !ip("addr add 10.77.0.9/16 dev tun0") {
            return tools::skip("this system does not allow a second address");
        }
        // The client uses a new port for each address. With a single port, the client could mistake a late
        // reply to the first request for a reply to the second.
        let mut ports = 9..;
        for bound in ["0.0.0.0", "[::]"] {
            let any = format!("{bound}:{PORT}").parse().expect("an address");
            let config = ServeConfig { address: any, ..ServeConfig::default() };
            let server = LinkServer::serve(&config, 1, server_time).expect("a free port");
            server.admit(&key()).expect("capacity is left");
            let linked = LinkedClient::new(client(), &key(), ClientLinkConfig::default());
            let (mut client, mut buffer) = (linked.expect("fine settings"), [0; MTU]);
            // The test hangs unless a reply comes from that address.
            'asked: for (asked, own) in [CLIENT, Ipv4Addr::new(10, 77, 0, 9)].into_iter().zip(&mut ports) {
                loop {
                    if let Some(request) = client.due(monotonic_now()).expect("time is monotonic") {
                        let packet = datagram((SERVER, own), (asked, PORT), &request);
                        tun.write_all(&packet).expect("the device accepts it");
                    }
                    while let Ok(length) = tun.read(&mut buffer) {
                        let packet = &buffer[..length];
                        if packet::is_ipv4(packet) && packet::port(packet, Port::Destination) == Some(own) {
                            assert_eq!(address(packet, 12), asked, "bound to {bound}");
                            client.take(&packet[28..], monotonic_now()).expect("a reply");
                            continue 'asked;
                        }
                    }
                    thread::sleep(Duration::from_millis(5));
                }
            }
        }
    });
}
