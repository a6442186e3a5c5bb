//! Captures (pcap and pcapng) from the client's machine: NTP or NetClock requests and the replies to them.
//!
//! The client's timestamps are those of the capture. The server's timestamps are in the replies.

use std::collections::BTreeMap;
use std::io::Cursor;

use anyhow::{Result, bail};
use netclock::{Reply, wire};
use pcap_parser::{Block, PcapBlockOwned, PcapError, create_reader};

use super::{Found, Stamps};
use netclock_sim::measure::figures::{nearest_rank, sorted};

/// The first four bytes of a capture: pcap in microseconds and in nanoseconds, in both byte orders, and
/// pcapng.
const BEGINNINGS: [u32; 5] = [0xa1b2_c3d4, 0xd4c3_b2a1, 0xa1b2_3c4d, 0x4d3c_b2a1, 0x0a0d_0d0a];
/// The size of the reader's buffer (bytes). A larger block ends the capture.
const BUFFER: usize = 1 << 24;
const TICKS_PER_S: u64 = 10_000_000;
/// NTP: its port, the length of its header, its modes, and its seconds in 1970.
const NTP_PORT: u16 = 123;
const NTP_SIZE: usize = 48;
const NTP_CLIENT: u8 = 3;
const NTP_SERVER: u8 = 4;
const NTP_1970: u64 = 2_208_988_800;
/// NetClock's encrypted datagram kinds: key envelopes and sealed messages.
const SEALED: [u8; 4] = [13, 14, 18, 19];
/// A shorter median round trip without the server's hold time (ticks) means that client and server were on
/// one machine.
const LOCAL_TRIP: i64 = 500;

/// True if the bytes are the start of a capture.
pub(super) fn is_capture(bytes: &[u8]) -> bool {
    let first = bytes.first_chunk().map(|it| u32::from_be_bytes(*it));
    first.is_some_and(|it| BEGINNINGS.contains(&it))
}

/// The answered requests in a capture.
pub(super) fn read(bytes: &[u8]) -> Result<Found> {
    let mut requests = Requests::default();
    // For each interface: the link type, the timestamp units per second, and the origin of the timestamps
    // (s).
    let mut interfaces: Vec<(i32, u64, i64)> = Vec::new();
    let mut packet = 0;
    let Ok(mut reader) = create_reader(BUFFER.min(bytes.len() + 64), Cursor::new(bytes)) else {
        bail!("not a capture (pcap or pcapng)")
    };
    loop {
        let (size, block) = match reader.next() {
            Ok(next) => next,
            Err(PcapError::Incomplete(_)) => match reader.refill() {
                Ok(()) => continue,
                Err(_) => break,
            },
            // The end of the capture, or of the complete part of a truncated one.
            Err(_) => break,
        };
        let mut add = |interface: usize, units: u64, content: &[u8]| {
            packet += 1;
            if let Some(&(link, per_s, origin)) = interfaces.get(interface) {
                let ticks = u128::from(units) * u128::from(TICKS_PER_S) / u128::from(per_s.max(1));
                let at = i64::try_from(ticks).unwrap_or(i64::MAX / 2) + origin * TICKS_PER_S as i64;
                let datagram = network(link, content).and_then(Datagram::of);
                datagram.iter().for_each(|it| requests.take(it, at, packet));
            }
        };
        match block {
            PcapBlockOwned::LegacyHeader(head) => {
                let per_s = if head.is_nanosecond_precision() { 1_000_000_000 } else { 1_000_000 };
                interfaces = vec![(head.network.0, per_s, 0)];
            }
            PcapBlockOwned::Legacy(it) => {
                let per_s = interfaces.first().map_or(1, |it| it.1);
                add(0, u64::from(it.ts_sec) * per_s + u64::from(it.ts_usec), it.data);
            }
            PcapBlockOwned::NG(Block::SectionHeader(_)) => interfaces.clear(),
            PcapBlockOwned::NG(Block::InterfaceDescription(it)) => {
                interfaces.push((it.linktype.0, it.ts_resolution().unwrap_or(1_000_000), it.if_tsoffset));
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(it)) => {
                let units = u64::from(it.ts_high) << 32 | u64::from(it.ts_low);
                let length = (it.caplen as usize).min(it.data.len());
                add(it.if_id as usize, units, &it.data[..length]);
            }
            PcapBlockOwned::NG(_) => {}
        }
        reader.consume(size);
    }
    requests.found()
}

/// The IP packet in a frame of this link type; `None` if there is none.
fn network(link: i32, frame: &[u8]) -> Option<&[u8]> {
    match link {
        // BSD loopback.
        0 | 108 => frame.get(4..),
        // Ethernet: two addresses, VLAN tags if any, and the type.
        1 => {
            let mut at = 12;
            while matches!(frame.get(at..at + 2)?, [0x81, 0] | [0x88, 0xa8]) {
                at += 4;
            }
            frame.get(at + 2..)
        }
        // Raw IP.
        12 | 14 | 101 | 228 | 229 => Some(frame),
        // Linux's "any" interface, in both versions of its header.
        113 => frame.get(16..),
        276 => frame.get(20..),
        _ => None,
    }
}

/// An address and a port.
type End<'a> = (&'a [u8], u16);

/// A UDP datagram.
struct Datagram<'a> {
    from: End<'a>,
    to: End<'a>,
    content: &'a [u8],
}

