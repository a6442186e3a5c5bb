use netclock::link::NON_QUEUE_BUILDING;

pub(super) const UDP: u8 = 17;
/// Offsets in the IP header and in the UDP header that follows it.
const TRAFFIC_CLASS: usize = 1;
const PROTOCOL: usize = 9;
const SMALLEST: usize = 20;
const CHECKSUM: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    Source = 0,
    Destination = 2,
}

pub(super) fn is_ipv4(packet: &[u8]) -> bool {
    packet.len() >= SMALLEST && packet[0] >> 4 == 4
}

pub(super) fn is_marked(packet: &[u8]) -> bool {
    packet[TRAFFIC_CLASS] >> 2 == NON_QUEUE_BUILDING
}

pub(super) fn port(packet: &[u8], which: Port) -> Option<u16> {
    let at = header(packet)? + which as usize;
    Some(u16::from_be_bytes(packet.get(at..at + 2)?.try_into().ok()?))
}

pub(super) fn set_port(packet: &mut [u8], which: Port, new: u16) {
    let (Some(old), Some(udp)) = (port(packet, which), header(packet)) else { return };
    packet[udp + which as usize..][..2].copy_from_slice(&new.to_be_bytes());
    let Some(field) = packet.get_mut(udp + CHECKSUM..udp + CHECKSUM + 2) else { return };
    let sum = u16::from_be_bytes([field[0], field[1]]);
    // Zero means that the datagram has no checksum.
    if sum != 0 {
        // RFC 1624, equation 3: replaces the old value with the new one in the complement of the sum.
        let mut total = u32::from(!sum) + u32::from(!old) + u32::from(new);
        total = (total & 0xFFFF) + (total >> 16);
        total = (total & 0xFFFF) + (total >> 16);
        let changed = !(total as u16);
        field.copy_from_slice(&(if changed == 0 { 0xFFFF } else { changed }).to_be_bytes());
    }
}

/// Returns the offset of the UDP header, or `None` for other protocols and later fragments.
fn header(packet: &[u8]) -> Option<usize> {
    let is_first = packet[6] & 0x1F == 0 && packet[7] == 0;
    (packet[PROTOCOL] == UDP && is_first).then(|| usize::from(packet[0] & 0xF) * 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum covers only the ports.
    fn datagram() -> Vec<u8> {
        let mut packet = vec![0; 30];
        (packet[0], packet[1], packet[PROTOCOL]) = (0x45, 45 << 2, UDP);
        packet[20..24].copy_from_slice(&[0x03, 0xE8, 0x07, 0xD0]);
        packet[26..28].copy_from_slice(&(!(1000_u16 + 2000)).to_be_bytes());
        packet
    }

    #[test]
    fn changing_a_port_updates_the_checksum() {
        let mut packet = datagram();
        for new in [1, 65_535, 40_000, 1000] {
            set_port(&mut packet, Port::Source, new);
            assert_eq!(port(&packet, Port::Source), Some(new));
            assert_eq!(port(&packet, Port::Destination), Some(2000));
            let words = packet[20..].chunks(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]])));
            assert_eq!(words.sum::<u32>() % 0xFFFF, 0, "port {new}");
        }
    }

    #[test]
    fn only_first_udp_fragments_have_ports() {
        let mut packet = datagram();
        assert!(is_ipv4(&packet));
        assert!(is_marked(&packet));
        packet[7] = 1;
        assert_eq!(port(&packet, Port::Source), None);
        (packet[7], packet[PROTOCOL], packet[0]) = (0, 6, 0x65);
        assert_eq!(port(&packet, Port::Source), None);
        assert!(!is_ipv4(&packet));
    }
}
