//! Captures like those of tcpdump and Wireshark, built byte by byte.

use netclock::{LocalTime, Reply, Request, RequestId, ServerTime};

use super::*;

const S: u64 = 1_700_000_000;
const CLIENT: [u8; 4] = [192, 0, 2, 1];
const SERVER: [u8; 4] = [192, 0, 2, 9];

/// An address and a port.
type Ipv4 = ([u8; 4], u16);

/// A UDP datagram over IPv4.
fn ip(from: Ipv4, to: Ipv4, content: &[u8]) -> Vec<u8> {
    let length = 8 + content.len() as u16;
    let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0];
    packet[2..4].copy_from_slice(&(20 + length).to_be_bytes());
    packet.extend([from.0, to.0].concat());
    [from.1, to.1, length, 0].iter().for_each(|it| packet.extend(it.to_be_bytes()));
    packet.extend(content);
    packet
}

/// The same datagram over IPv6.
fn ip6(from: Ipv4, to: Ipv4, content: &[u8]) -> Vec<u8> {
    let udp = &ip(from, to, content)[20..];
    let mut packet = vec![0x60, 0, 0, 0, 0, udp.len() as u8, 17, 64];
    [from.0, to.0].iter().for_each(|it| packet.extend([&[0x20, 1, 0x0d, 0xb8][..], &[0; 8], it].concat()));
    packet.extend(udp);
    packet
}

/// An NTP message with these three timestamps (ns since 1970).
fn ntp(mode: u8, [originate, received, sent]: [u64; 3]) -> Vec<u8> {
    let mut message = vec![0x20 | mode, 2, 6, 0xec];
    message.resize(24, 0);
    for ns in [originate, received, sent] {
        let (seconds, ns) = (ns / 1_000_000_000 + NTP_1970, ns % 1_000_000_000);
        let stamp =
            if ns == 0 && seconds == NTP_1970 { 0 } else { (seconds << 32) | ((ns << 32) / 1_000_000_000) };
        message.extend(stamp.to_be_bytes());
    }
    message
}

/// The captured packets (ns since 1970): three polls of a server that is 5 ms ahead, 10 ms away in each
/// direction, and holds requests for 1 ms. The last poll has no answer.
fn polls(ip: impl Fn(Ipv4, Ipv4, &[u8]) -> Vec<u8>) -> Vec<(u64, Vec<u8>)> {
    let (client, server) = ((CLIENT, 40_000), (SERVER, NTP_PORT));
    let poll = |second: u64| {
        let at = (S + second) * 1_000_000_000 + 500;
        let ms = |ms: u64| at + ms * 1_000_000;
        let request = (at, ip(client, server, &ntp(NTP_CLIENT, [0, 0, at - 30_000])));
        let reply = ntp(NTP_SERVER, [at - 30_000, ms(15), ms(16)]);
        [request, (ms(21), ip(server, client, &reply))]
    };
    let mut all: Vec<_> = [0, 64, 128].into_iter().flat_map(poll).collect();
    all.pop();
    all
}

/// A pcap file with raw IP packets, in nanoseconds, big-endian.
fn pcap(packets: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut file = Vec::new();
    [0xa1b2_3c4d, 0x0002_0004, 0, 0, 0x4_0000, 101].iter().for_each(|it: &u32| file.extend(it.to_be_bytes()));
    for (ns, packet) in packets {
        let length = packet.len() as u32;
        let head = [(ns / 1_000_000_000) as u32, (ns % 1_000_000_000) as u32, length, length];
        head.iter().for_each(|it| file.extend(it.to_be_bytes()));
        file.extend(packet);
    }
    file
}

/// A pcapng file with tagged Ethernet frames, in microseconds, little-endian.
fn pcapng(packets: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let block = |kind: u32, content: &[u8]| {
        let length = (12 + content.len() as u32).to_le_bytes();
        [&kind.to_le_bytes()[..], &length, content, &length].concat()
    };
    let section = [&0x1a2b_3c4d_u32.to_le_bytes()[..], &[1, 0, 0, 0], &[0xff; 8]].concat();
    let mut file = block(0x0a0d_0d0a, &section);
    file.extend(block(1, &[1, 0, 0, 0, 0, 0, 4, 0]));
    for (ns, packet) in packets {
        let frame = [&[2; 12][..], &[0x81, 0, 0, 7, 8, 0], packet].concat();
        let (us, length) = (ns / 1_000, frame.len() as u32);
        let mut content = Vec::new();
        [0, (us >> 32) as u32, us as u32, length, length]
            .iter()
            .for_each(|it: &u32| content.extend(it.to_le_bytes()));
        content.extend(frame);
        content.resize(content.len().next_multiple_of(4), 0);
        file.extend(block(6, &content));
    }
    file
}

