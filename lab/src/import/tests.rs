use super::number::{Unit, ticks};
use super::*;
use netclock::ServerTime;

fn found(text: &str, units: Option<Units>) -> (Format, Recording, Vec<String>) {
    let format = Format::of(text).expect("the format is known");
    let (recording, notes) = lines::read(text, format, units).expect("the file is valid");
    (format, recording, notes)
}

fn stamps(read: &Recording, index: usize) -> [i64; 4] {
    let it = read.exchanges[index].sample.exchange().expect("it has all timestamps");
    let [received, sent] = [it.server_received, it.server_sent].map(ServerTime::ticks);
    [it.client_sent.ticks(), received, sent, it.client_received.ticks()]
}

fn elapsed(read: &Recording, index: usize) -> i64 {
    let [sent, .., received] = stamps(read, index);
    received - sent
}

/// Returns the format, and the first exchange's round trip (without the hold time) and offset (ticks).
fn first(text: &str) -> (Format, i64, i64) {
    let (format, found, _) = found(text, None);
    let [client_sent, server_received, server_sent, client_received] = stamps(&found, 0);
    let (up, down) = (server_received - client_sent, server_sent - client_received);
    (format, up - down, (up + down) / 2)
}

#[test]
fn every_format_is_detected_and_read() {
    let rawstats = "60000 54575.160 192.0.2.1 192.0.2.2 3900000000.000000000 3900000000.012000000 \
                    3900000000.013000000 3900000000.021000000 0 4 4 1 8 -21 0.000000 0.000320 .PPS.\n";
    assert_eq!(first(rawstats), (Format::Rawstats, 200_000, 20_000));
    let peerstats = "60000 100.5 192.0.2.1 961a 0.002000000 0.020000000 0.001 0.0001\n";
    assert_eq!(first(peerstats), (Format::Peerstats, 200_000, 20_000));
    let chrony = "=====\n   Date (UTC) Time     IP Address   L St 123 567 ABCD  LP RP Score    Offset\n\
        =====\n\
        2026-11-25 05:40:50 192.0.2.1 N  2 111 111 1111  6  6 0.1  2.000e-03  2.000e-02  1.577e-05  \
        1.615e-01 7.446e-03 CB00717B 4B D K\n";
    assert_eq!(first(chrony), (Format::Chrony, 200_000, 20_000));
    for (day, seconds) in [("1970-01-01", 20_450), ("2000-02-29", 951_802_850), ("2026-11-25", 1_795_585_250)]
    {
        let read = found(&chrony.replace("2026-11-25", day), None).1;
        assert_eq!(stamps(&read, 0)[3], seconds * 10_000_000, "{day}");
    }
    let (format, read, _) = found(
        "PING x (192.0.2.1) 56(84) bytes of data.\n[1700000000.123456] 64 bytes from 192.0.2.1: \
         icmp_seq=1 ttl=60 time=12.3 ms\n[1700000001.124] no answer yet for icmp_seq=2\n[1700000002.124] \
         From 192.0.2.7 icmp_seq=3 Destination Host Unreachable\n\n--- x ping statistics ---\n",
        None,
    );
    assert_eq!((format, read.round_trips_only, read.exchanges.len()), (Format::Ping, true, 1));
    assert_eq!(stamps(&read, 0)[3], 17_000_000_001_234_560);
    assert_eq!(elapsed(&read, 0), 123_000);
    let (format, read, _) = found("t_send_s,rtt_ms\n0.0,20\n1.0,21\n", None);
    assert_eq!((format, read.round_trips_only, stamps(&read, 1)[3]), (Format::RoundTrips, true, 10_210_000));
    let (format, read, _) = found("time,offset,delay\n1700000000.0,0.002,0.02\n", Some([Unit::S; 2]));
    assert_eq!((format, stamps(&read, 0)[1] - stamps(&read, 0)[0]), (Format::Offsets, 120_000));
}

#[test]
fn columns_are_found_by_name() {
    let (format, read, notes) = found(
        "timestamp_ns,rtt_ms,uplink,downlink\n1705744800616897349,0,0,-1\n\
         1705744800626565141,80.126,32.4,47.6\n\
         1705744800636737402,79.9,62.2,47.6\n1705744800646307744,-1,0,0\n",
        None,
    );
    assert_eq!((format, read.exchanges.len()), (Format::RoundTrips, 2), "instants in ns, round trips in ms");
    assert_eq!(elapsed(&read, 0), 801_260);
    assert_eq!(notes, ["2 lines have no round trip"]);
    let (_, read, _) = found("Seq;RTT (us);Sent at (s)\n1;250;0.0\n2;260;1.0\n", None);
    assert_eq!(stamps(&read, 1)[0], 10_000_000);
    assert_eq!(elapsed(&read, 1), 2_600);
    // A round trip of 500 could be in ms or in us.
    let unclear = "time,rtt\n1705744800.5,500\n1705744801.5,500\n";
    assert!(lines::read(unclear, Format::RoundTrips, None).is_err());
    let read = found(unclear, Some(units("s,ms").unwrap())).1;
    assert_eq!(elapsed(&read, 0), 5_000_000);
    assert!(units("s,furlongs").is_err());
}

#[test]
fn missing_units_are_an_error() {
    for (text, format) in [("1,2,3,4\n", Format::Stamps), ("time,rtt\n1,2\n", Format::RoundTrips)] {
        let error = lines::read(text, format, None).expect_err("the unit is unknown");
        assert!(format!("{error:#}").contains("give --unit"), "{error:#}");
    }
    assert_eq!(stamps(&found("1,2,3,4\n", Some([Unit::Us; 2])).1, 0)[0], 10);
}

#[test]
fn numbers_keep_all_digits() {
    assert_eq!(ticks("1700000000.1234567", Unit::S), Some(17_000_000_001_234_567));
    assert_eq!(ticks("1700000000123456789", Unit::Ns), Some(17_000_000_001_234_568));
    assert_eq!(ticks("-4.966e-03", Unit::S), Some(-49_660));
    assert_eq!(ticks("+.5", Unit::Ms), Some(5_000));
    for wrong in ["", "-", ".", "1e", "x", "1.2.3", "NaN", "inf", "1e30", "99999999999999999999", "1e-"] {
        assert_eq!(ticks(wrong, Unit::S), None, "{wrong}");
    }
    assert!(number::is_float("1700000000.1234567"), "a float has these digits");
    assert!(!number::is_float("1700000000.123456789"));
    assert!(!number::is_float("0.1234567"));
}

#[test]
fn invalid_lines_are_rejected_with_their_number() {
    for text in ["hello world\n", "1,2,3\n4,5,6\n", "{\"a\": 1}\n", "a;b\n"] {
        assert_eq!(Format::of(text), None, "{text}");
    }
    let wrong =
        lines::read("1 2 3 4\n1 2 x 4\n", Format::Stamps, Some([Unit::S; 2])).expect_err("x is not a number");
    assert!(format!("{wrong:#}").contains("line 2"), "{wrong:#}");
}
