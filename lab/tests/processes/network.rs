//! Tests the network commands with real processes over loopback sockets.

use std::net::UdpSocket;
use std::path::Path;
use std::time::Duration;

use netclock::session::{DATAGRAM_MOST, Host, HostConfig};
use netclock::{LocalTime, Request, RequestId, Sample, ServerTime, Span, wire};
use netclock_lab::recording::{Recording, Stretch};
use serde_json::Value;

use crate::support::{Ended, KEY, OTHER_KEY, Outcome, Running, ended_with, file, temporary};

const FOREVER: Duration = Duration::from_secs(30);

fn totals(server: Running) -> Outcome<Value> {
    Ok(server.end()?.pop().ok_or("no output")?)
}

fn request(id: u64) -> Result<wire::Datagram, netclock::WireError> {
    let id = RequestId(id);
    wire::encode_request(&Request { id, client_time: LocalTime::from_ticks(1), reliable: false })
}

#[test]
fn without_a_server_sync_explains_what_to_check() -> Outcome {
    let free = UdpSocket::bind("127.0.0.1:0")?.local_addr()?;
    let complaint = ended_with(3, &["sync", &free.to_string(), "--seconds", "4"]).err;
    assert!(complaint.contains("lab serve"), "{complaint}");
    assert!(complaint.contains(&free.to_string()), "{complaint}");
    if cfg!(target_os = "linux") {
        assert!(complaint.contains("connection refused"), "{complaint}");
    }
    let silent = UdpSocket::bind("127.0.0.1:0")?;
    let said = ended_with(3, &["sync", &silent.local_addr()?.to_string(), "--seconds", "1"]).err;
    assert!(said.contains("no reply from"), "{said}");
    Ok(())
}

#[test]
fn serve_and_sync_agree() -> Outcome {
    let server = Running::serve(&[])?;
    let lines = ended_with(0, &["sync", &server.address, "--seconds", "2", "--json", "--judge"]).lines()?;
    let of_type = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    assert_eq!(of_type("event")[0]["event"], "synced");
    assert!(of_type("reading").iter().all(|reading| reading["bound_ms"].as_f64().is_some_and(|ms| ms > 0.0)));
    let summary = of_type("summary")[0];
    assert_eq!((&summary["synced"], &summary["backwards"]), (&true.into(), &0.into()));
    assert!(summary["traffic"]["replies"].as_u64() >= Some(2));
    let judged = &summary["judged"];
    assert_eq!(judged["reads"], judged["inside"], "{judged}");
    assert!(judged["reads"].as_u64() > Some(10), "{judged}");
    assert!(judged["worst_ms"].as_f64().is_some(), "{judged}");
    assert!(of_type("reading").iter().any(|reading| reading["true_error_ms"].is_number()), "{lines:?}");
    let served = totals(server)?;
    assert!(served["answered"].as_u64() >= summary["traffic"]["replies"].as_u64());
    assert_eq!(served["malformed"], Value::Object(Default::default()));
    Ok(())
}

/// If both sides poll once per frame, waiting lengthens the round trip but must not affect the clock's error.
#[test]
fn serve_and_sync_agree_if_both_poll_by_frames() -> Outcome {
    let server = Running::serve(&["--fps", "20"])?;
    let recording = temporary("frames.csv");
    let sync = ["sync", &server.address, "--seconds", "4", "--json", "--judge", "--fps", "30"];
    let lines = ended_with(0, &[&sync[..], &["--record", &recording]].concat()).lines()?;
    let summary = lines.last().ok_or("no summary")?;
    assert_eq!(summary["judged"]["reads"], summary["judged"]["inside"], "{summary}");
    let exchanges = Recording::read(Path::new(&recording), Stretch::default())?.exchanges;
    let used: Vec<_> = exchanges.iter().map(|it| it.sample).filter(|it| it.outcome.is_ok()).collect();
    assert!(used.len() > 2, "{exchanges:?}");
    let waits: [fn(&Sample) -> Option<Span>; 2] = [|it| it.server_wait, |it| it.client_wait];
    for (wait, frame_ms) in waits.into_iter().zip([50, 33]) {
        // A message that is timestamped on arrival waits for at most a tick. On a busy machine, a late frame
        // shortens the next frame, so only the longest wait lasts a whole frame.
        let waits: Vec<_> = used.iter().map(wait).collect();
        assert!(waits.iter().all(|wait| wait.is_some_and(|wait| wait.ticks() > 1)), "{waits:?}");
        assert!(
            waits.iter().flatten().any(|wait| wait.ticks() > 9_000 * frame_ms),
            "{frame_ms} ms: {waits:?}"
        );
    }
    Ok(())
}

#[test]
fn dropped_marked_requests_are_reported() -> Outcome {
    let (socket, begun) = (UdpSocket::bind("127.0.0.1:0")?, std::time::Instant::now());
    socket.set_read_timeout(Some(Duration::from_millis(500)))?;
    let address = socket.local_addr()?.to_string();
    let server = std::thread::spawn(move || {
        let (mut dropped, mut silent, mut buffer) = (0, 0, [0; DATAGRAM_MOST]);
        let mut host = Host::new(HostConfig::default(), 5, 1).expect("valid settings");
        host.admit(1, None).expect("capacity is left");
        while silent < 8 {
            let Ok((length, from)) = socket.recv_from(&mut buffer) else {
                silent += 1;
                continue;
            };
            silent = 0;
            let is_request = |bytes: &[u8]| wire::decode_request(bytes).is_ok() && wire::is_marked(bytes);
            if buffer[..length].windows(wire::SIZE).any(is_request) {
                dropped += 1;
                continue;
            }
            let now = ServerTime::from_ticks(begun.elapsed().as_nanos() as i64 / 100);
            let _refused = host.receive(1, &buffer[..length], now);
            while let Some((_, datagram, _)) = host.next(now) {
                let _lost_if_not_sent = socket.send_to(datagram, from);
            }
        }
        dropped
    });
    let lines = ended_with(0, &["sync", &address, "--seconds", "10", "--json"]).lines()?;
    let dropped = server.join().map_err(|_| "the server panicked")?;
    assert!(lines.iter().any(|line| line["event"] == "mark_dropped"), "{dropped} dropped, {lines:?}");
    assert!(dropped >= 6, "{dropped} dropped, {lines:?}");
    Ok(())
}