#[test]
fn captures_of_ntp_have_the_stamps_of_both_sides() {
    for (name, file) in
        [("pcap", pcap(&polls(ip))), ("IPv6", pcap(&polls(ip6))), ("pcapng", pcapng(&polls(ip)))]
    {
        assert!(is_capture(&file), "{name}");
        let found = read(&file).unwrap();
        assert_eq!(found.stamps.len(), 2, "{name}");
        let ticks = (S * TICKS_PER_S) as i64;
        for (it, second) in found.stamps.iter().zip([0, 64]) {
            let ms = |ms: i64| ticks + second * 10_000_000 + ms * 10_000;
            let stamps = [it.client_sent, it.server_received, it.server_sent, it.client_received];
            let wanted = [ms(0), ms(15), ms(16), ms(21)];
            // Up to 500 ns, which a capture in microseconds does not show.
            assert!(stamps.iter().zip(wanted).all(|(a, b)| (0..=5).contains(&(a - b))), "{name}: {stamps:?}");
        }
        assert_eq!(found.notes, ["requests without a captured reply: 1"], "{name}");
    }
}

#[test]
fn captures_that_are_cut_off_are_read_until_there() {
    for file in [pcap(&polls(ip)), pcapng(&polls(ip))] {
        for length in 0..file.len() {
            let _ = read(&file[..length]);
        }
        assert_eq!(read(&file[..file.len() - 30]).unwrap().stamps.len(), 2);
    }
}

#[test]
fn captures_of_netclock_name_the_run_of_the_server() {
    let (client, server) = ((CLIENT, 40_000), (SERVER, 7117));
    let request = |id| Request { id: RequestId(id), client_time: LocalTime::from_ticks(5), reliable: false };
    let reply = |id, received| {
        let received = ServerTime::from_ticks(received);
        Reply { id: RequestId(id), epoch: 77, received, sent: received, wait: None }
    };
    let asks = |id| ip(client, server, &wire::encode_request(&request(id)).unwrap());
    let answers = |id, at| ip(server, client, &wire::encode_reply(&reply(id, at)).unwrap());
    let packets = [
        (1_000_000_000, asks(9)),
        (1_010_000_000, asks(8)),
        (1_020_000_000, answers(9, 50_000)),
        // A duplicate reply, and a reply to an unknown request.
        (1_030_000_000, answers(9, 50_000)),
        (1_040_000_000, answers(7, 50_000)),
        (1_050_000_000, ip(server, client, b"NK\x01\x12 sealed")),
    ];
    let found = read(&pcap(&packets)).unwrap();
    let [it] = found.stamps[..] else { panic!("{:?}", found.stamps) };
    let stamps = [it.client_sent, it.server_received, it.server_sent, it.client_received];
    assert_eq!((stamps, it.epoch), ([10_000_000, 50_000, 50_000, 10_200_000], Some(77)));
    let [unmatched, waiting, sealed] = &found.notes[..] else { panic!("{:?}", found.notes) };
    assert_eq!(
        [unmatched, waiting],
        ["replies to no captured request: 2", "requests without a captured reply: 1"]
    );
    assert!(sealed.starts_with("datagrams that a session key seals"), "{sealed}");
    let nothing = read(&pcap(&packets[4..])).expect_err("no exchange");
    assert!(format!("{nothing:#}").contains("no request of NTP or NetClock"), "{nothing:#}");
}

#[test]
fn seconds_of_ntp_begin_again_in_2036() {
    assert_eq!(unix(NTP_1970 << 32), 0);
    assert_eq!(unix(1 << 31), (4_294_967_296 - NTP_1970 as i64) * 10_000_000 + 5_000_000);
}