impl<'a> Datagram<'a> {
    /// The datagram in an IP packet; `None` if it is a fragment or has a different protocol.
    fn of(ip: &'a [u8]) -> Option<Self> {
        let udp = 17;
        let (from, to, rest) = match ip.first()? >> 4 {
            4 if *ip.get(9)? == udp && ip[6] & 0x3f == 0 && ip[7] == 0 => {
                (ip.get(12..16)?, ip.get(16..20)?, ip.get(4 * usize::from(ip[0] & 15)..)?)
            }
            6 if *ip.get(6)? == udp => (ip.get(8..24)?, ip.get(24..40)?, ip.get(40..)?),
            _ => return None,
        };
        let number = |at: usize| Some(u16::from_be_bytes(*rest.get(at..)?.first_chunk()?));
        let content = rest.get(8..usize::from(number(4)?).min(rest.len()))?;
        Some(Datagram { from: (from, number(0)?), to: (to, number(2)?), content })
    }
}

/// A client's address and port, a server's, and the number that a reply returns.
/// Decodes a reply, which may be one of a session.
fn decode_reply(bytes: &[u8]) -> Option<Reply> {
    const REPLY: u8 = 2;
    const CONFIRMING_REPLY: u8 = 23;
    let mut reply: wire::Datagram = bytes.try_into().ok()?;
    if reply[3] == CONFIRMING_REPLY {
        reply[3] = REPLY;
    }
    wire::decode_reply(&reply).ok()
}

type Key = (Vec<u8>, u16, Vec<u8>, u16, u64);

fn key(client: End<'_>, server: End<'_>, number: u64) -> Key {
    (client.0.to_vec(), client.1, server.0.to_vec(), server.1, number)
}

/// The pending requests, and the completed exchanges.
#[derive(Default)]
struct Requests {
    waiting: BTreeMap<Key, i64>,
    /// Exchanges by client and server.
    exchanges: BTreeMap<Key, Vec<Stamps>>,
    unmatched: usize,
    sealed: usize,
}

impl Requests {
    fn take(&mut self, it: &Datagram<'_>, at: i64, packet: usize) {
        if let Ok(request) = wire::decode_request(it.content) {
            self.waiting.insert(key(it.from, it.to, request.id.0), at);
        } else if let Some(reply) = decode_reply(it.content) {
            let stamps = [reply.received.ticks(), reply.sent.ticks()];
            self.answer(it, reply.id.0, Some(reply.epoch), stamps, at, packet);
        } else if it.content.starts_with(b"NK") && it.content.get(3).is_some_and(|kind| SEALED.contains(kind))
        {
            self.sealed += 1;
        } else if it.content.len() >= NTP_SIZE && [it.from.1, it.to.1].contains(&NTP_PORT) {
            let stamp = |at: usize| it.content[at..].first_chunk().map_or(0, |it| u64::from_be_bytes(*it));
            let [originate, received, sent] = [24, 32, 40].map(stamp);
            match it.content[0] & 7 {
                NTP_CLIENT => {
                    self.waiting.insert(key(it.from, it.to, sent), at);
                }
                // An unsynchronised server sends empty timestamps.
                NTP_SERVER if received != 0 && sent != 0 => {
                    self.answer(it, originate, None, [received, sent].map(unix), at, packet);
                }
                _ => {}
            }
        }
    }

    fn answer(
        &mut self,
        it: &Datagram<'_>,
        number: u64,
        epoch: Option<u64>,
        [server_received, server_sent]: [i64; 2],
        client_received: i64,
        line: usize,
    ) {
        let Some(client_sent) = self.waiting.remove(&key(it.to, it.from, number)) else {
            self.unmatched += 1;
            return;
        };
        // Many clients use a different port for each request.
        let of_pair = self.exchanges.entry(key((it.to.0, 0), it.from, 0)).or_default();
        of_pair.push(Stamps { line, client_sent, server_received, server_sent, client_received, epoch });
    }

    fn found(self) -> Result<Found> {
        let mut notes = Vec::new();
        let mut note = |count: usize, what: &str| {
            if count > 0 {
                notes.push(format!("{what}: {count}"));
            }
        };
        note(self.unmatched, "replies to no captured request");
        note(self.waiting.len(), "requests without a captured reply");
        note(self.sealed, "datagrams that a session key seals, so that their stamps cannot be read");
        let pairs = self.exchanges.len();
        let Some(stamps) = self.exchanges.into_values().max_by_key(Vec::len) else {
            bail!(
                "the capture has no request of NTP or NetClock with its reply{}",
                notes.iter().map(|it| format!("; {it}")).collect::<String>()
            )
        };
        if pairs > 1 {
            notes.push(format!("the capture has {pairs} pairs of client and server; the largest is read"));
        }
        let trip = |it: &Stamps| it.client_received - it.client_sent - (it.server_sent - it.server_received);
        let trips = stamps.iter().map(|it| trip(it) as f64);
        if nearest_rank(&sorted(trips), 0.5).is_some_and(|it| it < LOCAL_TRIP as f64) {
            notes.push(
                "round trips are as short as on the server's own machine; capture on the client's to see the \
                 path"
                    .to_owned(),
            );
        }
        Ok(Found { stamps, round_trips_only: false, notes })
    }
}

/// An NTP timestamp in ticks since 1970. NTP's seconds wrap around in 2036.
fn unix(stamp: u64) -> i64 {
    let (seconds, fraction) = (stamp >> 32, stamp & u64::from(u32::MAX));
    let seconds = if seconds < 1 << 31 { seconds + (1 << 32) } else { seconds } - NTP_1970;
    (seconds * TICKS_PER_S + ((fraction * TICKS_PER_S + (1 << 31)) >> 32)) as i64
}

#[cfg(test)]
mod tests;