#[test]
fn a_server_with_keys_answers_only_their_holders() -> Outcome {
    let known = file("keys", KEY.replace('\n', " # one player\n8 102132435465768798a9bacbdcedfe0f\n"));
    let other = file("another-key", OTHER_KEY);
    let server = Running::serve(&["--key-file", &known])?;
    let sync = |code: i32, arguments: &[&str]| -> Ended {
        let usual = ["sync", &server.address, "--seconds", "2", "--json"];
        ended_with(code, &[&usual, arguments].concat())
    };
    let mut lines = sync(0, &["--key-file", &known, "--judge"]).lines()?;
    assert!(lines.iter().any(|line| line["event"] == "linked"), "the clock follows the link: {lines:?}");
    let summary = lines.pop().ok_or("no summary")?;
    assert!(summary["traffic"]["replies"].as_u64() >= Some(2), "{summary}");
    assert_eq!(summary["traffic"]["malformed"], 0);
    assert!(summary["judged"]["reads"].as_u64() > Some(10), "{summary}");
    for refused in [&["--key-file", &other][..], &[]] {
        let said = sync(3, refused).err;
        assert!(said.contains("key"), "{said}");
    }
    let served = totals(server)?;
    // The server may have sent replies that were still in flight when the client exited.
    assert!(served["answered"].as_u64() >= summary["traffic"]["replies"].as_u64(), "{served} {summary}");
    let unkeyed = |reason: &str| served["unkeyed"][reason].as_u64();
    assert!(unkeyed("forged") >= Some(2), "{served}");
    assert!(unkeyed("malformed") >= Some(2), "{served}");
    assert_eq!((unkeyed("unknown_key"), unkeyed("over_budget")), (None, None));
    Ok(())
}

#[test]
fn garbage_is_counted_and_only_other_versions_get_a_notice() -> Outcome {
    let server = Running::serve(&[])?;
    let address = &server.address;
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(FOREVER))?;
    let good = request(7)?;
    let changed = |at: usize, to: u8| {
        let mut bytes = good;
        bytes[at] = to;
        bytes
    };
    for length in [0, 1, 31, 33, 100, 1400] {
        socket.send_to(&vec![0x4E; length], address)?;
    }
    let other_version = changed(2, 9);
    for bytes in [changed(0, 0), other_version, changed(3, 2), changed(5, 1), changed(16, 0x7F)] {
        socket.send_to(&bytes, address)?;
    }
    socket.send_to(&good, address)?;
    // Loopback does not reorder datagrams, so an answer to an earlier datagram would have arrived by now.
    let mut buffer = [0; 2048];
    let (length, _) = socket.recv_from(&mut buffer)?;
    let notice = wire::version_notice(&other_version).ok_or("a request of another version has a notice")?;
    assert_eq!(buffer[..length], notice);
    let (length, _) = socket.recv_from(&mut buffer)?;
    assert_eq!(wire::decode_reply(&buffer[..length])?.id, RequestId(7));
    let served = totals(server)?;
    assert_eq!(served["answered"], 1);
    let counted = |reason: &str| served["malformed"][reason].as_u64();
    assert_eq!(counted("length"), Some(6));
    for reason in ["magic", "version", "kind", "reserved", "stamp"] {
        assert_eq!(counted(reason), Some(1), "{reason}");
    }
    Ok(())
}

#[test]
fn the_relay_forwards_both_ways_and_changes_at_run_time() -> Outcome {
    let server = Running::serve(&[])?;
    let impair = ["impair", "--listen", "127.0.0.1:0", "--both", "delay=1", "--seed", "1", "--to"];
    let mut relay = Running::server(&[&impair[..], &[&server.address]].concat())?;
    let relay_address = relay.address.clone();
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(FOREVER))?;
    let answer = || -> Outcome<RequestId> {
        let mut buffer = [0; 2048];
        let (length, from) = socket.recv_from(&mut buffer)?;
        assert_eq!(from.to_string(), relay_address);
        Ok(wire::decode_reply(&buffer[..length])?.id)
    };
    socket.send_to(&request(1)?, &relay_address)?;
    assert_eq!(answer()?, RequestId(1));
    relay.tell("both duplicate=100")?;
    assert_eq!(relay.line()?["type"], "changed");
    socket.send_to(&request(2)?, &relay_address)?;
    for _ in 0..4 {
        assert_eq!(answer()?, RequestId(2), "each of two requests should have two replies");
    }
    relay.tell("both duplicate=0,delay=2")?;
    assert_eq!(relay.line()?["type"], "changed");
    socket.send_to(&request(3)?, &relay_address)?;
    assert_eq!(answer()?, RequestId(3));
    let summary = totals(relay)?;
    let (up, down) = (&summary["up"], &summary["down"]);
    assert_eq!((&up["counts"]["received"], &up["counts"]["sent"]), (&3.into(), &4.into()));
    assert_eq!((&down["counts"]["received"], &down["counts"]["sent"]), (&4.into(), &6.into()));
    assert_eq!(down["settings"]["delay"], 2.0);
    server.end()?;
    Ok(())
}
